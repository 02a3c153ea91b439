package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// Notifications implements core.NotificationStore. The first page is usually made of what is in memory.
func (s *Store) Notifications(
	ctx context.Context, publisherSlug, slug string, page core.Page, reader *core.ID,
) (list core.ChannelPage, err error) {
	err = bounded(ctx, func(bytes int) (bool, error) {
		err := s.db.page(ctx, func(ctx context.Context, db *DB) (err error) {
			list, err = s.listPage(ctx, db, channelAddress{publisherSlug, slug}, page, bytes, reader)
			return err
		})
		return list.Cut, err
	})
	return list, err
}

func (s *Store) listPage(
	ctx context.Context, db *DB, address channelAddress, page core.Page, bytes int, reader *core.ID,
) (list core.ChannelPage, err error) {
	key := listedKey{channelAddress: address}
	early := page.After == nil && page.Offset+page.Limit <= recentSize && bytes == smallPage
	if early {
		key.kept = s.recents.peek(address)
	}
	if reader != nil {
		key.readerID = *reader
	}
	c, err := db.listed.get(ctx, key)
	if err != nil {
		return list, Error(err)
	}
	list = core.ChannelPage{Channel: c.found.ref, PublisherID: c.found.publisherID, Total: c.Total, Unread: c.Unread}
	if early {
		var whole bool
		if list.Data, whole, err = s.firstOfList(ctx, db, key, c, page); err != nil || whole {
			return list, Error(err)
		}
	}
	after, args := afterCursor(page.After, 3)
	rows, err := Hot[struct {
		notificationRow
		boundedRow
	}](ctx, db, listNotifications(after, page, bytes), append([]any{reader, c.found.ref.ID}, args...)...)
	for _, row := range rows {
		list.Data = append(list.Data, row.notification())
		list.Cut = row.Found > int64(len(rows))
	}
	return list, Error(err)
}

// listNotifications selects the visible notifications of channel $2 for reader $1.
func listNotifications(after string, page core.Page, bytes int) string {
	return withinBytes(notificationColumns+`, `+readState, `
			from (
				select * from notifications n where n.channel_id = $2 and n.visible`+after+`
				order by `+newestFirst+limit(page)+`
			) n
			join channels c on c.id = n.channel_id
			join publishers p on p.id = c.publisher_id
			`+joinReader("$1::uuid"), bytes)
}

// listedKey is a channel to be listed.
type listedKey struct {
	channelAddress
	readerID core.ID // zero: nobody is signed in
	kept     *recent // nil: nothing is kept of it, or needed
}

// listedChannel is a channel whose notifications are listed.
type listedChannel struct {
	found  foundChannel
	Total  int64
	Unread *int64 // nil: the reader does not follow the channel
	channelVersion
	Ordinal int64 // of the latest publication
	readMark
	receipts feedReceipts // of what was kept
}

// readListed finds channels. It reads their counts and versions, what their readers have read of them, and the readers'
// receipts of what is kept of them in memory. Lists include archived notifications, so their archiving makes no
// difference to what is unread.
func (db *DB) readListed(ctx context.Context, keys []listedKey) (map[listedKey]listedChannel, error) {
	publishers, slugs := make([]string, len(keys)), make([]string, len(keys))
	readers, kept := make([]core.ID, len(keys)), make([]string, len(keys)) // each of kept is a list
	for i, k := range keys {
		publishers[i], slugs[i], readers[i], kept[i] = k.publisherSlug, k.slug, k.readerID, UUIDs(k.kept.ids())
	}
	rows, err := Hot[struct {
		Place int
		foundChannelRow
		listedChannel
		ReceiptOf     *core.ID
		Read          *bool
		ReceiptReadAt *time.Time
		ArchivedAt    *time.Time
	}](ctx, db, `
		with listed as materialized (
			select v.place, v.kept, `+foundColumns+`, c.updated_at,
				coalesce(h.visible, 0) as total, coalesce(h.version, 0) as version, coalesce(h.ordinal, 0) as ordinal,
				s.subscriber_id, coalesce(s.read_ordinal, 0) as read_ordinal, coalesce(s.read_at, 'epoch') as read_at,
				case when s.subscriber_id is not null then coalesce(`+unreadPublications+`, 0) + (
					select coalesce(sum(`+unreadDifferenceOfList+`), 0)
					from receipts r join notifications n on n.id = r.notification_id and n.visible
					where r.subscriber_id = v.reader_id and n.channel_id = c.id and `+isException+`
				) end as unread
			from unnest($1::text[], $2::text[], $3::uuid[], $4::text[])
				with ordinality v (publisher_slug, slug, reader_id, kept, place)
			`+joinAddressed+`
			left join channel_heads h on h.channel_id = c.id
			left join lateral (
				select * from subscriptions where channel_id = c.id and subscriber_id = v.reader_id offset 0
			) s on true
		)
		select l.place - 1 as place, l.id, l.name, l.icon, l.demonstration, l.suspended, l.publisher_id,
			l.updated_at, l.total, l.unread, l.version, l.ordinal, l.read_ordinal, l.read_at,
			r.notification_id as receipt_of, r.read, r.read_at as receipt_read_at, r.archived_at
		from listed l
		left join lateral (
			select * from receipts
			where subscriber_id = l.subscriber_id and notification_id = any (l.kept::uuid[]) offset 0
		) r on true`,
		texts(publishers), texts(slugs), UUIDs(readers), texts(kept))
	all := make(map[listedKey]listedChannel, len(keys))
	for _, r := range rows {
		c, ok := all[keys[r.Place]]
		if !ok {
			c = r.listedChannel
			c.found = r.channel(keys[r.Place].channelAddress)
			c.receipts = feedReceipts{}
			all[keys[r.Place]] = c
		}
		if r.ReceiptOf != nil {
			c.receipts[*r.ReceiptOf] = feedReceipt{readMark: r.readMark, Read: r.Read, ReceiptReadAt: r.ReceiptReadAt,
				ArchivedAt: r.ArchivedAt}
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
	current, receipts, id := key.kept, c.receipts, c.found.ref.ID
	if current == nil || current.channel().ID != id || !current.covers(c.channelVersion) {
		all, err := s.recents.get(ctx, map[core.ID]channelVersion{id: c.channelVersion})
		if err != nil {
			return nil, false, err
		}
		if current = all[id]; !current.covers(c.channelVersion) { // a replica may be ahead
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
	if recentLength(newest) > smallPage {
		return nil, false, nil
	}
	data = make([]core.Notification, len(newest))
	for i, n := range newest {
		if data[i] = n.Notification; c.Unread != nil {
			data[i] = n.seen(receipts.of(n.ID, c.readMark))
		}
	}
	return data, true, nil
}
