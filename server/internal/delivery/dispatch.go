package delivery

import (
	"context"
	"slices"
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// insertDispatches inserts a dispatch for each new notification of a channel that is not deleted, and returns of each
// whether there is somebody to reach: a device of a follower, or an event endpoint of the publisher. The dispatches of
// the others are finished at once. Only the first followers are looked at; with more it assumes that one has a device.
func insertDispatches(
	ctx context.Context, tx postgres.Tx, notifications []core.ID, now time.Time,
) (heard map[core.ID]bool, err error) {
	heard = map[core.ID]bool{}
	if len(notifications) == 0 {
		return heard, nil
	}
	rows, err := postgres.Hot[struct {
		NotificationID core.ID
		Heard          bool
	}](ctx, tx, `
		with listening as materialized (
			select c.id, c.publisher_id, exists (
				select from event_endpoints e where e.publisher_id = c.publisher_id and e.enabled
			) or coalesce((
				select count(*) >= 100 or bool_or(exists (
					select from devices d where d.subscriber_id = s.subscriber_id and d.retired_at is null))
				from (select subscriber_id from subscriptions where channel_id = c.id limit 100) s
			), false) as heard
			from channels c
			where c.deleted_at is null
				and c.id in (select channel_id from notifications where id = any ($1::uuid[]))
		), inserted as (
			insert into dispatches (notification_id, channel_id, publisher_id, importance, started_at, check_at,
				expanded_at, finished_at)
			select n.id, n.channel_id, l.publisher_id, n.importance, $2::timestamptz, $2::timestamptz,
				case when not l.heard then $2::timestamptz end, case when not l.heard then $2::timestamptz end
			from notifications n join listening l on l.id = n.channel_id
			where n.id = any ($1::uuid[])
			on conflict do nothing returning notification_id, finished_at
		)
		select notification_id, finished_at is null as heard from inserted`, postgres.Texts(notifications), now)
	for _, r := range rows {
		heard[r.NotificationID] = r.Heard
	}
	return heard, err
}

// expandJobs returns the jobs that find the devices of the notifications that are heard.
func expandJobs(published []core.ID, heard map[core.ID]bool) (jobs []river.InsertManyParams) {
	listening := slices.DeleteFunc(published, func(id core.ID) bool { return !heard[id] })
	for some := range slices.Chunk(listening, expandTogether) {
		jobs = append(jobs, river.InsertManyParams{Args: expandArgs{Notifications: pack(some)}})
	}
	return jobs
}
