package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
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
// channel has no row in channel_heads: not yet, or not any more because it is deleted. If one of the others exists or
// is repeated, it stores nothing, and IsDuplicate is true of the error.
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
	rows, err := publicationRows(all)
	if err != nil {
		return nil, err
	}
	byID := make(map[core.ID]*Publication, len(all))
	for _, p := range all {
		byID[p.Notification.ID] = p
	}
	store := step{sql: insertNotifications, args: append(rows, quota), read: func(rows pgx.Rows) error {
		var id core.ID
		var position *int64
		_, err := pgx.ForEachRow(rows, []any{&id, &position}, func() error {
			p := byID[id]
			p.Written = true
			if position != nil {
				p.Position = *position
			}
			return nil
		})
		return err
	}}
	ids, channels, loud, traces := perhapsHeard(all)
	if len(ids) == 0 {
		return []step{store}, nil
	}
	args := []any{UUIDs(loud), UUIDs(ids), UUIDs(channels), traces, now}
	return []step{store, {sql: insertDispatches, args: args, read: func(rows pgx.Rows) error {
		var id core.ID
		_, err := pgx.ForEachRow(rows, []any{&id}, func() error {
			byID[id].Heard = true
			return nil
		})
		return err
	}}}, nil
}

// insertNotifications stores $1, which are publicationRows, with their keys, and returns those it has stored: all whose
// channel has a head, and whose publisher had any room left before the group. $2 to $5 are the channels, of which
// PostgreSQL expects few and so looks them up in indexes, and $6 is the quota. One that is scheduled gets its position
// when it is published. One document is read in less time than an array for each of so many columns.
var insertNotifications = `
	with roomy as materialized (
		select v.*, c.publisher_id from unnest($2::uuid[], $3::bigint[], $4::timestamptz[], $5::bigint[])
			v (id, due, latest, bytes)
		cross join lateral (select publisher_id from channels where id = v.id limit 1) c
		where not ` + isFull("$6") + `
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
	), positioned as materialized (
		select v.*, h.ordinal, case when v.behind is not null then nextval('stream_positions') end as position
		from json_to_recordset($1::json) v (id uuid, channel_id uuid, title text, body text, image text, icon text,
			link text, importance text, data jsonb, external_id text, published_at timestamptz,
			scheduled_at timestamptz, expires_at timestamptz, actor_kind text, actor_id uuid, token_id uuid,
			key uuid, body_hash text, behind bigint, place bigint)
		join heads h on h.channel_id = v.channel_id order by v.place
	), stored as (
		insert into notifications (id, channel_id, title, body, image, icon, link, importance, data, external_id,
			visible, published_at, scheduled_at, expires_at, position, stream_position, ordinal, actor_kind, actor_id,
			token_id)
		select id, channel_id, title, body, image, icon, link, importance, data, external_id, behind is not null,
			published_at, scheduled_at, expires_at, position, position, ordinal - behind, actor_kind, actor_id,
			token_id
		from positioned
	), keyed as (
		insert into idempotency_keys (id, body_hash, notification_id, published_at)
		select key, decode(body_hash, 'base64'), id, published_at from positioned where key is not null
	)
	select id, position from positioned`

// insertHeads gives channels a head before their first notification, and their publishers a count of their storage.
const insertHeads = `
	with known as (
		select id, publisher_id from channels where id = any ($1::uuid[]) and deleted_at is null for share
	), counted as (
		insert into publisher_storage (publisher_id) select distinct publisher_id from known on conflict do nothing
	)
	insert into channel_heads (channel_id, ordinal, visible, version, published_at)
	select id, 0, 0, 0, '-infinity' from known on conflict do nothing`

// Dispatch inserts dispatches of notifications, and returns which of these there is somebody to reach with.
func (tx Tx) Dispatch(ctx context.Context, ids, channels []core.ID, now time.Time) (heard map[core.ID]bool, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := Hot[struct{ NotificationID core.ID }](ctx, tx, insertDispatches, UUIDs(channels), UUIDs(ids),
		UUIDs(channels), []string{}, now)
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
	select v.id, h.id, h.publisher_id, n.importance, $5::timestamptz, least($5::timestamptz, now()),
		nullif(v.trace, '')
	from heard h
	join rows from (unnest($2::uuid[], $3::uuid[], $4::text[]), generate_series(1, cardinality($2::uuid[])))
		v (id, channel_id, trace, place) on v.channel_id = h.id
	cross join lateral (select importance, visible from notifications where id = v.id limit 1) n
	where n.visible
	on conflict do nothing
	returning notification_id`

// publicationRow is a publication as insertNotifications reads it.
type publicationRow struct {
	ID          core.ID           `json:"id"`
	ChannelID   core.ID           `json:"channel_id"`
	Title       string            `json:"title"`
	Body        string            `json:"body"`
	Image       string            `json:"image,omitempty"`
	Icon        string            `json:"icon,omitempty"`
	Link        string            `json:"link,omitempty"`
	Importance  core.Importance   `json:"importance"`
	Data        map[string]string `json:"data,omitempty"`
	ExternalID  string            `json:"external_id,omitempty"`
	PublishedAt *time.Time        `json:"published_at,omitempty"`
	ScheduledAt *time.Time        `json:"scheduled_at,omitempty"`
	ExpiresAt   *time.Time        `json:"expires_at,omitempty"`
	ActorKind   core.ActorKind    `json:"actor_kind,omitempty"`
	ActorID     core.ID           `json:"actor_id,omitzero"`
	TokenID     core.ID           `json:"token_id,omitzero"`
	Key         core.ID           `json:"key,omitzero"`
	BodyHash    []byte            `json:"body_hash,omitempty"`
	// Behind is how many of the group come later in the channel; nil: it is scheduled.
	Behind *int64 `json:"behind,omitempty"`
	Place  int    `json:"place"`
}

func newPublicationRow(p *Publication, place int) publicationRow {
	n := &p.Notification
	row := publicationRow{ID: n.ID, ChannelID: n.Channel.ID, Title: n.Title, Body: n.Body, Image: n.Image, Icon: n.Icon,
		Link: n.Link, Importance: n.Importance, Data: n.Data, ExternalID: n.ExternalID, PublishedAt: n.PublishedAt,
		ScheduledAt: n.ScheduledAt, ExpiresAt: n.ExpiresAt, Place: place}
	if p.Key.Wanted() {
		row.Key, row.BodyHash = KeyID(p.Key), p.Key.BodyHash
	}
	if p.By.Kind != core.ActorSystem {
		row.ActorKind, row.ActorID, row.TokenID = p.By.Kind, p.By.ID, p.By.TokenID
	}
	return row
}

// publicationRows returns publications as a document, and their channels as columns.
func publicationRows(all []*Publication) ([]any, error) {
	rows, places := make([]publicationRow, len(all)), map[core.ID]int{}
	var channels []core.ID
	var due, bytes []int64
	var latest []*time.Time
	for i, p := range all {
		n := &p.Notification
		at, known := places[n.Channel.ID]
		if !known {
			at = len(channels)
			places[n.Channel.ID] = at
			channels, due = append(channels, n.Channel.ID), append(due, 0)
			bytes, latest = append(bytes, 0), append(latest, nil)
		}
		bytes[at] += n.StoredBytes()
		if rows[i] = newPublicationRow(p, i); n.PublishedAt == nil {
			continue
		}
		due[at]++
		rows[i].Behind = new(-due[at])
		if latest[at] == nil || n.PublishedAt.After(*latest[at]) {
			latest[at] = n.PublishedAt
		}
	}
	for i := range rows {
		if behind := rows[i].Behind; behind != nil {
			*behind += due[places[rows[i].ChannelID]]
		}
	}
	document, err := json.Marshal(rows)
	return []any{string(document), UUIDs(channels), due, latest, bytes}, err
}

// perhapsHeard returns the publications to channels that are not known to be silent, these channels once, and the
// traces.
func perhapsHeard(all []*Publication) (ids, channels, loud []core.ID, traces []string) {
	for _, p := range all {
		c := p.Notification.Channel
		if c.Silent {
			continue
		}
		if !slices.Contains(channels, c.ID) {
			loud = append(loud, c.ID)
		}
		ids, channels, traces = append(ids, p.Notification.ID), append(channels, c.ID), append(traces, p.Trace)
	}
	return ids, channels, loud, traces
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
