package live_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/live"
)

// panicking is a source that panics for the next few reads.
type panicking struct {
	live.Source
	left atomic.Int64
}

func (p *panicking) Positions(ctx context.Context, after int64, limit int) ([]core.ChangePosition, error) {
	if p.left.Add(-1) >= 0 {
		panic("the source failed")
	}
	return p.Source.Positions(ctx, after, limit)
}

// TestTheHubGoesOnAfterAPanic panics once while it reads changes and once while it listens for signals.
func TestTheHubGoesOnAfterAPanic(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	source := &panicking{Source: w.Store}
	var listens atomic.Int64
	a := w.nodeWith(func(h *live.Hub) {
		listen := h.Listen
		h.Source = source
		h.Listen = func(ctx context.Context, ready func(), hear func(core.Signal)) error {
			if listens.Add(1) == 1 {
				panic("the listener failed")
			}
			return listen(ctx, ready, hear)
		}
	})
	if got := listens.Load(); got < 2 {
		t.Errorf("times that the hub listened: got %d, want 2 or more", got)
	}
	r := w.open(a, "/channel", "")
	source.left.Store(1)
	w.publish("one")
	w.place(a)
	r.expect(`notification "one"`)
	// A read that began before may have brought the event, so the one that panics may be still to come.
	eventually.True(t, "a read after the one that panicked", func() bool { return source.left.Load() < 0 })
}
