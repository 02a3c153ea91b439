package delivery

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// dispatched is the part of a statement that inserts a dispatch for each new visible notification of a channel that is
// not deleted. They are in "published" (id, channel_id, importance, traceparent), and $1 is the time. It may be ahead
// of the database's, which then says when other nodes are to check whether the dispatch is finished. "listening" (id,
// publisher_id, heard) says of each channel whether there is somebody to reach: a device of a follower, or an event
// endpoint of the publisher. The dispatches of the others are finished at once. With 100 followers or more it assumes
// that one has a device.
const dispatched = `
	listening as materialized (
		select c.id, c.publisher_id, exists (
			select from event_endpoints e where e.publisher_id = c.publisher_id and e.enabled
		) or exists (
			select from subscriptions where channel_id = c.id offset 99
		) or exists (
			select from (select subscriber_id from subscriptions where channel_id = c.id limit 100) s
			cross join lateral (
				select from devices where subscriber_id = s.subscriber_id and retired_at is null limit 1) d
		) as heard
		from (select distinct channel_id from published) p
		cross join lateral (select * from channels where id = p.channel_id and deleted_at is null limit 1) c
	), dispatched as (
		insert into dispatches (notification_id, channel_id, publisher_id, importance, started_at, check_at,
			expanded_at, finished_at, traceparent)
		select p.id, p.channel_id, l.publisher_id, p.importance, $1::timestamptz, least($1::timestamptz, now()),
			case when not l.heard then $1::timestamptz end, case when not l.heard then $1::timestamptz end,
			p.traceparent
		from published p join listening l on l.id = p.channel_id
	)`

// insertDispatches inserts the dispatches of changed notifications that are published now.
func insertDispatches(ctx context.Context, tx postgres.Tx, all []placed, now time.Time) error {
	var published []core.ID
	for _, p := range all {
		if p.First && p.Visible {
			published = append(published, p.ID)
		}
	}
	if len(published) == 0 {
		return nil
	}
	rows, err := postgres.Hot[struct {
		NotificationID core.ID
		Heard          bool
	}](ctx, tx, `
		with published as (
			select id, channel_id, importance, null as traceparent from notifications n where id = any ($2::uuid[])
				and not exists (select from dispatches where notification_id = n.id)
		), `+dispatched+`
		select p.id as notification_id, l.heard from published p join listening l on l.id = p.channel_id`,
		now, postgres.UUIDs(published))
	heard := map[core.ID]*bool{}
	for _, r := range rows {
		heard[r.NotificationID] = &r.Heard
	}
	for i, p := range all {
		all[i].Heard = heard[p.ID]
	}
	return err
}
