package postgres_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	now := time.Date(2026, 3, 1, 12, 4, 30, 0, time.UTC)
	sample := func(ago time.Duration, node string, streams int, counts core.NodeCounts) {
		t.Helper()
		err := w.AddNodeSample(t.Context(),
			core.NodeSample{NodeCounts: counts, Node: node, At: now.Add(-ago), Streams: streams})
		if err != nil {
			t.Fatalf("add a sample: %v", err)
		}
	}
	sample(25*time.Hour, "a", 99, core.NodeCounts{Published: 99})
	sample(10*time.Minute, "a", 5, core.NodeCounts{Published: 1, Requests: 10, Errors: 1})
	sample(3*time.Minute, "a", 4, core.NodeCounts{Accepted: 2, Failed: core.Causes{"invalid": 1}, Requests: 1})
	sample(3*time.Minute, "b", 3, core.NodeCounts{Accepted: 3, Failed: core.Causes{"invalid": 1, "retired": 2}})
	sample(3*time.Minute-time.Second, "b", 1, core.NodeCounts{Retried: core.Causes{"quota": 5}}) // restarted
	sample(time.Minute, "b", 2, core.NodeCounts{Expired: core.Causes{"withdrawn": 1}, Requests: 7})

	day := must(w.Health(t.Context(), core.NewHealthPeriod(24, now), ""))
	equal(t, "parts of a day", day.Parts, []core.HealthPart{
		{At: now.Add(-14*time.Minute - 30*time.Second), Streams: 5,
			NodeCounts: core.NodeCounts{Published: 1, Requests: 10, Errors: 1}},
		{At: now.Add(-4*time.Minute - 30*time.Second), Streams: 7, NodeCounts: core.NodeCounts{Accepted: 5,
			Failed: core.Causes{"invalid": 2, "retired": 2}, Retried: core.Causes{"quota": 5},
			Expired: core.Causes{"withdrawn": 1}, Requests: 8}},
	})
	equal(t, "nodes", day.Nodes, []core.NodeHealth{
		{Node: "a", SeenAt: now.Add(-3 * time.Minute), Streams: 4, Requests: 11, Errors: 1},
		{Node: "b", SeenAt: now.Add(-time.Minute), Streams: 2, Requests: 7},
	})

	hour := must(w.Health(t.Context(), core.NewHealthPeriod(1, now), "b"))
	equal(t, "length of a part of an hour", hour.Part, time.Minute)
	equal(t, "parts of an hour of b", hour.Parts, []core.HealthPart{
		{At: now.Add(-3*time.Minute - 30*time.Second), Streams: 3, NodeCounts: core.NodeCounts{Accepted: 3,
			Failed: core.Causes{"invalid": 1, "retired": 2}, Retried: core.Causes{"quota": 5}}},
		{At: now.Add(-time.Minute - 30*time.Second), Streams: 2,
			NodeCounts: core.NodeCounts{Expired: core.Causes{"withdrawn": 1}, Requests: 7}},
	})
}

func TestQueueSamples(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	now := time.Date(2026, 3, 1, 12, 4, 30, 0, time.UTC)
	w.exec(t, `insert into turns (queue, owner, service, class, kind, devices, parked, created_at) values
		('fcm', gen_random_uuid(), 'fcm', 1, 'send', 1, false, now() - interval '90 seconds'),
		('webpush', gen_random_uuid(), '~', 1, 'send', 1, true, now()),
		('find', gen_random_uuid(), '~', 1, 'revise', 1, false, now() - interval '1 hour')`)
	for _, at := range []time.Time{now, now.Add(10 * time.Second)} {
		if err := w.SampleQueue(t.Context(), at); err != nil {
			t.Fatalf("sample the queue: %v", err)
		}
		w.exec(t, "delete from turns where parked") // before the second sample, which is not taken
	}
	h := must(w.Health(t.Context(), core.NewHealthPeriod(24, now), "a node without samples"))
	equal(t, "parts", len(h.Parts), 1)
	equal(t, "jobs in the sample", h.Parts[0].Jobs, int64(2))
	if oldest := h.Parts[0].Oldest; oldest < 90*time.Second || oldest > 5*time.Minute {
		t.Errorf("age of the oldest job in the sample: got %v, want a little more than 90 s", oldest)
	}
	equal(t, "jobs now", h.Queue.Jobs, int64(1))

	if err := w.Prune(t.Context(), now.Add(core.HealthKept+time.Minute)); err != nil {
		t.Fatalf("prune: %v", err)
	}
	equal(t, "samples after two days", w.count(t, "select count(*) from queue_samples"), 0)
}
