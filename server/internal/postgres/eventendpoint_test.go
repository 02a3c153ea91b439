package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
)

// endpoint creates an event endpoint of the world's publisher.
func (w *world) endpoint(t *testing.T, name string, key core.Idempotency) (core.EventEndpoint, core.Creation, error) {
	t.Helper()
	publisher := must(w.PublisherBySlug(t.Context(), "vila"))
	e := core.EventEndpoint{
		ID: core.NewID(), PublisherID: publisher.ID, URL: "https://example.com/", Name: name, Events: core.AllEvents(),
		Enabled: true, ConfirmedURL: "https://example.com/", ConfirmedAt: &w.now, CreatedAt: w.now, UpdatedAt: w.now,
	}
	return w.CreateEventEndpoint(t.Context(), e, core.EventSecrets{Sealed: []byte("sealed")}, key)
}

func TestCreateEventEndpointOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := core.Idempotency{Caller: "subscriber:1", Key: "k", Route: "POST /x", BodyHash: []byte{1}}
	made := must3(w.endpoint(t, "a", key))
	again, creation, err := w.endpoint(t, "a", key)
	succeed(t, "repeat the creation", err)
	equal(t, "creation of the repetition", creation, core.Replayed)
	equal(t, "endpoint of the repetition", again.ID, made.ID)
}

func TestUpdateEventEndpoint(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	made := must3(w.endpoint(t, "a", core.Idempotency{}))
	w.now = w.now.Add(time.Hour)
	until := w.now.Add(24 * time.Hour)
	change := func(e *core.EventEndpoint, s *core.EventSecrets) error {
		equal(t, "secret before the change", string(s.Sealed), "sealed")
		equal(t, "previous secret before the change", s.PreviousSealed, nil)
		e.Name, e.Events = "b", []core.EventType{core.EventTest}
		e.Enabled, e.DisabledReason = false, "why"
		*s = core.EventSecrets{Sealed: []byte("new"), PreviousSealed: s.Sealed, PreviousUntil: &until}
		return nil
	}
	changed := must3(w.UpdateEventEndpoint(t.Context(), made.PublisherID, made.ID, w.now, core.Idempotency{}, change))
	equal(t, "version of the changed endpoint", changed.UpdatedAt.UTC(), w.now)
	got := must(w.EventEndpoint(t.Context(), made.PublisherID, made.ID))
	equal(t, "stored name", got.Name, "b")
	equal(t, "stored events", got.Events, []core.EventType{core.EventTest})
	equal(t, "stored enabled", got.Enabled, false)
	equal(t, "stored reason", got.DisabledReason, "why")
	equal(t, "stored version", got.UpdatedAt.UTC(), w.now)
	_, err := w.EventEndpoint(t.Context(), core.NewID(), made.ID)
	wantCode(t, "read another publisher's endpoint", err, core.CodeNotFound)

	succeed(t, "prune", w.Prune(t.Context(), until))
	kept := scan[int](t, w, "select count(*) from event_endpoints where previous_secret_sealed is not null")
	equal(t, "previous secrets after their expiry", kept, 0)
}

func TestDeleteEventEndpoint(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	made := must3(w.endpoint(t, "a", core.Idempotency{}))
	other := made.UpdatedAt.Add(time.Second)
	err := w.DeleteEventEndpoint(t.Context(), made.PublisherID, made.ID, &other)
	wantCode(t, "delete another version", err, core.CodeChanged)
	succeed(t, "delete the endpoint", w.DeleteEventEndpoint(t.Context(), made.PublisherID, made.ID, &made.UpdatedAt))
	late := core.NewEventDelivery(made.ID, core.NewID(), core.Event{Timestamp: w.now})
	wantCode(t, "add a delivery to a deleted endpoint", w.AddEventDelivery(t.Context(), late), core.CodeNotFound)
}

// addEvents adds that many deliveries to an endpoint, each a second after the one before.
func (w *world) addEvents(
	t *testing.T, endpointID core.ID, n int, typ core.EventType,
) (added []core.EventDelivery) {
	t.Helper()
	for range n {
		w.now = w.now.Add(time.Second)
		d := core.NewEventDelivery(endpointID, core.NewID(), core.Event{Type: typ, Timestamp: w.now})
		succeed(t, "add a delivery", w.AddEventDelivery(t.Context(), d))
		added = append(added, d)
	}
	return added
}

// attempt records an attempt of a delivery.
func (w *world) attempt(t *testing.T, d core.EventDelivery, a core.EventAttempt) {
	t.Helper()
	a.At = w.now
	succeed(t, "record the attempt", delivery.RecordAttempt(context.WithoutCancel(t.Context()), w.db, d.ID, a))
	open := must(delivery.RecordResult(t.Context(), w.db, d.EndpointID, []core.EventAttempt{a}))
	equal(t, "whether more may be posted after an attempt", open, a.Delivered())
}

// log lists the deliveries to an endpoint.
func (w *world) log(t *testing.T, endpointID core.ID, status core.EventDeliveryStatus) []core.EventDelivery {
	t.Helper()
	data, total, err := w.EventDeliveries(t.Context(), endpointID, status, core.Page{Limit: 10})
	succeed(t, "list the deliveries", err)
	equal(t, "total of the deliveries", total, int64(len(data)))
	return data
}

func TestEventLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := must3(w.endpoint(t, "a", core.Idempotency{}))
	added := w.addEvents(t, e.ID, 3, core.EventFinished)
	old, failed := added[0], added[1]
	delivered := added[2]
	w.attempt(t, failed, core.EventAttempt{Error: "it refuses connections", Duration: 12 * time.Millisecond})
	w.attempt(t, delivered, core.EventAttempt{Status: 200, Response: "ok"})

	id := func(d core.EventDelivery) core.ID { return d.ID }
	all := w.log(t, e.ID, "")
	equal(t, "all deliveries", ids(all, id), []core.ID{delivered.ID, failed.ID, old.ID})
	equal(t, "last status of the delivered one", all[0].LastStatus, 200)
	equal(t, "last error of the failed one", all[1].LastError, "it refuses connections")
	equal(t, "attempts of the old one", all[2].Attempts, 0)
	equal(t, "pending deliveries", ids(w.log(t, e.ID, core.EventPending), id), []core.ID{failed.ID, old.ID})

	got, attempts, err := w.EventDelivery(t.Context(), e.ID, failed.ID)
	succeed(t, "read the failed delivery", err)
	equal(t, "status of the failed delivery", got.Status, core.EventPending)
	equal(t, "attempts of the failed delivery", len(attempts), 1)
	equal(t, "status of the attempt", attempts[0].Status, 0)
	equal(t, "duration of the attempt", attempts[0].Duration, 12*time.Millisecond)
	_, _, err = w.EventDelivery(t.Context(), core.NewID(), failed.ID)
	wantCode(t, "read a delivery to another endpoint", err, core.CodeNotFound)

	succeed(t, "prune", w.Prune(t.Context(), old.CreatedAt.Add(core.EventDeliveriesKept+time.Millisecond)))
	equal(t, "deliveries after 30 days", ids(w.log(t, e.ID, ""), id), []core.ID{delivered.ID, failed.ID})
}

func TestDueEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := must3(w.endpoint(t, "a", core.Idempotency{}))
	w.due(t, "before there are events", e.ID)
	added := w.addEvents(t, e.ID, 3, core.EventFinished)
	w.due(t, "from an endpoint that works", e.ID, added...)
	w.attempt(t, added[0], core.EventAttempt{Error: "it refuses connections"})
	w.due(t, "during the pause", e.ID)
	w.now = w.now.Add(10 * time.Second) // both pauses, that of the endpoint and that of the event, are over
	w.due(t, "after the first failure", e.ID, added[1])
	w.attempt(t, added[1], core.EventAttempt{Status: 500})
	w.now = w.now.Add(time.Minute)
	w.due(t, "after the second failure", e.ID, added[2])

	again := must(w.UpdateEventDelivery(t.Context(), e.ID, added[1].ID,
		func(d *core.EventDelivery) { d.Resend(w.now) }))
	w.due(t, "after one was sent again", e.ID, again)
	w.attempt(t, again, core.EventAttempt{Status: 500})
	test := w.addEvents(t, e.ID, 1, core.EventTest)[0]
	w.due(t, "after a test, in spite of the pause", e.ID, test)
	w.attempt(t, test, core.EventAttempt{Status: 200})
	w.due(t, "after the endpoint has recovered", e.ID, added[0], added[2])

	publisher := must(w.PublisherBySlug(t.Context(), "vila")).ID
	suspension := core.Suspension{Reason: "r", At: w.now}
	_, _, err := w.Suspend(t.Context(), core.SuspendablePublisher, publisher, suspension)
	succeed(t, "suspend the publisher", err)
	w.due(t, "of a suspended publisher", e.ID)
	must(w.Unsuspend(t.Context(), core.SuspendablePublisher, publisher))
	w.due(t, "after the suspension", e.ID, added[0], added[2])
}

// due checks which deliveries are due at an endpoint.
func (w *world) due(t *testing.T, when string, endpointID core.ID, want ...core.EventDelivery) {
	t.Helper()
	id := func(d core.EventDelivery) core.ID { return d.ID }
	_, _, got, err := delivery.DueEvents(t.Context(), w.db, endpointID, 10, w.now)
	succeed(t, "find the due deliveries", err)
	equal(t, "due deliveries "+when, ids(got, id), ids(want, id))
	endpoints := must(delivery.DueEndpoints(t.Context(), w.db, 10, w.now))
	equal(t, "number of due endpoints "+when, len(endpoints), min(1, len(want)))
}
