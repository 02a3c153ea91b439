package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// Notifications implements core.NotificationStore. The first page is usually made of what is in memory.
func (s *Store) Notifications(
	ctx context.Context, publisherSlug, slug string, page core.Page, reader *core.ID,
) (p core.ChannelPage, err error) {
	err = s.readPage(ctx, func(ctx context.Context, db *DB, bytes int) (bool, error) {
		p, err = s.listPage(ctx, db, channelAddress{publisherSlug, slug}, page, bytes, reader)
		return p.Cut, Error(err)
	})
	return p, err
}

func (s *Store) listPage(
	ctx context.Context, db *DB, address channelAddress, page core.Page, bytes int, reader *core.ID,
) (p core.ChannelPage, err error) {
	key := listedKey{channelAddress: address}
	if reader != nil {
		key.readerID = *reader
		if isFirst(page, bytes) {
			key.kept = s.newest.at(address)
		}
	}
	c, err := db.listed.get(ctx, key)
	if err != nil {
		return p, err
	}
	p = core.ChannelPage{Channel: c.found.ref, PublisherID: c.found.publisherID, Total: c.Total, Unread: c.Unread}
	if isFirst(page, bytes) {
		f := firstPage{known: func([]*keptRow) readMarks { return c.marks }, withArchived: true}
		if c.Total > 0 {
			f.heads = map[core.ID]channelHead{p.Channel.ID: c.channelHead}
		}
		if c.Unread != nil {
			f.reader = reader
		}
		var whole bool
		if p.Data, whole, err = s.fromMemory(ctx, db, f, page); err != nil || whole {
			return p, err
		}
	}
	after, args := afterCursor(page.After, 3)
	rows, err := Hot[struct {
		notificationRow
		boundedRow
	}](ctx, db, listNotifications(after, page, bytes), append([]any{reader, p.Channel.ID}, args...)...)
	for _, row := range rows {
		p.Data = append(p.Data, row.notification())
		p.Cut = row.Found > int64(len(rows))
	}
	return p, err
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
	kept     *kept   // nil: nothing is kept of it, or needed
}

// listedChannel is a channel whose notifications are listed.
type listedChannel struct {
	found  foundChannel
	Total  int64
	Unread *int64 // nil: the reader does not follow the channel
	channelHead
	marks readMarks // of what was kept
}

// readListed finds channels. It reads their counts and heads, how many their readers have not read, and when these have
// read what is kept in memory. Lists include archived notifications, so their archiving makes no difference to what is
// unread.
func (db *DB) readListed(ctx context.Context, keys []listedKey) (map[listedKey]listedChannel, error) {
	publishers, slugs := make([]string, len(keys)), make([]string, len(keys))
	readers := make([]core.ID, len(keys))
	ids, ordinals := make([]string, len(keys)), make([]string, len(keys)) // each is a list
	for i, k := range keys {
		publishers[i], slugs[i], readers[i] = k.publisherSlug, k.slug, k.readerID
		if ids[i], ordinals[i] = "{}", "{}"; k.kept != nil {
			ids[i], ordinals[i] = k.kept.ids, k.kept.ordinals
		}
	}
	rows, err := Hot[struct {
		Place int
		foundChannelRow
		listedChannel
		ReadAts, ArchivedAts, SnoozedUntils []*time.Time
	}](ctx, db, `
		select v.place - 1 as place, `+foundColumns+`, c.updated_at,
			coalesce(h.visible, 0) as total, coalesce(h.version, 0) as version, coalesce(h.ordinal, 0) as ordinal,
			case when s.subscriber_id is not null then coalesce(`+unreadPublications+`, 0) + (
				select coalesce(sum(`+unreadDifferenceOfList+`), 0)
				from receipts r join notifications n on n.id = r.notification_id and n.visible
				where r.subscriber_id = v.reader_id and n.channel_id = c.id and `+isException+`
			) end as unread, m.read_ats, m.archived_ats, m.snoozed_untils
		from unnest($1::text[], $2::text[], $3::uuid[], $4::text[], $5::text[])
			with ordinality v (publisher_slug, slug, reader_id, ids, ordinals, place)
		`+joinAddressed+`
		left join channel_heads h on h.channel_id = c.id
		left join lateral (
			select * from subscriptions where channel_id = c.id and subscriber_id = v.reader_id offset 0
		) s on true
		cross join lateral (
			select array_agg(n.read_at order by n.place) as read_ats,
				array_agg(n.archived_at order by n.place) as archived_ats,
				array_agg(n.snoozed_until order by n.place) as snoozed_untils
			from (
				select n.place, `+readState+`
				from unnest(v.ids::uuid[], v.ordinals::bigint[]) with ordinality n (id, ordinal, place)`+
		joinReceipt("s.subscriber_id")+`
				where s.subscriber_id is not null
			) n
		) m`,
		texts(publishers), texts(slugs), UUIDs(readers), texts(ids), texts(ordinals))
	all := make(map[listedKey]listedChannel, len(keys))
	for _, r := range rows {
		key, c := keys[r.Place], r.listedChannel
		c.found, c.marks = r.channel(key.channelAddress), make(readMarks, len(r.ReadAts))
		for i, at := range r.ReadAts {
			c.marks[key.kept.rows[i].ID] = readMark{at, r.ArchivedAts[i], r.SnoozedUntils[i]}
		}
		all[key] = c
	}
	return all, err
}
