package postgres_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sininho/sininho/server/internal/core"
)

// fillBacklog adds much that is done, and little that waits.
func fillBacklog(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	for _, sql := range []string{
		`insert into river_queue (name, created_at, updated_at) values ('send', now(), now()) on conflict do nothing`,
		`insert into river_job (kind, args, state, finalized_at, max_attempts, queue)
			select 'send', '{}', 'completed', now(), 1, 'send' from generate_series(1, 30000)`,
		`insert into river_job (kind, args, state, max_attempts, queue, scheduled_at)
			select 'send', '{}', 'available', 1, 'send', now() - interval '1 minute' from generate_series(1, 5)`,
		`insert into event_endpoints (id, publisher_id, url, name, events, secret_sealed, created_at, updated_at,
				failing_since, paused_until, enabled)
			select gen_random_uuid(), (select id from publishers limit 1), 'https://example.com', 'x', '{}', '', now(),
				now(), case when n <= 3 then now() end, case when n <= 2 then now() + interval '1 hour' end, n <> 3
			from generate_series(1, 10000) n`,
		`insert into event_deliveries (id, endpoint_id, subject, type, payload, status, created_at)
			select gen_random_uuid(), (select id from event_endpoints limit 1), gen_random_uuid(), 'test', '',
				case when n <= 3 then 'pending' else 'delivered' end, now()
			from generate_series(1, 30000) n`,
		`insert into turns (queue, owner, service, class, kind, devices, parked, due_at)
			select 'webpush', gen_random_uuid(), '~', 1, 'send', 1, n > 3, now() - interval '1 minute'
			from generate_series(1, 30000) n`,
		`analyze turns, river_job, river_queue, event_deliveries, event_endpoints, held_pushes`,
	} {
		must(pool.Exec(t.Context(), sql))
	}
}

func TestBacklog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	fillBacklog(t, w.db.Pool())
	n := w.publish(t, "t")
	for _, sql := range []string{
		"update dispatches set finished_at = null, started_at = now() - interval '1 hour'",
		"insert into held_pushes (notification_id, device_id, first, place, until) values ($1, $1, 0, 0, now())",
		`update pacers set paused_until = now() + interval '1 minute', next_at = now() + interval '10 seconds'
			where name = 'fcm' and $1::uuid is not null`,
	} {
		args := []any{n.ID}
		if !strings.Contains(sql, "$1") {
			args = nil
		}
		must(w.db.Pool().Exec(t.Context(), sql, args...))
	}
	got := must(w.Backlog(t.Context()))
	between(t, "age of the oldest dispatch", got.OldestDispatch, time.Hour, 2*time.Hour)
	between(t, "pause", got.PushPaused, time.Second, time.Minute)
	between(t, "booked pace", got.PaceBooked, time.Second/10, 10*time.Second)
	for i, j := range got.Jobs {
		if j.State == core.JobsAvailable && j.Count > 0 {
			between(t, "age of the oldest job", j.Oldest, time.Minute, time.Hour)
		}
		got.Jobs[i].Oldest = 0
	}
	for i, part := range got.Search {
		if part.Part == "short" {
			between(t, "age of what search is behind", part.Oldest, 0, time.Since(*n.PublishedAt)+time.Hour)
		}
		got.Search[i].Oldest = 0
	}
	got.OldestDispatch, got.PushPaused, got.PaceBooked = 0, 0, 0
	slices.SortFunc(got.Search, func(a, b core.SearchBacklog) int { return cmp.Compare(a.Part, b.Part) })
	slices.SortFunc(got.Jobs, func(a, b core.JobBacklog) int {
		return cmp.Or(cmp.Compare(a.Queue, b.Queue), cmp.Compare(a.State, b.State))
	})
	equal(t, "backlog", got, core.Backlog{Dispatches: 1, Held: 1, Events: 3, FailingEndpoints: 2, PausedEndpoints: 2,
		DisabledEndpoints: 1, Search: []core.SearchBacklog{{Part: "long"}, {Part: "short", Count: 1}}, Jobs: []core.JobBacklog{
			{Queue: "fcm", State: "available"}, {Queue: "fcm", State: "scheduled"},
			{Queue: "find", State: "available"}, {Queue: "find", State: "scheduled"},
			{Queue: "send", State: "available", Count: 5}, {Queue: "send", State: "retryable"},
			{Queue: "send", State: "running"}, {Queue: "send", State: "scheduled"},
			{Queue: "webpush", State: "available", Count: 3},
			{Queue: "webpush", State: "scheduled", Count: core.BacklogCounted},
		}})
}

func between(t *testing.T, what string, got, least, most time.Duration) {
	t.Helper()
	if got < least || got > most {
		t.Errorf("%s: got %s, want %s to %s", what, got, least, most)
	}
}
