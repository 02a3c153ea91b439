package postgres

import (
	"context"
	"time"
)

const (
	// writtenChannels is how many channels WriteChannelWords writes at most.
	writtenChannels = 20
	// rewrittenAfter limits how often the words of a busy channel are written.
	rewrittenAfter = time.Minute
)

// WriteChannelWords writes the words by which some channels are found that have published or changed something since,
// those first that wait longest. It reports whether more may follow, and skips channels that are being changed.
func (s *Store) WriteChannelWords(ctx context.Context) (more bool, err error) {
	// Raw, because it must be one statement: the version and the notifications are of the same moment.
	result, err := s.db.NewRaw(writeChannelWords, rewrittenAfter.Seconds(), writtenChannels).Exec(ctx)
	if err != nil {
		return false, Error(err)
	}
	written, err := result.RowsAffected()
	return written == writtenChannels, err
}

// writeChannelWords locks the channels, so that none of them is renamed meanwhile. Of a channel it reads the 50 latest
// notifications that are visible, and 2,000 characters of each, in which a ligature may be many: more words than that
// allows do not fit into a tsvector.
const writeChannelWords = `
	with stale as materialized (
		select c.id, c.search, h.version
		from channel_heads h
		join channels c on c.id = h.channel_id and c.deleted_at is null and not c.demonstration
		left join channel_words w on w.channel_id = h.channel_id
		where w.version is distinct from h.version
			and coalesce(w.written_at < clock_timestamp() - make_interval(secs => ?), true)
		order by w.written_at nulls first limit ?
		for share of c skip locked
	)
	insert into channel_words (channel_id, version, words, written_at)
	select s.id, s.version, strip(s.search || searchable(coalesce(t.texts, ''))), clock_timestamp()
	from stale s cross join lateral (
		select string_agg(left(normalize(left(n.title || ' ' || n.body, 2000), NFKD), 2000), ' ') as texts from (
			select title, body from notifications where channel_id = s.id and visible
			order by published_at desc, id desc limit 50) n
	) t
	on conflict (channel_id) do update
	set version = excluded.version, words = excluded.words, written_at = excluded.written_at`
