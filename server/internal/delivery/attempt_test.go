package delivery_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/events"
)

// receiver is a publisher's event endpoint. It responds with the statuses one by one, and then with 200.
type receiver struct {
	*httptest.Server
	w        *world
	endpoint core.EventEndpoint
	secret   string

	mu          sync.Mutex
	statuses    []int
	got         []received
	rejectFirst bool          // the first event, at every attempt
	block       chan struct{} // responses wait for it to be closed
}

type received struct {
	id    string
	at    time.Time
	event core.Event
}

var sealer = must(core.NewSealer(core.NewSecretKey()))

// listen makes an endpoint of the publisher that wants those events.
func (w *world) listen(statuses []int, wanted ...core.EventType) *receiver {
	w.t.Helper()
	w.events = events.New(events.Config{
		Sealer: sealer, Rules: core.EventRules{AllowLoopback: true}, Timeout: 10 * time.Second, Now: w.clock,
	})
	r := &receiver{w: w, secret: webhook.NewSecret(), statuses: statuses}
	r.Server = httptest.NewServer(r)
	w.t.Cleanup(r.Close)
	r.endpoint = r.newEndpoint(r.URL, wanted)
	return r
}

// newEndpoint makes an endpoint with the receiver's secret.
func (r *receiver) newEndpoint(address string, wanted []core.EventType) core.EventEndpoint {
	r.w.t.Helper()
	publisher := must(r.w.PublisherBySlug(r.w.t.Context(), "vila"))
	e := core.EventEndpoint{
		ID: core.NewID(), PublisherID: publisher.ID, URL: address, Name: "n", Events: wanted, Enabled: true,
		ConfirmedURL: address, ConfirmedAt: new(now()), CreatedAt: now(), UpdatedAt: now(),
	}
	made, _, err := r.w.CreateEventEndpoint(r.w.t.Context(), e,
		core.EventSecrets{Sealed: sealer.Seal([]byte(r.secret))}, core.Idempotency{})
	if err != nil {
		r.w.t.Fatalf("create an event endpoint: %v", err)
	}
	return made
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	if r.block != nil {
		<-r.block
	}
	m, err := webhook.Verify(req.Header, body, []string{r.secret}, webhook.WithClock(r.w.clock))
	var event core.Event
	if err != nil || json.Unmarshal(body, &event) != nil {
		r.w.t.Errorf("received %s: %v", body, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got = append(r.got, received{m.ID, m.Timestamp, event})
	if r.rejectFirst && m.ID == r.got[0].id {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if len(r.statuses) > 0 {
		w.WriteHeader(r.statuses[0])
		r.statuses = r.statuses[1:]
	}
}

// received waits until n events have been received, and returns all.
func (r *receiver) received(n int) []received {
	r.w.t.Helper()
	eventually.True(r.w.t, "events", func() bool { r.mu.Lock(); defer r.mu.Unlock(); return len(r.got) >= n })
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

// send stores a test event for the endpoint, and has it sent.
func (r *receiver) send() core.ID {
	r.w.t.Helper()
	id := r.w.addTest(r.endpoint)
	r.w.d.NudgeEvents()
	return id
}

// addTest stores a test event for an endpoint.
func (w *world) addTest(e core.EventEndpoint) core.ID {
	w.t.Helper()
	d := core.NewEventDelivery(e.ID, core.NewID(),
		core.Event{Type: core.EventTest, Timestamp: w.clock(), Data: core.EventData{Publisher: "vila"}})
	if err := w.AddEventDelivery(w.t.Context(), d); err != nil {
		w.t.Fatalf("add an event delivery: %v", err)
	}
	return d.ID
}

// tried waits until an event delivery has that many attempts, and returns it.
func (r *receiver) tried(id core.ID, times int) (d core.EventDelivery) {
	r.w.t.Helper()
	eventually.True(r.w.t, "attempts", func() bool {
		d, _, _ = r.w.EventDelivery(r.w.t.Context(), r.endpoint.ID, id)
		return d.Attempts >= times
	})
	return d
}

// failed waits until the endpoint has failed a number of times in a row, which is recorded after the attempt.
func (r *receiver) failed(times int) (e core.EventEndpoint) {
	r.w.t.Helper()
	eventually.True(r.w.t, "failures of the endpoint", func() bool {
		e = r.is()
		return e.Failures >= times
	})
	return e
}

func (r *receiver) is() core.EventEndpoint {
	r.w.t.Helper()
	return must(r.w.EventEndpoint(r.w.t.Context(), r.endpoint.PublisherID, r.endpoint.ID))
}

func TestEventsOfANotification(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pushes.results["gone"] = []core.Result{{Outcome: core.Failed, Cause: core.CauseUnregistered, Retire: true}}
	w.follower("well", core.BellAll, false)
	w.follower("gone", core.BellAll, false)
	w.follower("off", core.BellNone, false)
	r := w.listen(nil, core.EventDispatched, core.EventFinished, core.EventFailed)
	other := w.listen(nil, core.EventFailed)
	w.start()
	id := w.publish(func(n *core.Notification) { n.ExternalID = "e1" })
	got := r.received(3)
	for i, want := range []core.EventType{core.EventDispatched, core.EventFinished, core.EventFailed} {
		data := got[i].event.Data
		if got[i].event.Type != want {
			t.Errorf("type of event %d: got %s, want %s", i, got[i].event.Type, want)
		}
		subject := core.EventData{Publisher: data.Publisher, Channel: data.Channel, NotificationID: data.NotificationID,
			ExternalID: data.ExternalID}
		wanted := core.EventData{Publisher: "vila", Channel: "vila/agenda", NotificationID: &id, ExternalID: "e1"}
		if diff := cmp.Diff(wanted, subject); diff != "" {
			t.Errorf("subject of event %d (-want +got):\n%s", i, diff)
		}
	}
	if n := got[0].event.Data.Targeted; n == nil || *n != 3 {
		t.Errorf("devices of the dispatched event: got %v, want 3", n)
	}
	kept := must(w.DeliverySummary(t.Context(), w.channel.ID, id))
	want := core.DeliverySummary{Targeted: 3, Accepted: 1, Failed: core.Causes{core.CauseUnregistered: 1},
		Suppressed: core.Causes{core.CauseBell: 1}, Finished: true}
	if diff := cmp.Diff(want, kept); diff != "" {
		t.Errorf("kept delivery summary (-want +got):\n%s", diff)
	}
	want.Expired = core.Causes{} // from JSON
	if diff := cmp.Diff(&want, got[1].event.Data.Deliveries); diff != "" {
		t.Errorf("delivery summary of the finished event (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(core.Causes{core.CauseUnregistered: 1}, got[2].event.Data.Failed); diff != "" {
		t.Errorf("causes of the failed event (-want +got):\n%s", diff)
	}
	if only := other.received(1); only[0].event.Type != core.EventFailed || only[0].id == got[2].id {
		t.Errorf("event of the other endpoint: got %+v, want a failed event with an id of its own", only)
	}
	w.publish(nil) // "gone" is retired, so nothing fails
	got = r.received(5)[3:]
	if got[0].event.Type != core.EventDispatched || got[1].event.Type != core.EventFinished {
		t.Fatalf("events of the second notification: got %+v, want dispatched and finished", got)
	}
	if n := got[1].event.Data.Deliveries.Targeted; n != 2 {
		t.Errorf("devices of the second notification: got %d, want 2", n)
	}
}

// TestEveryEventOnTwoNodes expects every event at least once: a node that loses its lease may post what it could not
// record, but always under the same id, and never after a delivery was recorded.
func TestEveryEventOnTwoNodes(t *testing.T) {
	t.Parallel()
	const n = 40
	w := newWorld(t)
	w.follower("well", core.BellAll, false)
	r := w.listen(nil, core.EventDispatched, core.EventFinished)
	w.positioned = make(chan int64, 10*n)
	w.start()
	w.start()
	for range n {
		w.publish(nil)
	}
	r.received(2 * n)
	eventually.True(t, "all to be recorded", func() bool {
		_, total, err := w.EventDeliveries(t.Context(), r.endpoint.ID, core.EventDelivered, core.Page{Limit: 1})
		return err == nil && total == 2*n
	})
	got := r.received(2 * n)
	ids := map[string]string{}
	for _, e := range got {
		event := string(e.event.Type) + " " + e.event.Data.NotificationID.String()
		if first, repeated := ids[event]; repeated && e.id != first {
			t.Errorf("id of the repeated event %s: got %s, want %s as before", event, e.id, first)
		}
		ids[event] = e.id
	}
	if len(ids) != 2*n {
		t.Errorf("different events: got %d, want %d", len(ids), 2*n)
	}
	const attempts = `select count(*) from event_attempts a join event_deliveries d on d.id = a.delivery_id
		where d.endpoint_id = $1`
	eventually.True(t, "an attempt to be recorded for every event received", func() bool {
		var recorded int
		if err := w.db.Pool().QueryRow(t.Context(), attempts, r.endpoint.ID).Scan(&recorded); err != nil {
			t.Fatalf("count the attempts: %v", err)
		}
		got = r.received(0)
		return recorded == len(got)
	})
	w.ahead.Add(int64(24 * time.Hour)) // past every retry: what was acknowledged is not posted again
	last := r.send()
	r.tried(last, 1)
	if again := r.received(0); len(again) != len(got)+1 || again[len(again)-1].id != last.String() {
		t.Errorf("events after all were acknowledged: got %d more, want only the one sent since", len(again)-len(got))
	}
}

func TestEventIsTriedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.listen([]int{500, 302, 429}, core.EventTest)
	w.start()
	id := r.send()
	for i, wait := range []time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute} {
		d := r.tried(id, i+1)
		left := d.NextAttemptAt.Sub(w.clock())
		if d.Status != core.EventPending || left > wait+wait/5 || left < wait-5*time.Second {
			t.Fatalf("after %d attempts: got %+v, due in %s, want it pending and due in about %s", i+1, d, left, wait)
		}
		r.failed(i + 1)
		w.ahead.Add(int64(wait + wait/5))
	}
	d := r.tried(id, 4)
	if d.Status != core.EventDelivered || d.LastStatus != 200 {
		t.Errorf("after the last attempt: got %+v, want it delivered with 200", d)
	}
	// It is recorded after the attempt.
	eventually.True(t, "an endpoint that no longer fails", func() bool { return r.is().FailingSince == nil })
	for _, e := range r.received(4) {
		if e.id != id.String() {
			t.Errorf("id of a repeated event: got %s, want %s", e.id, id)
		}
	}
	_, attempts, err := w.EventDelivery(t.Context(), r.endpoint.ID, id)
	if err != nil {
		t.Fatalf("attempts: %v", err)
	}
	var statuses []int
	for _, a := range attempts {
		statuses = append(statuses, a.Status)
	}
	if diff := cmp.Diff([]int{500, 302, 429, 200}, statuses); diff != "" {
		t.Fatalf("statuses of the attempts (-want +got):\n%s", diff)
	}
	if got := attempts[1].Error; !strings.Contains(got, "redirect") {
		t.Errorf("error of the second attempt: got %q, want it to name the redirect", got)
	}
}

func TestGoneEndpointIsSwitchedOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.follower("well", core.BellAll, false)
	r := w.listen([]int{410}, core.EventTest, core.EventDispatched)
	w.start()
	if d := r.tried(r.send(), 1); d.Status != core.EventUndelivered {
		t.Errorf("event that got 410: got %+v, want it undelivered", d)
	}
	e := r.failed(1)
	if e.Enabled || !strings.Contains(e.DisabledReason, "410") {
		t.Errorf("endpoint that responded with 410: got %+v, want it disabled for this reason", e)
	}
	if !e.UpdatedAt.After(r.endpoint.UpdatedAt) {
		t.Errorf("version of a disabled endpoint: got %s, want one after %s", e.UpdatedAt, r.endpoint.UpdatedAt)
	}
	waits := r.send()
	w.outcomes(w.publish(nil), 1)
	if d, _, _ := w.EventDelivery(t.Context(), r.endpoint.ID, waits); d.Attempts != 0 || d.Status != core.EventPending {
		t.Errorf("event of a disabled endpoint: got %+v, want it pending without attempts", d)
	}
	if _, total, _ := w.EventDeliveries(t.Context(), r.endpoint.ID, "", core.Page{Limit: 10}); total != 2 {
		t.Errorf("events of a disabled endpoint: got %d, want the 2 tests alone", total)
	}
	_, _, err := w.UpdateEventEndpoint(t.Context(), r.endpoint.PublisherID, r.endpoint.ID, now(), core.Idempotency{},
		func(e *core.EventEndpoint, _ *core.EventSecrets) error {
			e.Enabled = true
			return nil
		})
	if err != nil {
		t.Fatalf("enable the endpoint: %v", err)
	}
	if d := r.tried(waits, 1); d.Status != core.EventDelivered {
		t.Errorf("event after enabling the endpoint: got %+v, want it delivered", d)
	}
}

func TestFailingEndpointIsSwitchedOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.listen(slices.Repeat([]int{503}, 100), core.EventTest)
	w.start()
	r.send()
	for days := range 5 {
		if e := r.failed(days + 1); !e.Enabled || e.FailingSince == nil {
			t.Fatalf("endpoint that fails for less than 5 days: got %+v, want it enabled and failing", e)
		}
		w.ahead.Add(int64(24 * time.Hour))
		r.send()
	}
	if e := r.failed(6); e.Enabled || !strings.Contains(e.DisabledReason, "5 days") {
		t.Errorf("endpoint that failed for 5 days: got %+v, want it disabled for this reason", e)
	}
}

// TestSlowEndpoint blocks one endpoint: neither pushes nor another endpoint wait for it.
func TestSlowEndpoint(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.follower("well", core.BellAll, false)
	slow, well := w.listen(nil, core.EventDispatched), w.listen(nil, core.EventDispatched)
	slow.block = make(chan struct{})
	w.positioned = make(chan int64, 1_000)
	w.start()
	t.Cleanup(func() { close(slow.block) })
	for range 50 {
		w.publish(nil)
	}
	w.outcomes(w.publish(nil), 1)
	well.received(51)
	if n := len(slow.received(0)); n > 0 {
		t.Errorf("responses of the blocked endpoint: got %d, want none", n)
	}
}

func TestSubscribersEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.listen(nil, core.EventSubscribers)
	w.start()
	w.follower("a", core.BellAll, false)
	first := r.received(1)[0].event
	if first.Type != core.EventSubscribers {
		t.Errorf("type of the first event: got %s, want %s", first.Type, core.EventSubscribers)
	}
	wanted := core.EventData{Publisher: "vila", Channel: "vila/agenda", Subscribers: new(int64(1))}
	if diff := cmp.Diff(wanted, first.Data); diff != "" {
		t.Errorf("data of the first event (-want +got):\n%s", diff)
	}
	w.follower("b", core.BellAll, false)
	if n := must(delivery.NotifySubscribers(t.Context(), w.db, w.clock())); n != 0 {
		t.Errorf("events within a minute of the last: got %d, want none", n)
	}
	w.ahead.Add(int64(time.Minute))
	if second := r.received(2)[1].event; *second.Data.Subscribers != 2 {
		t.Errorf("subscribers in the second event: got %d, want 2", *second.Data.Subscribers)
	}
	w.ahead.Add(int64(time.Minute))
	late := w.listen(nil, core.EventSubscribers) // when there are two
	if n := must(delivery.NotifySubscribers(t.Context(), w.db, w.clock())); n != 0 {
		t.Errorf("events about an unchanged number: got %d, want none", n)
	}
	if err := w.Unsubscribe(t.Context(),
		must(
			w.SignIn(t.Context(), core.Profile{Issuer: core.IssuerGoogle, Subject: "b", Email: "b@example.com", Name: "b", Locale: "pt"},
				core.SignUp{}, now()),
		).ID,
		w.channel.ID, now()); err != nil {
		t.Fatalf("unfollow: %v", err)
	}
	for name, event := range map[string]core.Event{
		"the first endpoint": r.received(3)[2].event, "the late endpoint": late.received(1)[0].event,
	} {
		if *event.Data.Subscribers != 1 {
			t.Errorf("subscribers in the event of %s: got %d, want 1", name, *event.Data.Subscribers)
		}
	}
}
