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
	key := listedKey{channelID: channelID, kept: kept}
	if reader != nil {
		key.readerID = *reader
	}
	c, err := db.listed.get(ctx, key)
	if err != nil {
		return nil, 0, nil, Error(err)
	}
	if early {
		var whole bool
		if data, whole, err = s.firstOfList(ctx, db, key, c, page); err != nil || whole {
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

// listedKey is a channel to be listed.
type listedKey struct {
	channelID core.ID
	readerID  core.ID // zero: nobody is signed in
	kept      *recent // nil: nothing is kept of it, or needed
}

// listedChannel is a channel whose notifications are listed.
type listedChannel struct {
	Total  int64
	Unread *int64 // nil: the reader does not follow the channel
	channelVersion
	Ordinal int64 // of the latest publication
	readMark
	receipts feedReceipts // of what was kept
}

// readListed reads the counts and versions of channels, what their readers have read of them, and the readers' receipts
// of what is kept of them in memory. Lists include archived notifications, so their archiving makes no difference to
// what is unread.
func (db *DB) readListed(ctx context.Context, keys []listedKey) (map[listedKey]listedChannel, error) {
	channels, readers := make([]core.ID, len(keys)), make([]core.ID, len(keys))
	kept := make([]string, len(keys)) // each a list
	for i, k := range keys {
		channels[i], readers[i], kept[i] = k.channelID, k.readerID, UUIDs(k.kept.ids())
	}
	rows, err := hotRows[struct {
		Place int
		listedChannel
		ReceiptOf     *core.ID
		Read          *bool
		ReceiptReadAt *time.Time
	}](ctx, db, `
		with listed as materialized (
			select v.place, v.kept, c.updated_at, coalesce(h.visible, 0) as total, coalesce(h.version, 0) as version,
				coalesce(h.ordinal, 0) as ordinal, s.subscriber_id, coalesce(s.read_ordinal, 0) as read_ordinal,
				coalesce(s.read_at, 'epoch') as read_at,
				case when s.subscriber_id is not null then coalesce(`+unreadPublications+`, 0) + (
					select count(*) filter (where not r.read and n.ordinal <= s.read_ordinal)
						- count(*) filter (where r.read and n.ordinal > s.read_ordinal)
					from receipts r join notifications n on n.id = r.notification_id and n.visible
					where r.subscriber_id = v.reader_id and n.channel_id = v.channel_id and `+isException+`
				) end as unread
			from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality v (channel_id, reader_id, kept, place)
			join channels c on c.id = v.channel_id and c.deleted_at is null
			left join channel_heads h on h.channel_id = c.id
			left join lateral (
				select * from subscriptions where channel_id = v.channel_id and subscriber_id = v.reader_id offset 0
			) s on true
		)
		select l.place - 1 as place, l.total, l.unread, l.version, l.updated_at, l.ordinal, l.read_ordinal, l.read_at,
			r.notification_id as receipt_of, r.read, r.read_at as receipt_read_at
		from listed l
		left join lateral (
			select * from receipts
			where subscriber_id = l.subscriber_id and notification_id = any (l.kept::uuid[]) offset 0
		) r on true`,
		UUIDs(channels), UUIDs(readers), texts(kept))
	all := make(map[listedKey]listedChannel, len(keys))
	for _, r := range rows {
		c, ok := all[keys[r.Place]]
		if !ok {
			c = r.listedChannel
			c.receipts = feedReceipts{}
			all[keys[r.Place]] = c
		}
		if r.ReceiptOf != nil {
			c.receipts[*r.ReceiptOf] = feedReceipt{readMark: r.readMark, Read: r.Read, ReceiptReadAt: r.ReceiptReadAt}
		}
	}
	return all, err
}

// firstOfList makes a page of the newest notifications in memory. Those published since the counts were read are left
// out. It is not whole when more is needed than what is kept.
func (s *Store) firstOfList(ctx context.Context, db *DB, key listedKey, c listedChannel, page core.Page) (
	data []core.Notification, whole bool, err error) {
	if c.Total == 0 {
		return nil, true, nil
	}
	current, receipts := key.kept, c.receipts
	if current == nil || !current.covers(c.channelVersion) {
		all, err := s.recents.get(ctx, map[core.ID]channelVersion{key.channelID: c.channelVersion})
		if err != nil {
			return nil, false, err
		}
		if current = all[key.channelID]; !current.covers(c.channelVersion) { // a replica may be ahead
			return nil, false, nil
		}
	}
	newest, whole := current.upTo(c.Ordinal, page.Offset+page.Limit)
	if !whole {
		return nil, false, nil
	}
	newest = newest[min(page.Offset, len(newest)):]
	if c.Unread != nil && current != key.kept {
		if receipts, err = findReceipts(ctx, db, key.readerID, newest); err != nil {
			return nil, false, err
		}
	}
	data = make([]core.Notification, len(newest))
	for i, n := range newest {
		var readAt *time.Time
		if c.Unread != nil {
			readAt = receipts.of(n.ID, c.readMark).readAt(n.ordinal)
		}
		data[i] = n.readAt(readAt)
	}
	return data, true, nil
}
