package postgres_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// TestHealthTotals counts what there is, without what is deleted or retired.
func TestHealthTotals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	now := time.Now().UTC().Truncate(time.Second)
	totals := func() core.HealthTotals {
		t.Helper()
		return must(w.Health(t.Context(), core.NewHealthPeriod(1, now), "another node")).Totals
	}
	equal(t, "totals in the beginning", totals(), core.HealthTotals{People: 1, Channels: 1,
		FailedLastHour: core.Causes{}, FailedLastDay: core.Causes{}})

	w.devices(t, 4)
	w.exec(t, "update devices set rings_since = null")
	w.exec(t, "update devices set rings_since = now() where id in (select id from devices order by id limit 3)")
	w.exec(t, "update devices set retired_at = now() where id in (select id from devices order by id limit 1)")
	people := totals().People
	w.exec(t, `insert into subscribers (id, anonymous, name, locale, timezone)
		values (gen_random_uuid(), true, '', 'pt', 'Europe/Lisbon')`)
	w.exec(t, `insert into channels (id, publisher_id, category_id, slug, name, visibility)
		select gen_random_uuid(), publisher_id, category_id, v, v, v from channels, unnest(array['private', 'unlisted']) v`)
	w.exec(t, `insert into channels (id, slug, name, visibility, deleted_at)
		values (gen_random_uuid(), 'gone', 'Gone', 'private', now())`)
	pushed := now.Add(-2 * time.Hour)
	for _, s := range []core.NodeSample{
		{At: now.Add(-25 * time.Hour), NodeCounts: core.NodeCounts{Failed: core.Causes{"invalid": 99}}},
		{At: pushed, NodeCounts: core.NodeCounts{Accepted: 1, Failed: core.Causes{"invalid": 1, "retired": 2}}},
		{At: now.Add(-time.Minute), NodeCounts: core.NodeCounts{Failed: core.Causes{"invalid": 4}}},
	} {
		s.Node = "a"
		succeed(t, "add a sample", w.AddNodeSample(t.Context(), s))
	}
	w.exec(t, `insert into pacers (name, paused_until, pause_cause) values
		('push:https://push.example', now() + interval '1 hour', 'quota'),
		('push:https://over.example', now() - interval '1 hour', 'quota'),
		('tests by a person', now() + interval '1 hour', null)`)
	got := totals()
	if got.LastPushAt == nil || !got.LastPushAt.Equal(pushed) {
		t.Errorf("last push: got %v, want %v", got.LastPushAt, pushed)
	}
	got.LastPushAt = nil
	equal(t, "totals", got, core.HealthTotals{
		People: people + 1, WithoutAccount: 1, Channels: 3, PrivateChannels: 1, Devices: 2,
		FailedLastHour: core.Causes{"invalid": 4}, FailedLastDay: core.Causes{"invalid": 5, "retired": 2},
		Paused: []core.ServicePause{{Service: "https://push.example", Cause: "quota"}},
	})
}

// TestHealthTotalsOfMany has more people than are counted.
func TestHealthTotalsOfMany(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `insert into subscribers (id, anonymous, name, locale, timezone)
		select gen_random_uuid(), n <= 10, '', 'pt', 'Europe/Lisbon' from generate_series(1, 12000) n`)
	w.exec(t, "analyze subscribers")
	got := must(w.Health(t.Context(), core.NewHealthPeriod(1, time.Now()), "")).Totals
	equal(t, "people and those without an account", []int64{got.People, got.WithoutAccount}, []int64{12_001, 10})
}
