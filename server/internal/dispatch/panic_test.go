package dispatch_test

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/dispatch"
	"github.com/sininho/sininho/server/internal/eventually"
)

// panics is a store, a push service and an event sender that panic at the first call of each method.
type panics struct {
	dispatch.Store
	pushes core.PushSender
	events core.EventSender

	mu     sync.Mutex
	called map[string]bool
}

func (p *panics) first(method string) {
	p.mu.Lock()
	called := p.called[method]
	p.called[method] = true
	p.mu.Unlock()
	if !called {
		panic("the first call of " + method)
	}
}

func (p *panics) Claim(ctx context.Context, limit int, now time.Time,
	then func(context.Context, pgx.Tx, []core.Claimed) error) ([]core.Claimed, error) {
	p.first("Claim")
	return p.Store.Claim(ctx, limit, now, then)
}

func (p *panics) Release(ctx context.Context, now time.Time, limit int) (int, error) {
	p.first("Release")
	return p.Store.Release(ctx, now, limit)
}

func (p *panics) ReleaseHeld(ctx context.Context, devices int, now time.Time,
	then func(context.Context, pgx.Tx, []core.Held) error) (int, error) {
	p.first("ReleaseHeld")
	return p.Store.ReleaseHeld(ctx, devices, now, then)
}

func (p *panics) Undelivered(ctx context.Context, notificationID core.ID, devices []core.ID) ([]core.Address, error) {
	p.first("Undelivered")
	return p.Store.Undelivered(ctx, notificationID, devices)
}

func (p *panics) Finish(ctx context.Context, limit int, now time.Time) (int, []core.FinishedDispatch, error) {
	p.first("Finish")
	return p.Store.Finish(ctx, limit, now)
}

func (p *panics) TellSubscribers(ctx context.Context, now time.Time) (int, error) {
	p.first("TellSubscribers")
	return p.Store.TellSubscribers(ctx, now)
}

func (p *panics) DueEventEndpoints(ctx context.Context, limit int, now time.Time) ([]core.ID, error) {
	p.first("DueEventEndpoints")
	return p.Store.DueEventEndpoints(ctx, limit, now)
}

func (p *panics) Prune(ctx context.Context, now time.Time) error {
	p.first("Prune")
	return p.Store.Prune(ctx, now)
}

func (p *panics) RetireStaleDevices(ctx context.Context, since, now time.Time) (int64, error) {
	p.first("RetireStaleDevices")
	return p.Store.RetireStaleDevices(ctx, since, now)
}

// pushPanics and eventPanics have Send methods of their own.
type (
	pushPanics  struct{ *panics }
	eventPanics struct{ *panics }
)

func (p pushPanics) Send(ctx context.Context, push core.Push, address string) core.Result {
	p.first("push")
	return p.pushes.Send(ctx, push, address)
}

func (p eventPanics) Send(ctx context.Context, e core.EventEndpoint, secrets core.EventSecrets,
	event core.EventDelivery) core.EventAttempt {
	p.first("event")
	return p.events.Send(ctx, e, secrets, event)
}

// TestTheDispatcherGoesOnAfterPanics panics once everywhere. The push and the event arrive all the same.
func TestTheDispatcherGoesOnAfterPanics(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	device := w.follower("a", core.BellAll, false)
	endpoint := w.listen(nil, core.EventFinished)
	p := &panics{called: map[string]bool{}}
	w.startWith(func(c *dispatch.Config) {
		p.Store, c.Store = c.Store, p
		p.pushes, c.Sender = c.Sender, pushPanics{p}
		p.events, c.Events = c.Events, eventPanics{p}
	})
	id := w.publish(nil)
	if got := w.outcomes(id, 1)[device]; got != string(core.Accepted) {
		t.Errorf("outcome of the push: got %q, want %q", got, core.Accepted)
	}
	if got := len(endpoint.received(1)); got != 1 {
		t.Errorf("events: got %d, want 1", got)
	}
	want := []string{"Claim", "DueEventEndpoints", "Finish", "Prune", "Release", "ReleaseHeld", "RetireStaleDevices",
		"TellSubscribers", "Undelivered", "event", "push"}
	eventually.True(t, "every method to have panicked", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return slices.Equal(slices.Sorted(maps.Keys(p.called)), want)
	})
}
