package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

const (
	// writtenChannels is how many channels WriteChannelWords writes at most.
	writtenChannels = 20
	// latestNotifications is how many of a channel are read.
	latestNotifications = 50
	// rewrittenAfter limits how often the words of a busy channel are written.
	rewrittenAfter = time.Minute
)

// WriteChannelWords writes the words by which some channels are found that have published or changed something since,
// those first that wait longest. It does nothing while another node does it, and skips channels that are being changed.
func (s *Store) WriteChannelWords(ctx context.Context) (core.Indexed, error) {
	return s.index(ctx, "channels", "exists (select "+staleChannels+")", writeChannels)
}

func writeChannels(ctx context.Context, tx Tx, p progress) (done core.Indexed, err error) {
	channels, latest := p.atOnce(writtenChannels), latestNotifications
	if p.isStuck() {
		latest = 0
	}
	// Raw, because it must be one statement: the version and the notifications are of the same moment.
	var written []core.ID
	err = tx.NewRaw(writeChannelWords, rewrittenAfter.Seconds(), channels, latest).Scan(ctx, &written)
	if p.isStuck() {
		done.Skipped = written
	}
	done.More = len(written) == channels
	return done, err
}

// staleChannels are those that have published something since they were indexed.
const staleChannels = `
		from channel_heads h
		join channels c on c.id = h.channel_id and c.deleted_at is null and not c.demonstration
		left join channel_words w on w.channel_id = h.channel_id
		where w.version is distinct from h.version`

// writeChannelWords locks the channels, so that none of them is renamed meanwhile. Of a channel it reads the latest
// notifications that are visible, 2,000 characters of each, in which a ligature may be many, and the first 2,000 words
// of all of them. A channel that cannot be done is found by its names only.
const writeChannelWords = `
	with stale as materialized (
		select c.id, c.search, h.version
		` + staleChannels + ` and coalesce(w.written_at < clock_timestamp() - make_interval(secs => ?0), true)
		order by w.written_at nulls first limit ?1
		for share of c skip locked
	)
	insert into channel_words (channel_id, version, words, written_at)
	select s.id, s.version, strip(s.search) || first_words(searchable(coalesce(t.texts, '')), 2000), clock_timestamp()
	from stale s cross join lateral (
		select string_agg(left(normalize(left(n.title || ' ' || n.body, 2000), NFKD), 2000), ' ') as texts from (
			select title, body from notifications where channel_id = s.id and visible
			order by published_at desc, id desc limit ?2) n
	) t
	on conflict (channel_id) do update
	set version = excluded.version, words = excluded.words, written_at = excluded.written_at
	returning channel_id`
