package postgres

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// feedPage reads a page of a feed and its counts in one statement. It reads the notifications of each followed channel
// from an index and merges them, so its cost grows with the number of channels and not with that of notifications. Only
// the rows of the page are read whole, and only an empty page needs another statement for its counts.
func feedPage(
	ctx context.Context, db *DB, subscriberID core.ID, f core.FeedFilter, bytes int,
) (p core.FeedPage, err error) {
	after, args := afterCursor(f.After, 2)
	places, state := latest(after, f.Page), readState
	if f.UnreadOnly {
		places, state = latestUnread(after, f.Page), noReader
	}
	rows, err := Hot[feedRow](ctx, db, countedFeed+`, page as (
			select * from (`+places+`) f order by f.published_at desc, f.id desc`+limit(f.Page)+`
		)`+feedRows("counts", state, bytes), append([]any{subscriberID}, args...)...)
	if err != nil {
		return p, err
	}
	nothingUnread := f.UnreadOnly && f.After == nil && f.Offset == 0
	if len(rows) == 0 && !nothingUnread {
		err = db.hotRow(ctx, countedFeed+" select total, unread from counts", subscriberID).Scan(&p.Total, &p.Unread)
		return p, err
	}
	return pageOfFeed(rows), err
}

// feedRow is a notification on a page of a feed, with the counts of the feed.
type feedRow struct {
	Total, Unread int64
	notificationRow
	boundedRow
}

// feedRows ends a statement that begins with countedFeed and has the notifications of a page. It takes the counts of
// the page from a table.
func feedRows(counts, state string, bytes int) string {
	return withinBytes(` k.total, k.unread,`+notificationColumns+`, `+state, `
			from `+counts+` k cross join page s
			join notifications n on n.id = s.id
			left join receipts r on r.subscriber_id = $1 and r.notification_id = n.id
			join channels c on c.id = n.channel_id
			join publishers p on p.id = c.publisher_id`, bytes)
}

func pageOfFeed(rows []feedRow) (p core.FeedPage) {
	for _, row := range rows {
		p.Total, p.Unread, p.Cut = row.Total, row.Unread, row.Found > int64(len(rows))
		p.Data = append(p.Data, row.notification())
	}
	return p
}

// countedFeed begins a statement about the feed of subscriber $1: with the channels that they follow, the receipts that
// differ from what their subscriptions say, and the counts. In the feed are the visible notifications of the followed
// channels, less the archived ones.
const countedFeed = `
	with followed as (
		select s.channel_id, s.read_ordinal, s.read_at, h.ordinal, h.visible, ` + unreadPublications + ` as unread
		from subscriptions s
		cross join lateral (select * from channel_heads where channel_id = s.channel_id limit 1) h
		where s.subscriber_id = $1 and ` + isShown + `
	), exceptions as (
		select n.id, n.published_at, r.archived_at, ` + unreadDifference + ` as difference` +
	fromExceptions + ` and r.subscriber_id = $1
	), counts as (
		select f.visible - e.archived as total, f.unread + e.difference as unread
		from (
			select coalesce(sum(visible), 0)::bigint as visible, coalesce(sum(unread), 0)::bigint as unread
			from followed
		) f, (
			select count(archived_at) as archived, coalesce(sum(difference), 0)::bigint as difference
			from exceptions
		) e
	)`

// latest selects the latest notifications of each followed channel after a cursor. A page reaches no further back than
// one of the largest channel alone, so no channel is read beyond that. Without this bound PostgreSQL examines all
// entries that share a block of the index with the first ones.
func latest(after string, page core.Page) string {
	condition := `
		n.visible` + after + ` and n.id not in (select id from exceptions where archived_at is not null)`
	order := " order by n.published_at desc, n.id desc"
	wanted := page.Offset + page.Limit
	return `
		select f.id, f.published_at, s.read_ordinal, s.read_at
		from followed s cross join lateral (
			select n.id, n.published_at from notifications n
			where n.channel_id = s.channel_id and n.published_at >= coalesce((
				select n.published_at from notifications n
				where n.channel_id = (select channel_id from followed order by visible desc limit 1) and ` + condition +
		order + limit(core.Page{Limit: 1, Offset: wanted - 1}) + `), '-infinity') and ` + condition +
		order + limit(core.Page{Limit: wanted}) + `) f`
}

// fewUnread is how many publications of a channel are read at most to find its unread ones. With more, the unread ones
// are found early among the latest.
const fewUnread = "1000"

// latestUnread selects the latest unread notifications of each followed channel after a cursor: of those published
// since the last one read, and of those marked unread again. With many in a channel, "offset 0" makes PostgreSQL read
// the latest first from the index. It would find all of them, and sort them.
func latestUnread(after string, page core.Page) string {
	first := ` and n.id not in (select id from exceptions where difference < 0)
		order by n.published_at desc, n.id desc` + limit(core.Page{Limit: page.Offset + page.Limit})
	return `
		select f.id, f.published_at
		from followed s cross join lateral (
			select n.id, n.published_at from (
				select * from notifications where channel_id = s.channel_id and ordinal > s.read_ordinal
				order by ordinal desc limit ` + fewUnread + `) n
			where n.visible` + after + first + `) f
		where s.unread > 0 and s.ordinal - s.read_ordinal <= ` + fewUnread + `
		union all
		select f.id, f.published_at
		from followed s cross join lateral (
			select n.id, n.published_at from (
				select n.id, n.published_at from notifications n
				where n.channel_id = s.channel_id and n.visible` + after + `
				order by n.published_at desc, n.id desc offset 0) n
			cross join lateral (select ordinal from notifications where id = n.id limit 1) o
			where o.ordinal > s.read_ordinal` + first + `) f
		where s.unread > 0 and s.ordinal - s.read_ordinal > ` + fewUnread + `
		union all
		select n.id, n.published_at from exceptions n where n.difference > 0` + after
}
