package live

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
)

// Relay carries signals to the nodes that need them.
type Relay interface {
	// Send sends signals, and returns those that must go through the database, too.
	Send(signals []core.Signal) (rest []core.Signal)
	// Subscribe and Unsubscribe change the channels and subscribers whose signals this node receives. Flush waits until
	// that is in effect, or cannot be.
	Subscribe(id core.ID)
	Unsubscribe(id core.ID)
	Flush()
	// Listen receives signals until ctx is done. It calls changed when the relay has or has no connection, and when
	// signals were lost.
	Listen(ctx context.Context, changed func(connected bool), receive func(core.Signal))
}

// needPatience limits how long a stream waits for its subscriptions; what is missed is read from the database.
const needPatience = time.Second

// needs keeps a relay subscribed to the channels and subscribers of the open streams. Subscribing may take long, so a
// goroutine does it.
type needs struct {
	relay Relay
	log   *slog.Logger
	wake  chan struct{}

	mu      sync.Mutex
	queue   []need
	applied chan struct{} // closed when everything that was ever queued is in effect
}

type need struct {
	id core.ID
	on bool
}

func newNeeds(r Relay, log *slog.Logger) *needs {
	n := &needs{relay: r, log: log, wake: make(chan struct{}, 1), applied: make(chan struct{})}
	close(n.applied)
	return n
}

// change queues a change, without blocking.
func (n *needs) change(id core.ID, on bool) {
	if n.relay == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.queue) == 0 {
		n.applied = make(chan struct{})
		n.wake <- struct{}{} // is empty, because the one that emptied the queue has received from it
	}
	n.queue = append(n.queue, need{id, on})
}

// wait waits until what was queued is in effect.
func (n *needs) wait(ctx context.Context) {
	n.mu.Lock()
	applied := n.applied
	n.mu.Unlock()
	select {
	case <-applied:
	case <-ctx.Done():
	case <-time.After(needPatience):
	}
}

// run applies changes until ctx is done. It calls woken afterwards, because what was published meanwhile was not
// signalled.
func (n *needs) run(ctx context.Context, woken func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-n.wake:
		}
		guard.Run(ctx, n.log, n.apply)
		woken()
	}
}

func (n *needs) apply(context.Context) {
	n.mu.Lock()
	queue, applied := n.queue, n.applied
	n.queue = nil
	n.mu.Unlock()
	defer close(applied)
	for _, c := range queue {
		if c.on {
			n.relay.Subscribe(c.id)
		} else {
			n.relay.Unsubscribe(c.id)
		}
	}
	n.relay.Flush()
}
