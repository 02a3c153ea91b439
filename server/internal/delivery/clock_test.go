package delivery_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/events"
)

// TestClocksThatDiffer runs two dispatchers whose clocks are an hour ahead and an hour behind. A device is registered
// by the first one's clock, and a notification published by the second one's. A push and an event that fail at first
// are tried again at the usual pace.
func TestClocksThatDiffer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	device := w.follower("a", core.BellAll, false)
	w.pushes.results["a"] = []core.Result{{Cause: core.CauseUnavailable}, {Cause: core.CauseUnavailable}}
	var posted atomic.Int64
	failing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		posted.Add(1)
		w.WriteHeader(http.StatusInternalServerError)
	}))
	t.Cleanup(failing.Close)
	r := w.listen(nil, core.EventTest)
	_, err := w.db.Pool().Exec(t.Context(), "update event_endpoints set url = $1, confirmed_url = $1", failing.URL)
	if err != nil {
		t.Fatalf("move the endpoint: %v", err)
	}
	for _, wrong := range []time.Duration{time.Hour, -time.Hour} {
		w.startWith(func(c *delivery.Config) {
			c.Now = func() time.Time { return now().Add(wrong) }
			c.Events = events.New(events.Config{Sealer: sealer, Rules: core.EventRules{AllowLoopback: true},
				Timeout: 10 * time.Second, Now: c.Now})
		})
	}
	_, err = w.db.Pool().Exec(t.Context(), `
		with s as (update subscriptions set followed_at = followed_at + interval '1 hour')
		update devices set created_at = created_at + interval '1 hour'`)
	if err != nil {
		t.Fatalf("register as the first node would have: %v", err)
	}
	began := time.Now()
	r.send()
	id := w.publish(nil)
	if got := w.outcomes(id, 1)[device]; got != string(core.Accepted) {
		t.Errorf("outcome: got %s, want %s", got, core.Accepted)
	}
	w.pushes.mu.Lock()
	defer w.pushes.mu.Unlock()
	if got := w.pushes.sent["a"]; got != 3 {
		t.Errorf("pushes with a push service that fails twice: got %d, want 3", got)
	}
	eventually.True(t, "an event", func() bool { return posted.Load() > 0 })
	most := 2 + int64(time.Since(began)/(4*time.Second)) // one from each node, and repetitions after five seconds
	if got := posted.Load(); got > most {
		t.Errorf("events to an endpoint that fails: got %d in %s, want at most %d", got, time.Since(began), most)
	}
}
