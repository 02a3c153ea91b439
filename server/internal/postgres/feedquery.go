package postgres

import (
	"context"
	"fmt"

	"github.com/sininho/sininho/server/internal/core"
)

// feedQuery reads a page of a feed and its counts in one statement, of which only the rows of the page are read whole.
type feedQuery struct {
	counted string // begins every statement
	args    []any  // of counted
	total   string // what the filter selects
	page    string // the places of the page, in any order
	after   []any  // arguments of page
	state   string // when the reader has read and archived what is on the page
	isEmpty bool   // a page without rows has nothing to count
}

// isPlain reports whether a filter selects all of a feed, or all that is unread. The cost of these grows with the
// number of channels and not with that of notifications: those of each channel are read from an index and merged. With
// any other filter all that match are found, so that they can be counted.
func isPlain(f core.FeedFilter) bool {
	return !f.ImportantOnly && !f.ArchivedOnly && !f.SnoozedOnly && f.ChannelID == nil && f.Search.Empty()
}

func newFeedQuery(subscriberID core.ID, f core.FeedFilter) *feedQuery {
	q := &feedQuery{counted: countedFeed, args: []any{subscriberID}, total: "k.total", state: readState}
	if !isPlain(f) {
		q.selectMatching(f)
	}
	after, args := afterCursor(f.After, len(q.args)+1)
	q.after = args
	switch {
	case !isPlain(f):
		q.total, q.page = "(select count(*) from matching)", "select * from matching n where true"+after
	case f.UnreadOnly:
		q.total, q.page, q.state = "k.unread", latestUnread(after, f.Page), noReader
	default:
		q.page = latest(after, f.Page)
	}
	q.isEmpty = isPlain(f) && f.After == nil && f.Offset == 0
	return q
}

// feedRow is a notification on a page of a feed, with the counts of the feed.
type feedRow struct {
	Total, Unread int64
	notificationRow
	boundedRow
}

// read runs, for the first page of all of a feed:
//
//	with followed as (…), exceptions as (…), counts as (…), page as (
//		select * from (…latest of each followed channel…) n order by n.published_at desc, n.id desc limit 10
//	) select * from (
//		select k.total as total, k.unread, …the notification…, …as found, …as bytes_then
//		from counts k cross join page s join notifications n on n.id = s.id …
//	) n where n.bytes_then < 65536 order by n.published_at desc, n.id desc
func (q *feedQuery) read(ctx context.Context, db querier, page core.Page, bytes int) (p core.FeedPage, err error) {
	rows, err := Hot[feedRow](ctx, db, q.counted+`, page as (
			select * from (`+q.page+`) n order by `+newestFirst+limit(page)+`
		)`+withinBytes(` `+q.total+` as total, k.unread,`+notificationColumns+`, `+q.state, `
			from counts k cross join page s
			join notifications n on n.id = s.id
			left join receipts r on r.subscriber_id = $1 and r.notification_id = n.id
			join channels c on c.id = n.channel_id
			join publishers p on p.id = c.publisher_id`, bytes), append(q.args, q.after...)...)
	for _, row := range rows {
		p.Total, p.Unread, p.Cut = row.Total, row.Unread, row.Found > int64(len(rows))
		p.Data = append(p.Data, row.notification())
	}
	if err != nil || len(rows) > 0 || q.isEmpty {
		return p, err
	}
	counts, err := Hot[struct{ Total, Unread int64 }](ctx, db,
		q.counted+` select `+q.total+` as total, k.unread from counts k`, q.args...)
	if err == nil {
		p.Total, p.Unread = counts[0].Total, counts[0].Unread
	}
	return p, err
}

// countedFeed begins a statement about the feed of subscriber $1: with the channels that they follow, the receipts that
// differ from what their subscriptions say, and the counts. In the feed are the visible notifications of the followed
// channels, less the archived ones.
const countedFeed = `
	with followed as (
		select s.channel_id, s.read_ordinal, s.read_at, h.ordinal, h.visible, h.version,
			case when h.visible > 0 then h.published_at end as newest, ` + unreadPublications + ` as unread
		from subscriptions s
		cross join lateral (select * from channel_heads where channel_id = s.channel_id limit 1) h
		where s.subscriber_id = $1 and ` + isShown + `
	), exceptions as (
		select n.id, n.published_at, r.archived_at, r.snoozed_until, ` + unreadDifference + ` as difference` +
	fromExceptions + ` and r.subscriber_id = $1
	), counts as (
		select f.visible - e.archived as total, f.unread + e.more - e.less as unread, e.archived, e.more, e.less
		from (
			select coalesce(sum(visible), 0)::bigint as visible, coalesce(sum(unread), 0)::bigint as unread
			from followed
		) f, (
			select count(archived_at) as archived, count(*) filter (where difference > 0) as more,
				count(*) filter (where difference < 0) as less
			from exceptions
		) e
	)`

// isArchived is true of a notification n of the feed that is archived or postponed.
const isArchived = "n.id in (select id from exceptions where archived_at is not null)"

// latest selects the latest notifications of each followed channel after a cursor. A page reaches no further back than
// one of the largest channel alone, so no channel is read beyond that. Without this bound PostgreSQL examines all
// entries that share a block of the index with the first ones.
func latest(after string, page core.Page) string {
	condition := `
		n.visible` + after + ` and not ` + isArchived
	order := " order by " + newestFirst
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
const fewUnread = "100"

// latestUnread selects the latest unread notifications of each followed channel after a cursor: of those published
// since the last one read, and of those marked unread again. Their times need not have the order of their numbers. With
// many in a channel, "offset 0" makes PostgreSQL read the latest first from the index, instead of finding and sorting
// all of them, and none is read beyond what a page of the channel with the most alone reaches, as in latest.
func latestUnread(after string, page core.Page) string {
	wanted := page.Offset + page.Limit
	last := " and n.id not in (select id from exceptions where difference < 0) order by " + newestFirst
	many := func(bound string) string {
		return `
			select n.id, n.published_at from (
				select n.id, n.published_at from notifications n
				where n.channel_id = s.channel_id and n.visible` + after + ` and n.published_at >= ` + bound + `
				order by ` + newestFirst + ` offset 0) n
			cross join lateral (select ordinal from notifications where id = n.id limit 1) o
			where o.ordinal > s.read_ordinal` + last
	}
	const hasMany = "s.unread > 0 and s.ordinal - s.read_ordinal > " + fewUnread
	return `
		select f.id, f.published_at
		from followed s cross join lateral (
			select n.id, n.published_at from (
				select id, published_at, visible from notifications
				where channel_id = s.channel_id and ordinal > s.read_ordinal
				order by ordinal desc limit ` + fewUnread + `) n
			where n.visible` + after + last + limit(core.Page{Limit: wanted}) + `) f
		where s.unread > 0 and s.ordinal - s.read_ordinal <= ` + fewUnread + `
		union all
		select f.id, f.published_at
		from followed s cross join lateral (` + many(`coalesce((
			select n.published_at
			from (select * from followed s where `+hasMany+` order by unread desc limit 1) s
			cross join lateral (`+many("'-infinity'")+limit(core.Page{Limit: 1, Offset: wanted - 1})+`) n
			), '-infinity')`) + limit(core.Page{Limit: wanted}) + `) f
		where ` + hasMany + `
		union all
		select n.id, n.published_at from exceptions n where n.difference > 0` + after
}

// selectMatching adds to counted all that a filter matches: archived and postponed ones by the reader's receipts,
// searched ones by their words, and the others by the index of important ones or of a channel. "offset 0" keeps
// PostgreSQL from reading a table whole where it underestimates what an index finds.
func (q *feedQuery) selectMatching(f core.FeedFilter) {
	const (
		found = "notification_words where words @@ (select words from search)"
		rows  = `
		cross join lateral (select * from notifications where id = w.id offset 0) n
		join followed s on s.channel_id = n.channel_id`
	)
	searched, putAway, important := len(f.Search.Words) > 0, f.ArchivedOnly || f.SnoozedOnly, ""
	if f.ImportantOnly {
		important = " and importance = 'important'"
	}
	if searched {
		// The index finds the words in followed channels only, because every notification has a word for its channel.
		q.counted += `, search as materialized (
			select to_tsquery('pg_catalog.simple', ` + q.arg(prefixes(f.Search)) + `) && coalesce((
				select string_agg('''#' || channel_id || '''', '|')::tsquery from followed), '') as words
		)`
	}
	from := `followed s cross join lateral (
			select * from notifications where channel_id = s.channel_id and visible` + important + ` offset 0) n`
	if searched {
		from = "(select notification_id as id from " + found + " offset 0) w" + rows
	}
	if putAway {
		condition := "archived_at is not null"
		if f.ArchivedOnly {
			condition += " and snoozed_until is null"
		}
		if f.SnoozedOnly {
			condition += " and snoozed_until is not null"
		}
		from = "(select id from exceptions where " + condition + " offset 0) w" + rows
	}
	if putAway && searched {
		from += " cross join lateral (select from " + found + " and notification_id = n.id offset 0) v"
	}
	q.counted += `, matching as (
		select n.id, n.published_at, s.read_ordinal, s.read_at from ` + from + `
		where n.visible` + important + q.conditions(f) + `)`
}

// conditions are those of a filter that no index finds.
func (q *feedQuery) conditions(f core.FeedFilter) (conditions string) {
	if f.Search.Nothing {
		conditions += " and false"
	}
	if !f.ArchivedOnly && !f.SnoozedOnly {
		conditions += " and not " + isArchived
	}
	if f.ChannelID != nil {
		conditions += " and n.channel_id = " + q.arg(*f.ChannelID) + "::uuid"
	}
	if f.UnreadOnly {
		conditions += ` and not coalesce((
			select ` + IsRead + ` from (select) v
			left join receipts r on r.subscriber_id = $1 and r.notification_id = n.id), false)`
	}
	return conditions
}

// arg adds an argument and returns its placeholder.
func (q *feedQuery) arg(value any) string {
	q.args = append(q.args, value)
	return fmt.Sprint("$", len(q.args))
}
