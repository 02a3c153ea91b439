package delivery

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// insertGroup stores publishes with their keys, positions, counts and dispatches, and sets which of them existed, were
// skipped, or do not fit into the publisher's quota: quota unless an operator has set another, 0 is none. One that is
// scheduled gets its position and dispatch when it is published.
func insertGroup(
	ctx context.Context, tx postgres.Tx, group []*publish, quota int64, now time.Time,
) ([]placed, error) {
	var c groupColumns
	for _, p := range group {
		if err := c.add(p); err != nil {
			return nil, err
		}
	}
	rows, err := postgres.Hot[struct {
		Place    int64
		Existing *core.ID
		Position *int64
		Heard    *bool
		Full     bool
	}](ctx, tx, insertPublishes, append(append([]any{now}, c.args()...), quota)...)
	if err != nil {
		return nil, err
	}
	var all []placed
	for _, p := range group {
		p.existing, p.full, p.skipped = nil, false, true
	}
	for _, r := range rows {
		p := group[r.Place-1]
		p.existing, p.full, p.skipped = r.Existing, r.Full, false
		if r.Position != nil {
			all = append(all, placed{ID: p.n.ID, ChannelID: p.n.Channel.ID, Position: *r.Position, First: true,
				Visible: true, Heard: r.Heard})
		}
	}
	return all, nil
}

// insertPublishes returns a row for each publish whose key was not used before, unless its channel has been purged. It
// locks each channel once, which a foreign key would do for each notification. The key of a publish whose external id
// exists already is left to the caller. "rows from" makes PostgreSQL plan for a large group: it expects 1,000 rows of
// generate_series, but ten of an array, which it would join row by row. What follows v leaves the texts out until they
// are inserted, because PostgreSQL copies each row from one step to the next. A group is stored whole if there is any
// room left before it, so that a quota is exceeded by no more than groupBytes.
const insertPublishes = `
	with present as materialized (
		select c.id, c.publisher_id, (
			select used + coalesce((select sum(bytes) from storage_changes where publisher_id = c.publisher_id), 0)
				>= nullif(coalesce(quota, $24::bigint), 0)
			from publisher_storage where publisher_id = c.publisher_id) as is_full
		from channels c where c.id = any ($3::uuid[]) for key share of c
	), v as materialized (
		select v.*, c.publisher_id, e.existing, e.existing is null as is_new, v.published_at is not null as is_due,
			e.existing is null and coalesce(c.is_full, false) as is_full,
			notification_bytes(v.title, v.body, v.image, v.icon, v.link, v.external_id, v.data::jsonb)
				+ case when v.key is null then 0 else response_bytes(v.response) end as bytes
		from rows from (
			unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
				$10::text[], $11::text[], $12::timestamptz[], $13::timestamptz[], $14::timestamptz[], $15::text[],
				$16::text[], $17::text[], $18::bytea[], $19::text[], $20::text[], $21::text[], $22::text[],
				$23::text[]),
			generate_series(1, cardinality($2::uuid[]))
		) v (id, channel_id, title, body, image, icon, link, importance, data, external_id, published_at, scheduled_at,
			expires_at, caller, route, key, body_hash, response, traceparent, actor_kind, actor_id, token_id, place)
		join present c on c.id = v.channel_id
		cross join lateral (
			select case when v.external_id is not null then (select id from notifications
				where channel_id = v.channel_id and external_id = v.external_id) end as existing offset 0) e
	), keys as (
		insert into idempotency_keys (caller, route, key, body_hash, response, publisher_id)
		select caller, route, key, body_hash, response, publisher_id from v
		where key is not null and is_new and not is_full
		order by caller, route, key
		on conflict (caller, route, key) do nothing returning caller, route, key
	), fresh as (
		select v.place, v.id, v.channel_id, v.publisher_id, v.importance, v.published_at, v.traceparent, v.existing,
			v.is_new, v.is_due, v.is_full, v.bytes
		from v left join keys k on k.caller = v.caller and k.route = v.route and k.key = v.key
		where v.key is null or not v.is_new or v.is_full or k.key is not null
	), stored as (
		select * from fresh where is_new and not is_full
	), charged as (
		insert into publisher_storage as s (publisher_id, used)
		select publisher_id, sum(bytes) from stored where publisher_id is not null
		group by publisher_id order by publisher_id
		on conflict (publisher_id) do update set used = s.used + excluded.used
	), heads as (
		insert into channel_heads as h (channel_id, ordinal, visible, version, published_at)
		select channel_id, count(*), count(*), 1, max(published_at) from stored where is_due
		group by channel_id order by channel_id
		on conflict (channel_id) do update
		set ordinal = h.ordinal + excluded.ordinal, visible = h.visible + excluded.visible,
			version = h.version + 1, published_at = greatest(h.published_at, excluded.published_at)
		returning channel_id, ordinal
	), numbered as (
		select s.*, h.ordinal + 1 - row_number() over (partition by s.channel_id order by s.place desc) as ordinal
		from stored s join heads h using (channel_id) where s.is_due order by s.place
	), published as materialized (
		select n.*, nextval('stream_positions') as position from numbered n
	), inserted as (
		insert into notifications (id, channel_id, title, body, image, icon, link, importance, data, external_id,
			visible, published_at, scheduled_at, expires_at, position, stream_position, ordinal, actor_kind, actor_id,
			token_id)
		select v.id, v.channel_id, v.title, v.body, v.image, v.icon, v.link, v.importance, v.data::jsonb, v.external_id,
			v.is_due, v.published_at, v.scheduled_at, v.expires_at, p.position, p.position, p.ordinal, v.actor_kind,
			v.actor_id::uuid, v.token_id::uuid
		from v join stored s using (place) left join published p using (place)
	), ` + dispatched + `
	select p.place, p.existing, p.position, l.heard, false as full
	from published p left join listening l on l.id = p.channel_id
	union all
	select place, existing, null, null, is_full from fresh where not (is_new and is_due) or is_full
	order by place`

// groupColumns are publishes as columns. Those with pointers and bytes end with the last value, and unnest fills them
// with nulls: most groups have none in most of them.
type groupColumns struct {
	ids, channels                          []core.ID
	titles, bodies, importances            []string
	images, icons, links, datas, externals []*string
	published, scheduled, expires          []*time.Time
	callers, routes, keys, responses       []*string
	hashes                                 [][]byte
	traces                                 []*string
	actorKinds, actors, tokens             []*string
}

func (c *groupColumns) add(p *publish) error {
	n, row := &p.n, len(c.ids)
	data, err := postgres.DataColumn(n.Data)
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
	if p.key.Wanted() {
		response := string(p.response)
		c.callers = withText(c.callers, row, &p.key.Caller)
		c.routes = withText(c.routes, row, &p.key.Route)
		c.keys = withText(c.keys, row, &p.key.Key)
		c.hashes = with(c.hashes, row, p.key.BodyHash, true)
		c.responses = withText(c.responses, row, &response)
	}
	c.traces = withText(c.traces, row, &p.trace)
	if p.by.Kind != core.ActorSystem {
		kind := string(p.by.Kind)
		c.actorKinds = withText(c.actorKinds, row, &kind)
		c.actors = withID(c.actors, row, p.by.ID)
		c.tokens = withID(c.tokens, row, p.by.TokenID)
	}
	return nil
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

func (c *groupColumns) args() []any {
	return []any{postgres.UUIDs(c.ids), postgres.UUIDs(c.channels), c.titles, c.bodies, c.images, c.icons, c.links,
		c.importances, c.datas, c.externals, c.published, c.scheduled, c.expires, c.callers, c.routes, c.keys, c.hashes,
		c.responses, c.traces, c.actorKinds, c.actors, c.tokens}
}
