package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// backlogQuery counts along indexes, and at most $1 of each; $2 is longText. The order in which jobs are counted is
// that of their index; otherwise PostgreSQL would scan the table.
const backlogQuery = `
	with dispatch as (
		select count(*) as number, extract(epoch from now() - min(started_at))::float8 as seconds
		from (select started_at from dispatches where finished_at is null order by check_at limit $1) v
	), endpoint as (
		select count(*) filter (where enabled) as failing,
			count(*) filter (where enabled and paused_until > now()) as paused,
			count(*) filter (where not enabled) as disabled
		from (select enabled, paused_until from event_endpoints where failing_since is not null limit $1) v
	), pace as (
		select extract(epoch from paused_until - now())::float8 as paused,
			extract(epoch from next_at - now())::float8 as booked
		from pacers where name = 'fcm'
	), search as (
		select p.part, v.number, v.seconds from search_progress p
		cross join lateral (
			select count(*) as number, extract(epoch from now() - min(changed_at))::float8 as seconds from (
				select octet_length(title) + octet_length(body) as size, greatest(published_at, edited_at, withdrawn_at,
						case when not visible then expires_at end) as changed_at
				from notifications where stream_position > p.position order by stream_position limit $1) n
			where (size > $2) = (p.part = 'long')) v
		where p.part <> 'channels'
	), queue as (
		select q.name as queue, s.state::text as state, c.number, o.seconds
		from river_queue q
		cross join unnest(array['available', 'running', 'retryable', 'scheduled']::river_job_state[]) s (state)
		cross join lateral (
			select count(*) as number from (
				select from river_job j where j.state = s.state and j.queue = q.name
				order by j.priority, j.scheduled_at, j.id limit $1) v) c
		cross join lateral (
			select extract(epoch from now() - min(v.scheduled_at))::float8 as seconds from (
				select (select j.scheduled_at from river_job j
					where j.state = 'available' and j.queue = q.name and j.priority = p.priority
					order by j.scheduled_at limit 1) as scheduled_at
				from generate_series(1, 4) p (priority)) v
			where s.state = 'available') o
	), parked as (
		select queue from turns where parked order by due_at limit $1
	), turn as (
		select q.queue, 'available' as state, c.number, c.seconds
		from unnest(array['fcm', 'webpush', 'find']) q (queue) cross join lateral (
			select count(*) as number, extract(epoch from now() - min(due_at))::float8 as seconds from (
				select due_at from turns t where t.queue = q.queue and not t.parked
				order by t.owner, t.service, t.class, t.id limit $1) v) c
		union all
		select q.queue, 'scheduled', count(p.queue), null
		from unnest(array['fcm', 'webpush', 'find']) q (queue) left join parked p using (queue) group by q.queue
	)
	select 'dispatches' as what, '' as queue, '' as state, number, seconds from dispatch
	union all select 'held', '', '', count(*), null from (select from held_pushes limit $1) v
	union all select 'events', '', '', count(*), null from (
		select from event_deliveries where status = 'pending' limit $1) v
	union all select 'failing', '', '', failing, null from endpoint
	union all select 'paused', '', '', paused, null from endpoint
	union all select 'disabled', '', '', disabled, null from endpoint
	union all select 'push', '', '', 0, paused from pace
	union all select 'pace', '', '', 0, booked from pace
	union all select 'search', part, '', number, seconds from search
	union all select 'emails', '', '', coalesce(sum(sent), 0), null from email_hours
		where hour > now() - interval '24 hours'
	union all select 'jobs', queue, state, number, seconds from queue
	union all select 'jobs', queue, state, number, seconds from turn`

// Backlog returns what waits to be done.
func (s *Store) Backlog(ctx context.Context) (b core.Backlog, err error) {
	rows, err := Hot[backlogRow](ctx, s.db, backlogQuery, core.BacklogCounted, longText)
	for _, r := range rows {
		r.addTo(&b)
	}
	return b, Error(err)
}

type backlogRow struct {
	What, Queue, State string
	Number             int64
	Seconds            *float64
}

func (r backlogRow) addTo(b *core.Backlog) {
	switch r.What {
	case "dispatches":
		b.Dispatches, b.OldestDispatch = r.Number, r.duration()
	case "held":
		b.Held = r.Number
	case "events":
		b.Events = r.Number
	case "failing":
		b.FailingEndpoints = r.Number
	case "paused":
		b.PausedEndpoints = r.Number
	case "disabled":
		b.DisabledEndpoints = r.Number
	case "emails":
		b.EmailsSent = r.Number
	case "push":
		b.PushPaused = r.duration()
	case "pace":
		b.PaceBooked = r.duration()
	case "search":
		b.Search = append(b.Search, core.SearchBacklog{Part: r.Queue, Count: r.Number, Oldest: r.duration()})
	case "jobs":
		b.Jobs = append(b.Jobs, core.JobBacklog{Queue: r.Queue, State: r.State, Count: r.Number, Oldest: r.duration()})
	}
}

// duration is zero for null and for what is over.
func (r backlogRow) duration() time.Duration {
	if r.Seconds == nil {
		return 0
	}
	return max(0, time.Duration(*r.Seconds*float64(time.Second)))
}
