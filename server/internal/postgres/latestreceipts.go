package postgres

import (
	"bytes"
	"cmp"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// latestReceipts are those of a reader with the highest ids of notifications: mostly of the latest ones. They are read
// in the same statement as the channels, so both are of one moment. They are for the feed, where what is postponed is
// left out as what is archived.
type latestReceipts struct {
	IDs           []core.ID    `db:"receipt_ids"`
	Reads         []*bool      `db:"receipt_reads"`
	ReadAts       []*time.Time `db:"receipt_read_ats"`
	ArchivedAts   []*time.Time `db:"receipt_archived_ats"`
	subscriptions map[core.ID]readSubscription
}

// readSubscription says up to where and when a reader has read a channel.
type readSubscription struct {
	ReadOrdinal int64
	ReadAt      *time.Time
}

// latestReceiptsKept is how many are read. A page whose notifications are among more of them needs another statement.
const latestReceiptsKept = 32

// selectLatestReceipts selects those of subscriber $1, as arrays.
var selectLatestReceipts = `
	select array_agg(notification_id) as receipt_ids, array_agg(read) as receipt_reads,
		array_agg(read_at) as receipt_read_ats, array_agg(archived_at) as receipt_archived_ats
	from (select * from receipts where subscriber_id = $1 order by notification_id desc` +
	limit(core.Page{Limit: latestReceiptsKept}) + `) r`

// marks returns when the reader has read and archived notifications of the channels: IsRead, of those that they follow.
// It leaves out notifications that may have a receipt that was not read.
func (l latestReceipts) marks(rows []*keptRow) readMarks {
	places := make(map[core.ID]int, len(l.IDs))
	for i, id := range l.IDs {
		places[id] = i
	}
	marks := make(readMarks, len(rows))
	for _, row := range rows {
		s, mark := l.subscriptions[row.Channel.ID], readMark{}
		isRead, readAt := row.ordinal <= s.ReadOrdinal, s.ReadAt
		if i, ok := places[row.ID]; ok {
			mark.ArchivedAt, readAt = l.ArchivedAts[i], cmp.Or(l.ReadAts[i], readAt)
			if read := l.Reads[i]; read != nil {
				isRead = *read
			}
		} else if len(l.IDs) == latestReceiptsKept && bytes.Compare(row.ID[:], l.IDs[len(l.IDs)-1][:]) < 0 {
			continue
		}
		if isRead {
			mark.ReadAt = readAt
		}
		marks[row.ID] = mark
	}
	return marks
}
