package delivery_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
)

// stored waits until n events are stored for the endpoint, and returns their ids in order.
func (r *receiver) stored(n int) (ids []string) {
	r.w.t.Helper()
	eventually.True(r.w.t, "events to be stored", func() bool {
		const query = "select coalesce(array_agg(id::text order by id), '{}') from event_deliveries where endpoint_id = $1"
		if err := r.w.db.Pool().QueryRow(r.w.t.Context(), query, r.endpoint.ID).Scan(&ids); err != nil {
			r.w.t.Fatalf("read the events: %v", err)
		}
		return len(ids) >= n
	})
	return ids
}

// probed ends the pause of the failing endpoint by moving the clock, and waits for the next result.
func (r *receiver) probed() core.EventEndpoint {
	r.w.t.Helper()
	before := r.is()
	r.w.ahead.Add(int64(max(0, before.PausedUntil.Sub(r.w.clock()))))
	r.w.d.NudgeEvents()
	var after core.EventEndpoint
	eventually.True(r.w.t, "the result of a probe", func() bool {
		after = r.is()
		return after.Failures != before.Failures || !after.Enabled
	})
	return after
}

// TestFailingEndpointGetsFewRequests publishes 100 times while an endpoint always responds 500: it gets one request
// after each pause, whatever waits for it, until it is disabled after five days. Then no event is lost.
func TestFailingEndpointGetsFewRequests(t *testing.T) {
	t.Parallel()
	const published, probes = 100, 8
	w := newWorld(t)
	w.follower("well", core.BellAll, false)
	w.positioned = make(chan int64, 10*published)
	r := w.listen(slices.Repeat([]int{http.StatusInternalServerError}, 10*published), core.EventDispatched,
		core.EventFinished)
	w.start()
	w.start()
	for range published {
		w.publish(nil)
	}
	r.stored(2 * published)
	eventually.True(t, "the endpoint to be failing", func() bool { e := r.is(); return e.Failing() })
	for e := r.is(); e.Enabled; e = r.probed() {
		if got := len(r.received(0)); got > e.Failures+1 {
			t.Fatalf("requests after %d failures: got %d, want one for each failure", e.Failures, got)
		}
		if e.Failures == probes {
			w.ahead.Add(int64(5 * 24 * time.Hour))
		}
	}
	if got := len(r.received(0)); got > probes+2 {
		t.Errorf("requests in %d pauses and five days: got %d, want at most %d", probes, got, probes+2)
	}
	_, waiting, err := w.EventDeliveries(t.Context(), r.endpoint.ID, core.EventPending, core.Page{Limit: 1})
	if err != nil || waiting != 2*published {
		t.Errorf("events that wait for the disabled endpoint: got %d and error %v, want %d", waiting, err, 2*published)
	}
}

// TestBacklogOfARecoveredEndpoint lets an endpoint fail for an hour. Then it gets every event, in order.
func TestBacklogOfARecoveredEndpoint(t *testing.T) {
	t.Parallel()
	const published, failures = 50, 5
	w := newWorld(t)
	w.positioned = make(chan int64, 10*published)
	r := w.listen(slices.Repeat([]int{http.StatusBadGateway}, failures), core.EventDispatched)
	w.start()
	for range published {
		w.publish(nil)
	}
	want := r.stored(published)
	eventually.True(t, "the endpoint to be failing", func() bool { e := r.is(); return e.Failing() })
	for e := r.is(); e.Failures < failures; {
		e = r.probed()
	}
	if e := r.probed(); e.Failing() {
		t.Fatalf("endpoint after its recovery: got %+v, want it working", e)
	}
	var got []string
	for _, e := range r.received(failures + published)[failures:] {
		got = append(got, e.id)
	}
	eventually.True(t, "every event to be delivered", func() bool {
		_, n, err := w.EventDeliveries(t.Context(), r.endpoint.ID, core.EventDelivered, core.Page{Limit: 1})
		return err == nil && n == published
	})
	first := got[0] // the probe that succeeded, which need not be the oldest
	if i := slices.Index(want, first); i < 0 {
		t.Fatalf("first event after the recovery: got %s, want one of those published", first)
	}
	// Events that are posted together may arrive in any order.
	for i, id := range got[1:] {
		if at := slices.Index(want, id); at < i-16 || at > i+17 {
			t.Errorf("place of the event received as number %d after the recovery: got %d of the order of creation, "+
				"want near it", i+1, at)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events after the recovery (-want +got):\n%s", diff)
	}
}

// TestRejectedEventHoldsUpNoOther has an endpoint that rejects one event at every attempt.
func TestRejectedEventHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	const others = 20
	w := newWorld(t)
	r := w.listen(nil, core.EventDispatched)
	r.rejectFirst = true
	w.start()
	w.publish(nil)
	eventually.True(t, "the endpoint to be failing", func() bool { e := r.is(); return e.Failing() })
	for range others {
		w.publish(nil)
	}
	r.stored(1 + others)
	if e := r.probed(); e.Failing() {
		t.Errorf("endpoint after it accepted an event: got %+v, want it working", e)
	}
	eventually.True(t, "the other events to be delivered", func() bool {
		_, n, err := w.EventDeliveries(t.Context(), r.endpoint.ID, core.EventDelivered, core.Page{Limit: 1})
		return err == nil && n == others
	})
	waiting, n, err := w.EventDeliveries(t.Context(), r.endpoint.ID, core.EventPending, core.Page{Limit: 10})
	if err != nil || n != 1 || waiting[0].ID.String() != r.received(1)[0].id || waiting[0].NextAttemptAt == nil {
		t.Errorf("events that are still pending: got %+v and error %v, want the rejected one, to be sent again", waiting,
			err)
	}
}

// TestPaceOfAHost posts to two endpoints at one host, which share its pace.
func TestPaceOfAHost(t *testing.T) {
	t.Parallel()
	const quota, each, together = 20, 40, 16
	w := newWorld(t)
	r := w.listen(nil, core.EventTest)
	other := r.newEndpoint(r.URL+"/other", []core.EventType{core.EventTest})
	for range each {
		w.addTest(r.endpoint)
		w.addTest(other)
	}
	began := time.Now()
	w.startWith(func(c *delivery.Config) { c.EventQuota = quota })
	r.received(2 * each)
	// The last events of both endpoints are posted at the beginning of their time.
	if took, want := time.Since(began), (2*each-2*together)*time.Second/quota; took < want {
		t.Errorf("time for %d events to one host at %d a second: got %s, want at least %s", 2*each, quota, took, want)
	}
}
