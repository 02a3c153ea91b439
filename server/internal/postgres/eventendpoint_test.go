package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
)

func (w *world) endpoint(t *testing.T, name string, key core.Idempotency) (core.EventEndpoint, core.Creation, error) {
	t.Helper()
	publisher := must(w.PublisherBySlug(t.Context(), "vila"))
	e := core.EventEndpoint{ID: core.NewID(), PublisherID: publisher.ID, URL: "https://example.com/", Name: name, Events: core.AllEvents(), Enabled: true, CreatedAt: w.now, UpdatedAt: w.now}
	return w.CreateEventEndpoint(t.Context(), e, core.EventSecrets{Sealed: []byte("sealed")}, key)
}

func TestEventEndpoints(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := core.Idempotency{Caller: "subscriber:1", Key: "k", Route: "POST /x", BodyHash: []byte{1}}
	made, _, err := w.endpoint(t, "a", key)
	if err != nil {
		t.Fatal(err)
	}
	again, creation, err := w.endpoint(t, "a", key)
	if err != nil || creation != core.Replayed || again.ID != made.ID {
		t.Errorf("repeated: %+v %v %v", again, creation, err)
	}
	w.now = w.now.Add(time.Hour)
	until := w.now.Add(24 * time.Hour)
	changed, _, err := w.UpdateEventEndpoint(t.Context(), made.PublisherID, made.ID, w.now, core.Idempotency{}, func(e *core.EventEndpoint, s *core.EventSecrets) error {
		if string(s.Sealed) != "sealed" || s.PreviousSealed != nil {
			t.Errorf("%+v", s)
		}
		e.Name, e.Events, e.Enabled, e.DisabledReason = "b", []core.EventType{core.EventTest}, false, "why"
		*s = core.EventSecrets{Sealed: []byte("new"), PreviousSealed: s.Sealed, PreviousUntil: &until}
		return nil
	})
	if err != nil || !changed.UpdatedAt.Equal(w.now) {
		t.Errorf("%+v %v", changed, err)
	}
	got := must(w.EventEndpoint(t.Context(), made.PublisherID, made.ID))
	if got.Name != "b" || len(got.Events) != 1 || got.Enabled || got.DisabledReason != "why" || !got.UpdatedAt.Equal(changed.UpdatedAt) {
		t.Errorf("%+v", got)
	}
	if _, err := w.EventEndpoint(t.Context(), core.NewID(), made.ID); !core.IsCode(err, core.CodeNotFound) {
		t.Error("another publisher's:", err)
	}
	if err := w.Prune(t.Context(), until); err != nil {
		t.Fatal(err)
	}
	if n := scan[int](t, w, "select count(*) from event_endpoints where previous_secret_sealed is not null"); n != 0 {
		t.Error("an old secret is kept")
	}
	if err := w.DeleteEventEndpoint(t.Context(), made.PublisherID, made.ID, &made.UpdatedAt); !core.IsCode(err, core.CodeChanged) {
		t.Error(err)
	}
	if err := w.DeleteEventEndpoint(t.Context(), made.PublisherID, made.ID, nil); err != nil {
		t.Error(err)
	}
	if err := w.AddEventDelivery(t.Context(), core.NewEventDelivery(made.ID, core.NewID(), core.Event{Timestamp: w.now})); !core.IsCode(err, core.CodeNotFound) {
		t.Error("to one that was deleted:", err)
	}
}

func TestTooManyEventEndpoints(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var all sync.WaitGroup
	for i := range 2 * core.MaxEventEndpoints {
		all.Go(func() { _, _, _ = w.endpoint(t, fmt.Sprint(i), core.Idempotency{}) })
	}
	all.Wait()
	if n := scan[int](t, w, "select count(*) from event_endpoints"); n != core.MaxEventEndpoints {
		t.Errorf("%d were made", n)
	}
	if _, _, err := w.endpoint(t, "x", core.Idempotency{}); !core.IsCode(err, core.CodeInvalid) {
		t.Error(err)
	}
}

func TestEventLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e, _, err := w.endpoint(t, "a", core.Idempotency{})
	if err != nil {
		t.Fatal(err)
	}
	add := func() core.EventDelivery {
		w.now = w.now.Add(time.Second)
		d := core.NewEventDelivery(e.ID, core.NewID(), core.Event{Type: core.EventTest, Timestamp: w.now})
		if err := w.AddEventDelivery(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		return d
	}
	old, failed, delivered := add(), add(), add()
	take := func(d core.EventDelivery, a core.EventAttempt) bool {
		a.At = w.now
		return must(delivery.RecordAttempt(context.WithoutCancel(t.Context()), w.db, e.ID, d.ID, a))
	}
	if !take(failed, core.EventAttempt{Error: "it refuses connections", Duration: 12 * time.Millisecond}) || !take(delivered, core.EventAttempt{Status: 200, Answer: "ok"}) {
		t.Error("switched off")
	}
	list := func(status core.EventDeliveryStatus) []core.EventDelivery {
		data, total, err := w.EventDeliveries(t.Context(), e.ID, status, core.Page{Limit: 10})
		if err != nil || int(total) != len(data) {
			t.Error(total, err)
		}
		return data
	}
	if all := list(""); len(all) != 3 || all[0].ID != delivered.ID || all[0].LastStatus != 200 || all[1].LastError != "it refuses connections" || all[2].Attempts != 0 {
		t.Errorf("%+v", all)
	}
	if pending := list(core.EventPending); len(pending) != 2 || pending[0].ID != failed.ID {
		t.Errorf("%+v", pending)
	}
	_, _, due, err := delivery.DueEvents(t.Context(), w.db, e.ID, 10, w.now)
	if err != nil || len(due) != 1 || due[0].ID != old.ID {
		t.Errorf("due: %+v %v", due, err)
	}
	if ids := must(delivery.DueEndpoints(t.Context(), w.db, 10, w.now)); len(ids) != 1 {
		t.Errorf("%v", ids)
	}
	if ids := must(delivery.DueEndpoints(t.Context(), w.db, 10, w.now.Add(-time.Hour))); len(ids) != 0 {
		t.Errorf("too soon: %v", ids)
	}
	got, attempts, err := w.EventDelivery(t.Context(), e.ID, failed.ID)
	if err != nil || got.Status != core.EventPending || len(attempts) != 1 || attempts[0].Status != 0 || attempts[0].Duration != 12*time.Millisecond {
		t.Errorf("%+v %+v %v", got, attempts, err)
	}
	if _, _, err := w.EventDelivery(t.Context(), core.NewID(), failed.ID); !core.IsCode(err, core.CodeNotFound) {
		t.Error("another endpoint's:", err)
	}
	if err := w.Prune(t.Context(), old.CreatedAt.Add(core.EventDeliveriesKept+time.Millisecond)); err != nil || len(list("")) != 2 {
		t.Error("the log is kept for 30 days:", err, len(list("")))
	}
}
