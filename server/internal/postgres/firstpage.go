package postgres

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// firstPage is the first page of a feed. Its notifications are as new as its counts, or newer, but none was published
// after these were read: otherwise one that was published in another channel before it could be missing.
type firstPage struct {
	data          []core.Notification
	total, unread int64
	whole         bool // data is the page; otherwise more than what is kept in memory is needed
}

// firstPage makes a page of the newest notifications of the channels, which are the same for all readers, and of the
// reader's receipts. It reads only the channels that have published last: one more than there are notifications on the
// page, because all that the others have is older than the latest of that one.
func (s *Store) firstPage(
	ctx context.Context, db *DB, subscriberID core.ID, page core.Page,
) (p firstPage, err error) {
	wanted := page.Offset + page.Limit
	feed, err := hotRows[followedChannel](ctx, db,
		lastPublished+limit(core.Page{Limit: wanted + 1})+countedChannels, subscriberID)
	if err != nil {
		return p, err
	}
	p.total, p.unread = feed[0].Total, feed[0].Unread
	m, err := s.mergeRecents(ctx, feed, wanted)
	if err != nil {
		return p, err
	}
	newest := m.newest[:min(len(m.newest), wanted+int(feed[0].Archived))]
	ids := make([]core.ID, len(newest))
	for i, n := range newest {
		ids[i] = n.ID
	}
	receipts, err := findReceipts(ctx, db, subscriberID, ids)
	if err != nil {
		return p, err
	}
	for _, n := range newest {
		r := receipts[n.ID]
		if !r.Archived {
			n.ReadAt = n.channel.of(n.ordinal, r)
			p.data = append(p.data, n.Notification)
		}
	}
	p.whole = len(p.data) >= wanted || m.all && len(newest) == len(m.newest)
	p.data = p.data[min(page.Offset, len(p.data)):min(wanted, len(p.data))]
	return p, nil
}

// followedChannel is a channel of a feed, with the counts of the whole feed.
type followedChannel struct {
	Total, Unread, Archived int64

	ChannelID *core.ID // nil: none is followed
	channelVersion
	Ordinal int64 // of the latest publication
	readMark
	Newest *time.Time // nothing visible was published later; nil: nothing is visible
}

// lastPublished and countedChannels, with a limit between them, select the channels of the feed of subscriber $1 that
// have published last. They always have a row, for the counts.
const (
	lastPublished = `
	with channels_of_feed as (
		select s.channel_id, s.read_ordinal, s.read_at, h.ordinal, h.version,
			case when h.visible > 0 then h.published_at end as newest,
			sum(h.visible) over () as visible, sum(` + unreadPublications + `) over () as unread
		from subscriptions s
		cross join lateral (select * from channel_heads where channel_id = s.channel_id limit 1) h
		where s.subscriber_id = $1
		order by newest desc nulls last`
	countedChannels = `
	), counts as (` + receiptCounts + `)
	select coalesce(f.visible::bigint - k.archived, 0) as total, coalesce(f.unread::bigint + k.difference, 0) as unread,
		k.archived, f.channel_id, coalesce(f.version, 0) as version, coalesce(c.updated_at, 'epoch') as updated_at,
		coalesce(f.ordinal, 0) as ordinal, coalesce(f.read_ordinal, 0) as read_ordinal,
		coalesce(f.read_at, 'epoch') as read_at, f.newest
	from counts k left join channels_of_feed f on true left join channels c on c.id = f.channel_id
	order by f.newest desc nulls last`
)

// receiptCounts counts the archived notifications in the feed of subscriber $1, and the difference that their receipts
// make to the number of unread ones.
const receiptCounts = `
	select count(r.archived_at) as archived, coalesce(sum(` + unreadDifference + `), 0)::bigint as difference` +
	fromExceptions + ` and r.subscriber_id = $1`

// readMark says up to which publication a follower has read a channel.
type readMark struct {
	ReadOrdinal int64
	ReadAt      time.Time
}

// of returns when a notification was read, as readState does.
func (m readMark) of(ordinal int64, r feedReceipt) *time.Time {
	at := &m.ReadAt
	if r.ReadAt != nil {
		at = r.ReadAt
	}
	if r.Read != nil && !*r.Read || r.Read == nil && ordinal > m.ReadOrdinal {
		return nil
	}
	return at
}

// merged is the newest notifications of several channels, newest first.
type merged struct {
	newest []mergedRow
	all    bool // the channels have no others
}

type mergedRow struct {
	recentRow
	channel *followedChannel
}

// mergeRecents merges the newest notifications of the channels that have published last, of which there are up to
// wanted and one that is only the bound of all others.
func (s *Store) mergeRecents(ctx context.Context, feed []followedChannel, wanted int) (m merged, err error) {
	m.all = true
	var bound time.Time // of what is known: there may be others at this time and before
	if len(feed) > wanted {
		if last := feed[wanted].Newest; last != nil {
			m.all, bound = false, *last
		}
		feed = feed[:wanted]
	}
	versions := make(map[core.ID]channelVersion, len(feed))
	for _, c := range feed {
		if c.Newest != nil {
			versions[*c.ChannelID] = c.channelVersion
		}
	}
	recents, err := s.recents.get(ctx, versions)
	if err != nil {
		return m, err
	}
	for _, r := range recents {
		if last := len(r.newest) - 1; !r.all && !r.newest[last].PublishedAt.Before(bound) {
			m.all, bound = false, *r.newest[last].PublishedAt
		}
	}
	for i := range feed {
		if c := &feed[i]; c.Newest != nil {
			m.add(c, recents[*c.ChannelID].newest, bound)
		}
	}
	slices.SortFunc(m.newest, func(a, b mergedRow) int {
		if c := b.PublishedAt.Compare(*a.PublishedAt); c != 0 {
			return c
		}
		return bytes.Compare(b.ID[:], a.ID[:])
	})
	return m, nil
}

// add adds the notifications of a channel that were published after a time. Those published since the channel was read
// are left out.
func (m *merged) add(c *followedChannel, newest []recentRow, after time.Time) {
	for _, n := range newest {
		if !n.PublishedAt.After(after) {
			return
		}
		if n.ordinal <= c.Ordinal {
			m.newest = append(m.newest, mergedRow{n, c})
		}
	}
}

// feedReceipt is what a reader did with a notification.
type feedReceipt struct {
	NotificationID core.ID
	Read           *bool
	ReadAt         *time.Time
	Archived       bool
}

// findReceipts returns the reader's receipts of notifications.
func findReceipts(ctx context.Context, db *DB, subscriberID core.ID, ids []core.ID) (map[core.ID]feedReceipt, error) {
	rows, err := hotRows[feedReceipt](ctx, db, `
		select notification_id, read, read_at, archived_at is not null as archived
		from receipts where subscriber_id = $1 and notification_id = any ($2::uuid[])`, subscriberID, Texts(ids))
	all := make(map[core.ID]feedReceipt, len(rows))
	for _, r := range rows {
		all[r.NotificationID] = r
	}
	return all, err
}
