package postgres

import (
	"context"
	"errors"

	"github.com/sininho/sininho/server/internal/core"
)

const (
	writtenAtOnce = 5_000     // notifications that are looked at for one batch of words
	writtenBytes  = 256 << 10 // of the texts in it, each with 256 more for what it costs whatever its length
	// longText is the number of bytes above which a text does not hold up shorter ones.
	longText = 2_000
)

// WriteWords writes the words by which the next notifications on the stream are found: a batch of those with short
// texts, and then a batch of those with long ones. It does nothing while another node does it.
func (s *Store) WriteWords(ctx context.Context) (core.Indexed, error) {
	short, failed := s.writeWords(ctx, "short")
	long, err := s.writeWords(ctx, "long")
	return core.Indexed{More: short.More || long.More, Skipped: append(short.Skipped, long.Skipped...)},
		errors.Join(failed, err)
}

func (s *Store) writeWords(ctx context.Context, part string) (core.Indexed, error) {
	const isBehind = "p.position < (select max(stream_position) from notifications)"
	return s.index(ctx, part, isBehind, func(ctx context.Context, tx Tx, p progress) (done core.Indexed, err error) {
		var read, left int
		var skipped *core.ID
		rows, bytes := p.atOnce(writtenAtOnce), p.atOnce(writtenBytes)
		// Raw, because it is one statement: the words and the position are of the same moment.
		err = tx.NewRaw(writeWords, p.Position, rows, longText, part, bytes, p.isStuck()).
			Scan(ctx, &read, &left, &skipped)
		if skipped != nil {
			done.Skipped = []core.ID{*skipped}
		}
		done.More = read == rows || left > 0
		return done, err
	})
}

// writeWords reads the next rows of the stream, and writes the words of as many of a part as have so many bytes, but at
// least of one. When it is stuck it reads one row, and leaves it out.
const writeWords = `
	with seen as materialized (
		select id, channel_id, title, body, visible, stream_position,
			octet_length(title) + octet_length(body) + 256 as size
		from notifications where stream_position > ?0 order by stream_position limit ?1
	), ours as materialized (
		select *, sum(size) over (order by stream_position) - size < ?4 as fits
		from seen where (size > ?2) = (?3 = 'long')
	), next as materialized (
		select * from ours where fits and not ?5
	), put as (
		insert into notification_words (notification_id, words)
		select id, notification_words(channel_id, title, body) from next where visible
		on conflict (notification_id) do update set words = excluded.words
	), hidden as (
		delete from notification_words where notification_id in (select id from ours where not visible and fits or ?5)
	), rest as (
		select min(stream_position) as first, count(*) as number from ours where not fits
	), moved as (
		update search_progress set position = coalesce(
			(select first - 1 from rest), (select max(stream_position) from seen), position)
		where part = ?3
	)
	select (select count(*) from seen), (select number from rest), (select id from ours where ?5)`
