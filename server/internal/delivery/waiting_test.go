package delivery_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
)

// attempts is a push service whose first result for an address is given, and whose next ones are accepted. It keeps the
// times of the attempts.
type attempts struct {
	mu     sync.Mutex
	first  map[string]core.Result
	times  map[string][]time.Time
	always bool // the first result is the result of every attempt
}

func (a *attempts) Send(_ context.Context, _ core.Push, to core.PushAddress) core.Result {
	address := to.Address
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.times == nil {
		a.times = map[string][]time.Time{}
	}
	a.times[address] = append(a.times[address], time.Now())
	if first, ok := a.first[address]; ok && (a.always || len(a.times[address]) == 1) {
		return first
	}
	return core.Result{Outcome: core.Accepted}
}

func (a *attempts) of(address string) []time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.times[address]
}

func (w *world) startSending(sender core.PushSender) {
	w.t.Helper()
	w.startWith(func(c *delivery.Config) { c.Sender = sender })
}

// TestWaitOfADevice expects a device to be left alone for as long as the push service asks for it.
func TestWaitOfADevice(t *testing.T) {
	t.Parallel()
	const wait = 3 * time.Second // longer than the first back-off
	w, sender := newWorld(t), &attempts{first: map[string]core.Result{"a": {Cause: core.CauseUnavailable, Wait: wait}}}
	w.follower("a", core.BellAll, false)
	w.startSending(sender)
	w.outcomes(w.publish(nil), 1)
	times := sender.of("a")
	if len(times) != 2 {
		t.Fatalf("attempts: got %d, want 2", len(times))
	}
	if got := times[1].Sub(times[0]); got < wait {
		t.Errorf("second attempt: got it %s after the first, want at least %s", got, wait)
	}
}

// TestExpiryDuringAWait expects a push that expires while the push service asks to wait to be recorded as expired then,
// and not when the wait is over.
func TestExpiryDuringAWait(t *testing.T) {
	t.Parallel()
	w, sender := newWorld(t),
		&attempts{always: true, first: map[string]core.Result{"a": {Cause: core.CauseUnavailable, Wait: time.Hour}}}
	a := w.follower("a", core.BellAll, false)
	w.startSending(sender)
	expiry := now().Add(2 * time.Second)
	id := w.publish(func(n *core.Notification) { n.ExpiresAt = &expiry })
	if got := w.outcomes(id, 1)[a]; got != "expired expired" {
		t.Errorf("outcome of a push that expired during a wait: got %q, want %q", got, "expired expired")
	}
}

// TestPauseIsForEverything expects a pause that the push service asked for during one notification to hold for the
// next.
func TestPauseIsForEverything(t *testing.T) {
	t.Parallel()
	const pause = 4 * time.Second
	w, sender := newWorld(t), &attempts{first: map[string]core.Result{"a": {Cause: core.CauseQuota, Pause: pause}}}
	w.follower("a", core.BellAll, false)
	w.startSending(sender)
	first := w.publish(nil)
	w.waitPaused()
	b := w.follower("b", core.BellAll, false)
	second := w.publish(nil)
	if got := w.outcomes(second, 2)[b]; got != "accepted" {
		t.Errorf("outcome after the pause: got %q, want accepted", got)
	}
	w.outcomes(first, 1)
	if got := sender.of("b")[0].Sub(sender.of("a")[0]); got < pause {
		t.Errorf("push to another device: got it %s after the pause began, want at least %s", got, pause)
	}
}

// waitPaused waits until pushes are paused.
func (w *world) waitPaused() {
	w.t.Helper()
	eventually.True(w.t, "pushes to be paused", func() bool {
		left, _, err := w.d.Paused(w.t.Context(), core.ServiceFCM)
		if err != nil {
			w.t.Fatalf("read the pause: %v", err)
		}
		return left > 0
	})
}
