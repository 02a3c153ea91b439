package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// Notifications implements core.NotificationStore. The first page is usually made of what is in memory.
func (s *Store) Notifications(ctx context.Context, channel core.ChannelRef, page core.Page, reader *core.ID) (
	data []core.Notification, total int64, unread *int64, err error) {
	err = s.db.page(ctx, func(ctx context.Context, db *DB) error {
		data, total, unread, err = s.listPage(ctx, db, channel.ID, page, reader)
		return err
	})
	return data, total, unread, err
}

func (s *Store) listPage(ctx context.Context, db *DB, channelID core.ID, page core.Page, reader *core.ID) (
	data []core.Notification, total int64, unread *int64, err error) {
	var kept *recent
	early := page.After == nil && page.Offset+page.Limit <= recentSize
	if early {
		kept = s.recents.peek(channelID)
	}
	c, err := readListed(ctx, db, channelID, reader, kept)
	if err != nil {
		return nil, 0, nil, Error(err)
	}
	if early {
		var whole bool
		if data, whole, err = s.firstOfList(ctx, db, c, page, kept); err != nil || whole {
			return data, c.Total, c.Unread, Error(err)
		}
	}
	after, args := afterCursor(page.After, 3)
	rows, err := hotRows[notificationRow](ctx, db, listNotifications+after+
		" order by n.published_at desc, n.id desc"+limit(page), append([]any{reader, channelID}, args...)...)
	return converted(rows, notificationRow.notification), c.Total, c.Unread, Error(err)
}

// listNotifications selects the visible notifications of channel $2 for reader $1.
var listNotifications = `
	select` + notificationColumns + `, ` + readState + `
	from notifications n
	join channels c on c.id = n.channel_id
	join publishers p on p.id = c.publisher_id
	` + joinReader("$1::uuid") + `
	where n.channel_id = $2 and n.visible`

// listedChannel is a channel whose notifications are listed.
type listedChannel struct {
	id     core.ID
	reader *core.ID
	Total  int64
	Unread *int64 // nil: the reader does not follow the channel
	channelVersion
	Ordinal int64 // of the latest publication
	readMark
	receipts feedReceipts // of what was kept
}

// readListed reads the counts and the version of channel $1, what reader $2 has read of it, and their receipts of what
// is kept of it in memory. The list includes archived notifications, so their archiving makes no difference to what is
// unread.
func readListed(ctx context.Context, db *DB, channelID core.ID, reader *core.ID, kept *recent) (
	c listedChannel, err error) {
	var ids []core.ID
	if kept != nil {
		for _, n := range kept.newest {
			ids = append(ids, n.ID)
		}
	}
	rows, err := hotRows[struct {
		listedChannel
		ReceiptOf     *core.ID
		Read          *bool
		ReceiptReadAt *time.Time
	}](ctx, db, `
		with listed as materialized (
			select c.id, c.updated_at, coalesce(h.visible, 0) as total, coalesce(h.version, 0) as version,
				coalesce(h.ordinal, 0) as ordinal, s.subscriber_id, coalesce(s.read_ordinal, 0) as read_ordinal,
				coalesce(s.read_at, 'epoch') as read_at,
				case when s.subscriber_id is not null then coalesce(`+unreadPublications+`, 0) + (
					select count(*) filter (where not r.read and n.ordinal <= s.read_ordinal)
						- count(*) filter (where r.read and n.ordinal > s.read_ordinal)
					from receipts r join notifications n on n.id = r.notification_id and n.visible
					where r.subscriber_id = $2 and n.channel_id = $1 and `+isException+`) end as unread
			from channels c
			left join channel_heads h on h.channel_id = c.id
			left join subscriptions s on s.channel_id = c.id and s.subscriber_id = $2::uuid
			where c.id = $1 and c.deleted_at is null
		)
		select l.total, l.unread, l.version, l.updated_at, l.ordinal, l.read_ordinal, l.read_at,
			r.notification_id as receipt_of, r.read, r.read_at as receipt_read_at
		from listed l
		left join receipts r on r.subscriber_id = l.subscriber_id and r.notification_id = any ($3::uuid[])`,
		channelID, reader, UUIDs(ids))
	receipts := feedReceipts{}
	for _, r := range rows {
		c = r.listedChannel
		if r.ReceiptOf != nil {
			receipts[*r.ReceiptOf] = feedReceipt{readMark: r.readMark, Read: r.Read, ReceiptReadAt: r.ReceiptReadAt}
		}
	}
	c.id, c.reader, c.receipts = channelID, reader, receipts
	return c, err
}

// firstOfList makes a page of the newest notifications in memory. Those published since the counts were read are left
// out. It is not whole when more is needed than what is kept.
func (s *Store) firstOfList(ctx context.Context, db *DB, c listedChannel, page core.Page, kept *recent) (
	data []core.Notification, whole bool, err error) {
	if c.Total == 0 {
		return nil, true, nil
	}
	current := kept
	if kept == nil || !kept.covers(c.channelVersion) {
		all, err := s.recents.get(ctx, map[core.ID]channelVersion{c.id: c.channelVersion})
		if err != nil {
			return nil, false, err
		}
		if current = all[c.id]; !current.covers(c.channelVersion) { // a replica may be ahead
			return nil, false, nil
		}
	}
	newest, whole := current.upTo(c.Ordinal, page.Offset+page.Limit)
	if !whole {
		return nil, false, nil
	}
	newest = newest[min(page.Offset, len(newest)):]
	if c.Unread != nil && current != kept {
		if c.receipts, err = findReceipts(ctx, db, *c.reader, newest); err != nil {
			return nil, false, err
		}
	}
	for _, n := range newest {
		if c.Unread != nil {
			n.ReadAt = c.receipts.of(n.ID, c.readMark).readAt(n.ordinal)
		}
		data = append(data, n.Notification)
	}
	return data, true, nil
}
