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

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/events"
	"github.com/sininho/sininho/server/internal/eventually"
)

// receiver is a publisher's event endpoint. It answers the statuses one by one, and then 200.
type receiver struct {
	*httptest.Server
	w        *world
	endpoint core.EventEndpoint
	secret   string

	mu       sync.Mutex
	statuses []int
	got      []received
	block    chan struct{} // answers wait for it to be closed
}

type received struct {
	id    string
	at    time.Time
	event core.Event
}

var sealer = must(core.NewSealer(core.NewSecretKey()))

// listen makes an endpoint of the publisher that is told of those events.
func (w *world) listen(statuses []int, wanted ...core.EventType) *receiver {
	w.t.Helper()
	w.events = events.New(events.Config{Sealer: sealer, Rules: core.EventRules{AllowLoopback: true}, Timeout: 10 * time.Second, Now: w.clock})
	r := &receiver{w: w, secret: webhook.NewSecret(), statuses: statuses}
	r.Server = httptest.NewServer(r)
	w.t.Cleanup(r.Close)
	publisher := must(w.PublisherBySlug(w.t.Context(), "vila"))
	e := core.EventEndpoint{ID: core.NewID(), PublisherID: publisher.ID, URL: r.URL, Name: "n", Events: wanted, Enabled: true, CreatedAt: now(), UpdatedAt: now()}
	var err error
	r.endpoint, _, err = w.CreateEventEndpoint(w.t.Context(), e, core.EventSecrets{Sealed: sealer.Seal([]byte(r.secret))}, core.Idempotency{})
	if err != nil {
		w.t.Fatal(err)
	}
	return r
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
	if len(r.statuses) > 0 {
		w.WriteHeader(r.statuses[0])
		r.statuses = r.statuses[1:]
	}
}

// received waits until that many have been received, and answers them.
func (r *receiver) received(n int) []received {
	r.w.t.Helper()
	eventually.True(r.w.t, "events", func() bool { r.mu.Lock(); defer r.mu.Unlock(); return len(r.got) >= n })
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

// send adds a test to what is to be sent.
func (r *receiver) send() core.ID {
	r.w.t.Helper()
	d := core.NewEventDelivery(r.endpoint.ID, core.NewID(), core.Event{Type: core.EventTest, Timestamp: r.w.clock(), Data: core.EventData{Publisher: "vila"}})
	if err := r.w.AddEventDelivery(r.w.t.Context(), d); err != nil {
		r.w.t.Fatal(err)
	}
	r.w.d.NudgeEvents()
	return d.ID
}

// tried waits until a delivery has been tried so many times, and answers it.
func (r *receiver) tried(id core.ID, times int) (d core.EventDelivery) {
	r.w.t.Helper()
	eventually.True(r.w.t, "attempts", func() bool {
		d, _, _ = r.w.EventDelivery(r.w.t.Context(), r.endpoint.ID, id)
		return d.Attempts >= times
	})
	return d
}

func (r *receiver) is() core.EventEndpoint {
	r.w.t.Helper()
	return must(r.w.EventEndpoint(r.w.t.Context(), r.endpoint.PublisherID, r.endpoint.ID))
}

func TestEventsOfANotification(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pushes.answers["gone"] = []core.Result{{Outcome: core.Failed, Cause: core.CauseUnregistered, Retire: true}}
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
		if got[i].event.Type != want || *data.NotificationID != id || data.ExternalID != "e1" || data.Publisher != "vila" || data.Channel != "vila/agenda" {
			t.Errorf("%d: %+v", i, got[i].event)
		}
	}
	if n := got[0].event.Data.Targeted; n == nil || *n != 3 {
		t.Errorf("dispatched: %v", n)
	}
	f := got[1].event.Data.Deliveries
	if f == nil || f.Targeted != 3 || f.Accepted != 1 || f.Failed["unregistered"] != 1 || f.Suppressed["bell"] != 1 || f.Pending != 0 || !f.Finished {
		t.Errorf("finished: %+v", f)
	}
	if failed := got[2].event.Data.Failed; failed["unregistered"] != 1 || len(failed) != 1 {
		t.Errorf("failed: %+v", failed)
	}
	if only := other.received(1); only[0].event.Type != core.EventFailed || only[0].id == got[2].id {
		t.Errorf("the other endpoint: %+v", only)
	}
	if summary := must(w.DeliverySummary(t.Context(), w.channel.ID, id)); !summary.Finished || summary.Accepted != 1 || summary.Failed["unregistered"] != 1 {
		t.Errorf("kept: %+v", summary)
	}
	w.publish(nil) // "gone" is retired, so nothing fails
	if got := r.received(5); got[3].event.Type != core.EventDispatched || got[4].event.Type != core.EventFinished || got[4].event.Data.Deliveries.Targeted != 2 {
		t.Errorf("the second: %+v", got[3:])
	}
}

// TestEveryEventOnce has two nodes at work.
func TestEveryEventOnce(t *testing.T) {
	t.Parallel()
	const n = 40
	w := newWorld(t)
	w.follower("well", core.BellAll, false)
	r := w.listen(nil, core.EventDispatched, core.EventFinished)
	w.placed = make(chan int64, 10*n)
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
	times := map[string]int{}
	ids := map[string]bool{}
	for _, e := range r.received(2 * n) {
		times[string(e.event.Type)+" "+e.event.Data.NotificationID.String()]++
		ids[e.id] = true
	}
	if len(times) != 2*n || len(ids) != 2*n || len(r.received(0)) != 2*n {
		t.Errorf("%d events, %d ids of %d that were received", len(times), len(ids), len(r.received(0)))
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
			t.Fatalf("after %d tries: %+v, in %s", i+1, d, left)
		}
		if r.is().FailingSince == nil {
			t.Error("it is not failing")
		}
		w.ahead.Add(int64(wait + wait/5))
	}
	d := r.tried(id, 4)
	if d.Status != core.EventDelivered || d.LastStatus != 200 || r.is().FailingSince != nil {
		t.Errorf("%+v", d)
	}
	for _, e := range r.received(4) {
		if e.id != id.String() {
			t.Errorf("another id: %s", e.id)
		}
	}
	_, attempts, err := w.EventDelivery(t.Context(), r.endpoint.ID, id)
	if err != nil || len(attempts) != 4 || attempts[0].Status != 500 || attempts[1].Status != 302 || !strings.Contains(attempts[1].Error, "redirect") || attempts[3].Status != 200 {
		t.Errorf("%+v %v", attempts, err)
	}
}

func TestGoneEndpointIsSwitchedOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.follower("well", core.BellAll, false)
	r := w.listen([]int{410}, core.EventTest, core.EventDispatched)
	w.start()
	if d := r.tried(r.send(), 1); d.Status != core.EventUndelivered {
		t.Errorf("%+v", d)
	}
	if e := r.is(); e.Enabled || !strings.Contains(e.DisabledReason, "410") || !e.UpdatedAt.After(r.endpoint.UpdatedAt) {
		t.Errorf("%+v", e)
	}
	waits := r.send()
	w.outcomes(w.publish(nil), 1)
	if d, _, _ := w.EventDelivery(t.Context(), r.endpoint.ID, waits); d.Attempts != 0 || d.Status != core.EventPending {
		t.Errorf("sent while switched off: %+v", d)
	}
	if _, total, _ := w.EventDeliveries(t.Context(), r.endpoint.ID, "", core.Page{Limit: 10}); total != 2 {
		t.Errorf("%d events; one that is switched off is told nothing", total)
	}
	_, _, err := w.UpdateEventEndpoint(t.Context(), r.endpoint.PublisherID, r.endpoint.ID, now(), core.Idempotency{}, func(e *core.EventEndpoint, _ *core.EventSecrets) error {
		e.Enabled = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := r.tried(waits, 1); d.Status != core.EventDelivered {
		t.Errorf("switched on again: %+v", d)
	}
}

func TestFailingEndpointIsSwitchedOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.listen(slices.Repeat([]int{503}, 100), core.EventTest)
	w.start()
	r.tried(r.send(), 1)
	for range 5 {
		if e := r.is(); !e.Enabled || e.FailingSince == nil {
			t.Fatalf("%+v", e)
		}
		w.ahead.Add(int64(24 * time.Hour))
		r.tried(r.send(), 1)
	}
	if e := r.is(); e.Enabled || !strings.Contains(e.DisabledReason, "5 days") {
		t.Errorf("%+v", e)
	}
}

// TestSlowEndpoint blocks one endpoint: neither pushes nor another endpoint wait for it.
func TestSlowEndpoint(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.follower("well", core.BellAll, false)
	slow, well := w.listen(nil, core.EventDispatched), w.listen(nil, core.EventDispatched)
	slow.block = make(chan struct{})
	w.placed = make(chan int64, 1_000)
	w.start()
	t.Cleanup(func() { close(slow.block) })
	for range 50 {
		w.publish(nil)
	}
	w.outcomes(w.publish(nil), 1)
	well.received(51)
	if n := len(slow.received(0)); n > 0 {
		t.Errorf("%d were answered", n)
	}
}

func TestSubscribersAreTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.listen(nil, core.EventSubscribers)
	w.start()
	w.follower("a", core.BellAll, false)
	first := r.received(1)[0].event
	if first.Type != core.EventSubscribers || *first.Data.Subscribers != 1 || first.Data.Channel != "vila/agenda" || first.Data.NotificationID != nil {
		t.Errorf("%+v", first)
	}
	w.follower("b", core.BellAll, false)
	if n := must(delivery.NotifySubscribers(t.Context(), w.db, w.clock())); n != 0 {
		t.Errorf("told %d times in a minute", n)
	}
	w.ahead.Add(int64(time.Minute))
	if second := r.received(2)[1].event; *second.Data.Subscribers != 2 {
		t.Errorf("%+v", second)
	}
	w.ahead.Add(int64(time.Minute))
	late := w.listen(nil, core.EventSubscribers) // when there are two
	if n := must(delivery.NotifySubscribers(t.Context(), w.db, w.clock())); n != 0 {
		t.Errorf("told %d times what is the same", n)
	}
	if err := w.Unsubscribe(t.Context(), must(w.SignIn(t.Context(), core.Profile{Subject: "b", Email: "b@example.com", Name: "b", Locale: "pt"}, core.SignUp{}, now())).ID,
		w.channel.ID, now()); err != nil {
		t.Fatal(err)
	}
	for name, told := range map[string]core.Event{"the first": r.received(3)[2].event, "one made since": late.received(1)[0].event} {
		if *told.Data.Subscribers != 1 {
			t.Errorf("%s: %+v", name, told)
		}
	}
}
