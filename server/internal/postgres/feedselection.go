package postgres

import (
	"context"
	"fmt"

	"github.com/sininho/sininho/server/internal/core"
)

// feedSelection is a statement about the part of a feed that a filter selects. Unlike feedPage it finds all that match,
// so that it can count them: archived ones by the reader's receipts, searched ones by their words, and the others by
// the index of important ones or of a channel.
type feedSelection struct {
	query string
	args  []any
}

// isPlain reports whether a filter selects all of a feed, or all that is unread: feedPage reads these.
func isPlain(f core.FeedFilter) bool {
	return !f.ImportantOnly && !f.ArchivedOnly && f.ChannelID == nil && f.Search.Empty()
}

func selectFeed(subscriberID core.ID, f core.FeedFilter) *feedSelection {
	s := &feedSelection{query: countedFeed, args: []any{subscriberID}}
	if len(f.Search.Words) > 0 {
		// The index finds the words in followed channels only, because every notification has a word for its channel.
		s.query += `, search as materialized (
			select to_tsquery('pg_catalog.simple', ` + s.arg(prefixes(f.Search)) + `) && coalesce((
				select string_agg('''#' || channel_id || '''', '|')::tsquery from followed), '') as words
		)`
	}
	s.query += `, matching as (
		select n.id, n.published_at, s.read_ordinal, s.read_at`
	s.from(f)
	s.where(f)
	s.query += ")"
	return s
}

// arg adds an argument and returns its placeholder.
func (s *feedSelection) arg(value any) string {
	s.args = append(s.args, value)
	return fmt.Sprint("$", len(s.args))
}

// from selects from notifications n and their subscriptions s. "offset 0" keeps PostgreSQL from reading a table whole
// where it underestimates what an index finds.
func (s *feedSelection) from(f core.FeedFilter) {
	const ofChannel = " join followed s on s.channel_id = n.channel_id"
	searched := len(f.Search.Words) > 0
	switch {
	case f.ArchivedOnly:
		s.query += `
		from (select id from exceptions where archived_at is not null offset 0) e
		cross join lateral (select * from notifications where id = e.id offset 0) n` + ofChannel
		if searched {
			s.query += `
		cross join lateral (
			select from notification_words
			where notification_id = n.id and words @@ (select words from search) offset 0) w`
		}
	case searched:
		s.query += `
		from (
			select notification_id as id from notification_words where words @@ (select words from search) offset 0) w
		cross join lateral (select * from notifications where id = w.id offset 0) n` + ofChannel
	default:
		only := ""
		if f.ImportantOnly {
			only = " and importance = 'important'"
		}
		s.query += `
		from followed s
		cross join lateral (
			select * from notifications where channel_id = s.channel_id and visible` + only + ` offset 0) n`
	}
}

func (s *feedSelection) where(f core.FeedFilter) {
	s.query += `
		where n.visible`
	if f.Search.Nothing {
		s.query += " and false"
	}
	if !f.ArchivedOnly {
		s.query += " and n.id not in (select id from exceptions where archived_at is not null)"
	}
	if f.ImportantOnly {
		s.query += " and n.importance = 'important'"
	}
	if f.ChannelID != nil {
		s.query += " and n.channel_id = " + s.arg(*f.ChannelID) + "::uuid"
	}
	if f.UnreadOnly {
		s.query += ` and not coalesce((
			select ` + IsRead + ` from (select) v
			left join receipts r on r.subscriber_id = $1 and r.notification_id = n.id), false)`
	}
}

// page reads a page.
func (s *feedSelection) page(
	ctx context.Context, tx Tx, f core.FeedFilter, bytes int,
) (p core.FeedPage, err error) {
	after, more := afterCursor(f.After, len(s.args)+1)
	rows, err := Hot[feedRow](ctx, tx, s.query+`, page as (
			select * from matching n where true`+after+` order by published_at desc, id desc`+limit(f.Page)+`
		), counts_of_selection as (
			select (select count(*) from matching) as total, unread from counts
		)`+feedRows("counts_of_selection", readState, bytes),
		append(s.args, more...)...)
	if err != nil {
		return p, err
	}
	if len(rows) == 0 {
		p.Total, p.Unread, err = s.counts(ctx, tx)
		return p, err
	}
	return pageOfFeed(rows), nil
}

// counts reads the counts of an empty page.
func (s *feedSelection) counts(ctx context.Context, tx Tx) (total, unread int64, err error) {
	rows, err := Hot[struct{ Total, Unread int64 }](ctx, tx,
		s.query+` select (select count(*) from matching) as total, unread from counts`, s.args...)
	if err != nil {
		return 0, 0, err
	}
	return rows[0].Total, rows[0].Unread, nil
}

// selectedPage reads a page of the part of a feed that a filter selects, and its counts.
func selectedPage(
	ctx context.Context, db *DB, subscriberID core.ID, f core.FeedFilter, bytes int,
) (p core.FeedPage, err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx Tx) error {
		if err := limitStatements(ctx, tx, searchTimeout); err != nil {
			return err
		}
		p, err = selectFeed(subscriberID, f).page(ctx, tx, f, bytes)
		return err
	})
	if isCanceledStatement(err) {
		err = core.ErrSearchTimeout(err)
	}
	return p, err
}
