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
	feed, err := Hot[followedChannel](ctx, db,
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
	rows := make([]*recentRow, len(newest))
	for i, n := range newest {
		rows[i] = n.recentRow
	}
	receipts, err := findReceipts(ctx, db, subscriberID, rows)
	if err != nil {
		return p, err
	}
	p.data = make([]core.Notification, 0, len(newest))
	for _, n := range newest {
		if r := receipts.of(n.ID, n.channel.readMark); r.ArchivedAt == nil {
			p.data = append(p.data, n.seen(r))
		}
	}
	p.whole = len(p.data) >= wanted || m.all && len(newest) == len(m.newest)
	p.data = p.data[min(page.Offset, len(p.data)):min(wanted, len(p.data))]
	p.whole = p.whole && recentLength(rows) <= smallPage
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
		where s.subscriber_id = $1 and ` + isShown + `
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

// merged is the newest notifications of several channels, newest first.
type merged struct {
	newest []mergedRow
	all    bool // the channels have no others
}

type mergedRow struct {
	*recentRow
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
	for i := range newest {
		n := &newest[i]
		if !n.PublishedAt.After(after) {
			return
		}
		if n.ordinal <= c.Ordinal {
			m.newest = append(m.newest, mergedRow{n, c})
		}
	}
}

// feedReceipt is what a reader did with a notification, and how far they had read its channel at the same moment.
type feedReceipt struct {
	NotificationID core.ID
	readMark
	Read          *bool
	ReceiptReadAt *time.Time
	ArchivedAt    *time.Time
}

// readAt returns when a notification with this number was read, as readState does.
func (r feedReceipt) readAt(ordinal int64) *time.Time {
	at := &r.ReadAt
	if r.ReceiptReadAt != nil {
		at = r.ReceiptReadAt
	}
	if r.Read != nil && !*r.Read || r.Read == nil && ordinal > r.ReadOrdinal {
		return nil
	}
	return at
}

// feedReceipts are those of the notifications of a page.
type feedReceipts map[core.ID]feedReceipt

// of returns the receipt of a notification. Without one, what counts is how far its channel was read.
func (all feedReceipts) of(id core.ID, mark readMark) feedReceipt {
	if r, ok := all[id]; ok {
		return r
	}
	return feedReceipt{readMark: mark}
}

// findReceipts returns what the reader did with notifications of followed channels. It reads how far the channels were
// read again: marking one as read moves that and changes receipts, and both must be of one moment.
func findReceipts(ctx context.Context, db *DB, subscriberID core.ID, list []*recentRow) (feedReceipts, error) {
	ids, channels := make([]core.ID, len(list)), make([]core.ID, len(list))
	for i, n := range list {
		ids[i], channels[i] = n.ID, n.Channel.ID
	}
	rows, err := Hot[feedReceipt](ctx, db, `
		select v.id as notification_id, s.read_ordinal, s.read_at, r.read, r.read_at as receipt_read_at, r.archived_at
		from unnest($2::uuid[], $3::uuid[]) v (id, channel_id)
		cross join lateral (
			select read_ordinal, read_at from subscriptions
			where subscriber_id = $1 and channel_id = v.channel_id offset 0) s
		left join lateral (
			select read, read_at, archived_at from receipts
			where subscriber_id = $1 and notification_id = v.id offset 0) r on true`,
		subscriberID, UUIDs(ids), UUIDs(channels))
	all := make(feedReceipts, len(rows))
	for _, r := range rows {
		all[r.NotificationID] = r
	}
	return all, err
}
