package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sininho/sininho/server/internal/core"
)

// Publication is a notification to be published, and what became of it.
type Publication struct {
	Notification core.Notification
	By           core.Actor
	Key          core.Idempotency
	Trace        string // of the request, see tracing.Parent

	Existing core.ID // the channel's notification with the same external id; zero: none
	Repeated bool    // the key was used before
	Written  bool    // false: it existed or was repeated, its publisher's quota is used up, or its channel has no head
	Position int64   // on the stream; 0: it is scheduled
	Heard    bool    // there is somebody to reach
}

// Publish stores publications in one round trip and one transaction, under the stream's lock. It leaves out those of
// publishers whose quota is used up, which is quota unless an operator has set another, and 0 is none; and those whose
// channel has no head: a new channel, or one that is deleted. If one of the others exists or is repeated, it stores
// nothing, and IsDuplicate is true of the error.
func (db *DB) Publish(ctx context.Context, all []*Publication, quota int64, now time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, StreamTimeout)
	defer cancel()
	conn, err := db.acquire(ctx)
	if err != nil {
		return noStream(err)
	}
	defer conn.Release()
	steps, err := publishing(all, quota, now)
	if err != nil {
		return err
	}
	locked := false
	lock := step{sql: takeStream, read: func(rows pgx.Rows) error {
		rows.Close()
		locked = rows.Err() == nil
		return rows.Err()
	}}
	err = run(ctx, conn.Conn(), db.hot, append([]step{lock}, steps...))
	if err != nil {
		for _, p := range all { // nothing is stored of what was written
			p.Written, p.Position, p.Heard = false, 0, false
		}
		if !locked {
			return noStream(err)
		}
	}
	return Error(err)
}

// Publish is DB.Publish in a transaction that has the stream's lock. It makes the heads that are missing.
func (tx Tx) Publish(ctx context.Context, all []*Publication, quota int64, now time.Time) error {
	err := tx.publish(ctx, all, quota, now)
	rest := Fresh(all)
	if err != nil || len(rest) == 0 {
		return err
	}
	if err := makeHeads(ctx, tx, rest); err != nil {
		return err
	}
	return tx.publish(ctx, rest, quota, now)
}

func (tx Tx) publish(ctx context.Context, all []*Publication, quota int64, now time.Time) error {
	steps, err := publishing(all, quota, now)
	if err != nil {
		return err
	}
	return tx.PGX(func(inner pgx.Tx) error { return run(ctx, inner.Conn(), tx.hot, steps) })
}

// IsDuplicate reports whether nothing was stored because a publication existed or was repeated.
func IsDuplicate(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (pg.ConstraintName == "idempotency_keys_pkey" || pg.ConstraintName == "notifications_external_id_key")
}

// IsFresh reports whether the publication is not written yet and, as far as is known, neither exists nor is repeated.
func (p *Publication) IsFresh() bool { return p.Existing == (core.ID{}) && !p.Repeated && !p.Written }

// Fresh returns the fresh ones of the publications.
func Fresh(all []*Publication) (rest []*Publication) {
	for _, p := range all {
		if p.IsFresh() {
			rest = append(rest, p)
		}
	}
	return rest
}

// MakeHeads gives the channels of publications a head, unless they have one or are deleted. It does not wait long for
// somebody who changes a channel, because other publishers wait too.
func (db *DB) MakeHeads(ctx context.Context, all []*Publication) error {
	return db.InTx(ctx, func(ctx context.Context, tx Tx) error {
		if err := limitLocks(ctx, tx, streamRowPatience); err != nil {
			return err
		}
		return makeHeads(ctx, tx, all)
	})
}

func makeHeads(ctx context.Context, tx Tx, all []*Publication) error {
	channels := make([]core.ID, len(all))
	for i, p := range all {
		channels[i] = p.Notification.Channel.ID
	}
	return tx.query(ctx, insertHeads, []any{UUIDs(channels)}, func(rows pgx.Rows) error {
		rows.Close()
		return rows.Err()
	})
}

// publishing returns the statements that store publications.
func publishing(all []*Publication, quota int64, now time.Time) ([]step, error) {
	if len(all) == 0 {
		return nil, nil
	}
	var c publicationColumns
	places := make(map[core.ID]*Publication, len(all))
	for _, p := range all {
		if err := c.add(p); err != nil {
			return nil, err
		}
		places[p.Notification.ID] = p
	}
	c.count(all)
	steps := []step{{sql: insertNotifications, args: append(c.args(), quota), read: func(rows pgx.Rows) error {
		var id core.ID
		var position *int64
		_, err := pgx.ForEachRow(rows, []any{&id, &position}, func() error {
			p := places[id]
			p.Written = true
			if position != nil {
				p.Position = *position
			}
			return nil
		})
		return err
	}}}
	if len(c.keys) > 0 {
		steps = append(steps, step{sql: insertKeys, args: []any{UUIDs(c.keys), c.hashes, UUIDs(c.keyed)}})
	}
	if len(c.loud) > 0 {
		args := []any{UUIDs(c.loud), UUIDs(c.ids), UUIDs(c.channels), c.traces, now}
		steps = append(steps, step{sql: insertDispatches, args: args, read: func(rows pgx.Rows) error {
			var id core.ID
			_, err := pgx.ForEachRow(rows, []any{&id}, func() error {
				places[id].Heard = true
				return nil
			})
			return err
		}})
	}
	return steps, nil
}

// insertNotifications returns those it has inserted: all whose channel has a head, and whose publisher had any room
// left before the group. "rows from" makes PostgreSQL plan for a large group: it expects 1,000 rows of generate_series,
// but ten of an array, which it would join row by row. One that is scheduled gets its position when it is published.
var insertNotifications = `
	with roomy as materialized (
		select v.*, c.publisher_id from unnest($18::uuid[], $19::bigint[], $20::timestamptz[], $21::bigint[])
			v (id, due, latest, bytes)
		cross join lateral (select publisher_id from channels where id = v.id limit 1) c
		where not ` + isFull("$22") + `
	), heads as (
		update channel_heads h
		set ordinal = h.ordinal + v.due, visible = h.visible + v.due, version = h.version + 1,
			published_at = greatest(h.published_at, v.latest)
		from roomy v where h.channel_id = v.id
		returning h.channel_id, h.ordinal
	), charged as (
		update publisher_storage s set used = s.used + v.bytes
		from (
			select v.publisher_id, sum(v.bytes) as bytes from roomy v join heads h on h.channel_id = v.id
			group by v.publisher_id order by v.publisher_id
		) v where s.publisher_id = v.publisher_id
	)
	insert into notifications (id, channel_id, title, body, image, icon, link, importance, data, external_id,
		visible, published_at, scheduled_at, expires_at, position, stream_position, ordinal, actor_kind, actor_id,
		token_id)
	select v.id, v.channel_id, v.title, v.body, v.image, v.icon, v.link, v.importance, v.data::jsonb, v.external_id,
		v.behind is not null, v.published_at, v.scheduled_at, v.expires_at, v.position, v.position,
		v.ordinal - v.behind, v.actor_kind, v.actor_id::uuid, v.token_id::uuid
	from (
		select v.*, h.ordinal, case when v.behind is not null then nextval('stream_positions') end as position
		from rows from (
			unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
				$9::text[], $10::text[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[], $14::text[],
				$15::text[], $16::text[], $17::bigint[]),
			generate_series(1, cardinality($1::uuid[]))
		) v (id, channel_id, title, body, image, icon, link, importance, data, external_id, published_at,
			scheduled_at, expires_at, actor_kind, actor_id, token_id, behind, place)
		join heads h on h.channel_id = v.channel_id order by v.place
	) v
	returning id, position`

// insertHeads gives channels a head before their first notification, and their publishers a count of their storage.
const insertHeads = `
	with known as (
		select id, publisher_id from channels where id = any ($1::uuid[]) and deleted_at is null for share
	), counted as (
		insert into publisher_storage (publisher_id) select distinct publisher_id from known on conflict do nothing
	)
	insert into channel_heads (channel_id, ordinal, visible, version, published_at)
	select id, 0, 0, 0, '-infinity' from known on conflict do nothing`

// insertKeys inserts the keys of notifications that were inserted.
const insertKeys = `
	insert into idempotency_keys (id, body_hash, notification_id, published_at)
	select v.id, v.body_hash, n.id, n.published_at
	from unnest($1::uuid[], $2::bytea[], $3::uuid[]) v (id, body_hash, notification_id)
	cross join lateral (select id, published_at from notifications where id = v.notification_id limit 1) n`

// Dispatch inserts dispatches of notifications, and returns which of these there is somebody to reach with.
func (tx Tx) Dispatch(ctx context.Context, ids, channels []core.ID, now time.Time) (heard map[core.ID]bool, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := Hot[struct{ NotificationID core.ID }](ctx, tx, insertDispatches, UUIDs(channels), UUIDs(ids),
		UUIDs(channels), []*string{}, now)
	heard = map[core.ID]bool{}
	for _, r := range rows {
		heard[r.NotificationID] = true
	}
	return heard, err
}

// isHeard is true of a channel c if there is somebody to reach: an event endpoint of the publisher, or a device of a
// follower. With 100 followers or more it assumes that one has a device.
const isHeard = `exists (
		select from event_endpoints where publisher_id = c.publisher_id and enabled
	) or exists (
		select from subscriptions where channel_id = c.id offset 99
	) or exists (
		select from (select subscriber_id from subscriptions where channel_id = c.id limit 100) s
		cross join lateral (
			select from devices where subscriber_id = s.subscriber_id and retired_at is null limit 1) d
	)`

// insertDispatches inserts a dispatch for each visible notification of the channels $1, unless there is nobody to
// reach. The time $5 may be ahead of the database's, which then says when other nodes are to check whether the dispatch
// is finished.
const insertDispatches = `
	with heard as materialized (
		select id, publisher_id from channels c
		where id = any ($1::uuid[]) and deleted_at is null and (` + isHeard + `)
	)
	insert into dispatches (notification_id, channel_id, publisher_id, importance, started_at, check_at, traceparent)
	select v.id, h.id, h.publisher_id, n.importance, $5::timestamptz, least($5::timestamptz, now()), v.trace
	from heard h
	join rows from (unnest($2::uuid[], $3::uuid[], $4::text[]), generate_series(1, cardinality($2::uuid[])))
		v (id, channel_id, trace, place) on v.channel_id = h.id
	cross join lateral (select importance, visible from notifications where id = v.id limit 1) n
	where n.visible
	on conflict do nothing
	returning notification_id`

// publicationColumns are publications as columns. Those with pointers and bytes end with the last value, and unnest
// fills them with nulls: most groups have none in most of them.
type publicationColumns struct {
	ids, channels                          []core.ID
	titles, bodies, importances            []string
	images, icons, links, datas, externals []*string
	published, scheduled, expires          []*time.Time
	actorKinds, actors, tokens             []*string
	behind                                 []*int64 // how many of the group come later in the channel
	heads                                  []core.ID
	loud                                   []core.ID // the channels of those that are not known to be silent
	due, bytes                             []int64
	latest                                 []*time.Time
	keys, keyed                            []core.ID
	hashes                                 [][]byte
	traces                                 []*string
}

func (c *publicationColumns) add(p *Publication) error {
	n, row := &p.Notification, len(c.ids)
	data, err := dataColumn(n.Data)
	if err != nil {
		return err
	}
	c.ids = append(c.ids, n.ID)
	c.channels = append(c.channels, n.Channel.ID)
	c.titles = append(c.titles, n.Title)
	c.bodies = append(c.bodies, n.Body)
	c.importances = append(c.importances, string(n.Importance))
	c.images = withText(c.images, row, &n.Image)
	c.icons = withText(c.icons, row, &n.Icon)
	c.links = withText(c.links, row, &n.Link)
	c.datas = with(c.datas, row, data, data != nil)
	c.externals = withText(c.externals, row, &n.ExternalID)
	c.published = with(c.published, row, n.PublishedAt, n.PublishedAt != nil)
	c.scheduled = with(c.scheduled, row, n.ScheduledAt, n.ScheduledAt != nil)
	c.expires = with(c.expires, row, n.ExpiresAt, n.ExpiresAt != nil)
	if p.Key.Wanted() {
		c.keys, c.keyed = append(c.keys, KeyID(p.Key)), append(c.keyed, n.ID)
		c.hashes = append(c.hashes, p.Key.BodyHash)
	}
	c.traces = withText(c.traces, row, &p.Trace)
	if p.By.Kind != core.ActorSystem {
		kind := string(p.By.Kind)
		c.actorKinds = withText(c.actorKinds, row, &kind)
		c.actors = withID(c.actors, row, p.By.ID)
		c.tokens = withID(c.tokens, row, p.By.TokenID)
	}
	return nil
}

// count counts what is published to each channel.
func (c *publicationColumns) count(all []*Publication) {
	places, numbers, loud := map[core.ID]int{}, make([]int64, len(all)), map[core.ID]bool{}
	for row, p := range all {
		n := &p.Notification
		place, known := places[n.Channel.ID]
		if !known {
			place = len(c.heads)
			places[n.Channel.ID] = place
			c.heads, c.due = append(c.heads, n.Channel.ID), append(c.due, 0)
			c.latest, c.bytes = append(c.latest, nil), append(c.bytes, 0)
		}
		if !n.Channel.Silent && !loud[n.Channel.ID] {
			loud[n.Channel.ID] = true
			c.loud = append(c.loud, n.Channel.ID)
		}
		c.bytes[place] += n.StoredBytes()
		if n.PublishedAt != nil {
			c.due[place]++
			numbers[row] = c.due[place]
			if l := c.latest[place]; l == nil || n.PublishedAt.After(*l) {
				c.latest[place] = n.PublishedAt
			}
		}
	}
	for row, p := range all {
		if p.Notification.PublishedAt != nil {
			c.behind = with(c.behind, row, new(c.due[places[p.Notification.Channel.ID]]-numbers[row]), true)
		}
	}
}

// FindExisting sets which of the publications exist, and which are repeated.
func FindExisting(ctx context.Context, db querier, all []*Publication) error {
	var keys, channels []core.ID
	var externals []string
	byKey, byExternal := map[core.ID]*Publication{}, []*Publication{}
	for _, p := range all {
		if p.Key.Wanted() {
			id := KeyID(p.Key)
			keys = append(keys, id)
			byKey[id] = p
		}
		if p.Notification.ExternalID != "" {
			channels = append(channels, p.Notification.Channel.ID)
			externals = append(externals, p.Notification.ExternalID)
			byExternal = append(byExternal, p)
		}
	}
	if len(keys)+len(externals) == 0 {
		return nil
	}
	rows, err := Hot[struct {
		Key   *core.ID
		Place *int
		ID    *core.ID
	}](ctx, db, `
		select k.id as key, null::bigint as place, null::uuid as id
		from unnest($1::uuid[]) v (id) cross join lateral (
			select id from idempotency_keys where id = v.id limit 1) k
		union all
		select null, v.place - 1, n.id
		from unnest($2::uuid[], $3::text[]) with ordinality v (channel_id, external_id, place) cross join lateral (
			select id from notifications where channel_id = v.channel_id and external_id = v.external_id limit 1) n`,
		UUIDs(keys), UUIDs(channels), texts(externals))
	for _, r := range rows {
		if r.Key != nil {
			byKey[*r.Key].Repeated = true
		} else {
			byExternal[*r.Place].Existing = *r.ID
		}
	}
	return err
}

// withText leaves "" out, which is stored as NULL.
func withText(column []*string, row int, text *string) []*string {
	return with(column, row, text, *text != "")
}

// withID leaves the zero ID out.
func withID(column []*string, row int, id core.ID) []*string {
	text := id.String()
	return with(column, row, &text, id != core.ID{})
}

func with[T any](column []T, row int, value T, present bool) []T {
	if !present {
		return column
	}
	return append(append(column, make([]T, row-len(column))...), value)
}

func (c *publicationColumns) args() []any {
	return []any{UUIDs(c.ids), UUIDs(c.channels), c.titles, c.bodies, c.images, c.icons, c.links, c.importances,
		c.datas, c.externals, c.published, c.scheduled, c.expires, c.actorKinds, c.actors, c.tokens, c.behind,
		UUIDs(c.heads), c.due, c.latest, c.bytes}
}
