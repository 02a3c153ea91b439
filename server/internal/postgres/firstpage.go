package postgres

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// firstPage is what a page of the newest notifications of channels is made of, when these are in memory. Its
// notifications are as new as the heads, or newer, but none was published after these were read: otherwise one that was
// published in another channel before it could be missing.
type firstPage struct {
	heads        map[core.ID]channelHead         // of channels with any notification
	bound        core.Cursor                     // whatever other channels have comes after it; zero: they have nothing
	reader       *core.ID                        // nil: does not follow the channels
	known        func(rows []*keptRow) readMarks // of what was read with the heads
	skipped      int                             // how many of the notifications the page leaves out
	withArchived bool
	unreadOnly   bool
}

// isFirst reports whether a page may be made of what is in memory.
func isFirst(page core.Page, bytes int) bool {
	return page.After == nil && page.Offset+page.Limit <= keptSize && bytes == smallPage
}

// fromMemory makes a page. It is not whole when more is needed than what is in memory.
func (s *Store) fromMemory(
	ctx context.Context, db *DB, f firstPage, page core.Page,
) (data []core.Notification, whole bool, err error) {
	wanted := page.Offset + page.Limit
	rows, all, err := s.newest.of(ctx, f.heads, f.bound, wanted+f.skipped)
	if err != nil || len(rows) < wanted && !all {
		return nil, false, err
	}
	marks := f.known(rows)
	if f.reader != nil && !marks.have(rows) {
		marks, err = findReadMarks(ctx, db, *f.reader, rows)
		if err != nil || !marks.have(rows) { // unfollowed meanwhile
			return nil, false, err
		}
	}
	data = make([]core.Notification, 0, len(rows))
	for _, row := range rows {
		n, mark := row.Notification, marks[row.ID]
		n.ReadAt, n.ArchivedAt, n.SnoozedUntil = mark.ReadAt, mark.ArchivedAt, mark.SnoozedUntil
		if (!n.IsPutAway() || f.withArchived) && (n.ReadAt == nil || !f.unreadOnly) {
			data = append(data, n)
		}
	}
	whole = all || len(data) >= wanted
	data = data[min(page.Offset, len(data)):min(wanted, len(data))]
	length := 0
	for _, n := range data {
		length += n.TextBytes() + len(n.ExternalID)
	}
	if !whole || length > smallPage {
		return nil, false, nil
	}
	return data, true, nil
}

// firstOfFeed makes the first page of a feed, or of what is unread in it, of what is in memory. It reads only the
// channels that have published last: one more than there are notifications on the page, because all that the others
// have is older than the latest of that one.
func (s *Store) firstOfFeed(
	ctx context.Context, db *DB, subscriberID core.ID, filter core.FeedFilter,
) (p core.FeedPage, whole bool, err error) {
	wanted := filter.Page.Offset + filter.Page.Limit
	condition := ""
	if filter.UnreadOnly {
		condition = " and unread > 0"
	}
	channels, err := Hot[struct {
		Total, Unread        int64
		Archived, More, Less int
		ChannelID            core.ID
		UnreadOfChannel      int64
		readSubscription
		channelHead
		Newest time.Time
		latestReceipts
	}](ctx, db, countedFeed+`
		select k.*, f.channel_id, f.version, c.updated_at, f.ordinal, f.read_ordinal, f.read_at,
			f.unread as unread_of_channel, f.newest, r.*
		from counts k
		cross join (
			select *, row_number() over (order by newest desc) as place
			from followed where newest is not null`+condition+`
			order by newest desc`+limit(core.Page{Limit: wanted + 1})+`
		) f
		join channels c on c.id = f.channel_id
		left join lateral (`+selectLatestReceipts+`) r on f.place = 1
		order by f.newest desc`, subscriberID)
	if err != nil || len(channels) == 0 {
		return p, err == nil && !filter.UnreadOnly, err // nothing is visible
	}
	counts := channels[0]
	receipts := counts.latestReceipts
	receipts.subscriptions = make(map[core.ID]readSubscription, wanted)
	f := firstPage{
		heads: make(map[core.ID]channelHead, wanted), reader: &subscriberID, known: receipts.marks,
		skipped: counts.Archived, unreadOnly: filter.UnreadOnly,
	}
	p.Total, p.Unread = counts.Total, counts.Unread
	if filter.UnreadOnly {
		p.Total, f.skipped = counts.Unread, counts.Less
	}
	for i, c := range channels {
		if i == wanted {
			f.bound.PublishedAt = c.Newest.Add(time.Microsecond)
			break
		}
		if filter.UnreadOnly {
			c.Since, c.Wanted = c.ReadOrdinal, c.UnreadOfChannel
		}
		f.heads[c.ChannelID], receipts.subscriptions[c.ChannelID] = c.channelHead, c.readSubscription
	}
	if filter.UnreadOnly && counts.More > 0 { // they may be anywhere
		return p, false, nil
	}
	p.Data, whole, err = s.fromMemory(ctx, db, f, filter.Page)
	return p, whole, err
}

// readMark is when a reader has read and archived a notification, and until when they have postponed it.
type readMark struct{ ReadAt, ArchivedAt, SnoozedUntil *time.Time }

type readMarks map[core.ID]readMark

// have reports whether they are of all of some notifications.
func (m readMarks) have(rows []*keptRow) bool {
	for _, row := range rows {
		if _, ok := m[row.ID]; !ok {
			return false
		}
	}
	return true
}

// findReadMarks finds those of notifications of followed channels. It reads how far the channels were read again:
// marking one as read moves that and changes receipts, and both must be of one moment.
func findReadMarks(ctx context.Context, db *DB, subscriberID core.ID, list []*keptRow) (readMarks, error) {
	channels := make([]core.ID, len(list))
	for i, row := range list {
		channels[i] = row.Channel.ID
	}
	ids, ordinals := idsAndOrdinals(list)
	rows, err := Hot[struct {
		NotificationID core.ID
		readMark
	}](ctx, db, `
		select v.id as notification_id, `+readState+`
		from unnest($2::uuid[], $3::uuid[], $4::bigint[]) v (id, channel_id, ordinal)
		cross join lateral (select v.*) n`+joinSubscription("$1::uuid")+joinReceipt("$1::uuid"),
		subscriberID, ids, UUIDs(channels), ordinals)
	marks := make(readMarks, len(rows))
	for _, row := range rows {
		marks[row.NotificationID] = row.readMark
	}
	return marks, err
}

// idsAndOrdinals returns the ids and ordinals of notifications, as arguments that a statement casts to arrays.
func idsAndOrdinals(list []*keptRow) (ids, ordinals string) {
	all, numbers := make([]core.ID, len(list)), make([]string, len(list))
	for i, row := range list {
		all[i], numbers[i] = row.ID, strconv.FormatInt(row.ordinal, 10)
	}
	return UUIDs(all), "{" + strings.Join(numbers, ",") + "}"
}
