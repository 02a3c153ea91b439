package delivery_test

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
)

// panics is everything that a dispatcher calls outside its package. Each method panics at its first call.
type panics struct {
	delivery.Pruner
	delivery.Indexer
	core.Analytics
	pushes     core.PushSender
	events     core.EventSender
	positioned func(context.Context, int64, []core.ID)

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

func (p *panics) Positioned(ctx context.Context, position int64, channelIDs []core.ID) {
	p.first("Positioned")
	p.positioned(ctx, position, channelIDs)
}

func (p *panics) Prune(ctx context.Context, now time.Time) error {
	p.first("Prune")
	return p.Pruner.Prune(ctx, now)
}

func (p *panics) RetireStaleDevices(ctx context.Context, since, now time.Time) (int64, error) {
	p.first("RetireStaleDevices")
	return p.Pruner.RetireStaleDevices(ctx, since, now)
}

func (p *panics) WriteWords(ctx context.Context) (core.Indexed, error) {
	p.first("WriteWords")
	return p.Indexer.WriteWords(ctx)
}

func (p *panics) WriteChannelWords(ctx context.Context) (core.Indexed, error) {
	p.first("WriteChannelWords")
	return p.Indexer.WriteChannelWords(ctx)
}

func (p *panics) Capture(e core.AnalyticsEvent) {
	p.first("Capture")
	p.Analytics.Capture(e)
}

// pushPanics and eventPanics have Send methods of their own.
type (
	pushPanics  struct{ *panics }
	eventPanics struct{ *panics }
)

func (p pushPanics) Send(ctx context.Context, push core.Push, to core.PushAddress) core.Result {
	p.first("push")
	return p.pushes.Send(ctx, push, to)
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
	w.startWith(func(c *delivery.Config) {
		p.Pruner, p.Indexer, p.Analytics = c.Pruner, c.Indexer, c.Analytics
		p.pushes = c.Sender
		p.events, p.positioned = c.Events, c.Positioned
		c.Pruner, c.Indexer, c.Analytics = p, p, p
		c.Positioned = p.Positioned
		c.Sender, c.Events = pushPanics{p}, eventPanics{p}
	})
	id := w.publish(nil)
	if got := w.outcomes(id, 1)[device]; got != string(core.Accepted) {
		t.Errorf("outcome of the push: got %q, want %q", got, core.Accepted)
	}
	if got := len(endpoint.received(1)); got != 1 {
		t.Errorf("events: got %d, want 1", got)
	}
	want := []string{"Capture", "Positioned", "Prune", "RetireStaleDevices", "WriteChannelWords", "WriteWords", "event", "push"}
	eventually.True(t, "every method to have panicked", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return slices.Equal(slices.Sorted(maps.Keys(p.called)), want)
	})
}
