package live

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/metrics"
)

const (
	gatherFor  = 10 * time.Millisecond // from the start of a call to that of the next, which sends all signals since
	mostQueued = 10_000                // signals that wait while the database does not respond
	lastCall   = 3 * time.Second       // time limit for sending what is left at shutdown
)

// signals gathers the signals of this node and sends them to all nodes. The signal of an idle node is sent at once;
// those that arrive during a call, or within gatherFor of its start, are sent together in the next one.
//
// Signals that could not be sent stay queued and are sent again. When the queue is full, new signals are dropped,
// except that the latest position is always kept. Streams recover without them: nodes poll for changes, and look up
// followed channels and credentials every minute. Only a read mark stays unseen on other devices until they fetch.
type signals struct {
	notify  func(ctx context.Context, signals []core.Signal) error
	metrics *metrics.Live
	log     *slog.Logger
	wake    chan struct{}

	mu       sync.Mutex
	queue    []core.Signal
	position int64                // the highest that was not sent; 0: none
	channels map[core.ID]struct{} // with changes up to the position
	dropped  int
	closed   bool
}

func newSignals(
	notify func(ctx context.Context, signals []core.Signal) error, m *metrics.Live, log *slog.Logger,
) *signals {
	return &signals{notify: notify, metrics: m, log: log, wake: make(chan struct{}, 1),
		channels: map[core.ID]struct{}{}}
}

// add queues a signal without blocking. It returns false after run has returned.
func (q *signals) add(s core.Signal) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
		return false
	case s.Position > 0:
		q.position = max(q.position, s.Position)
		for _, id := range s.ChannelIDs {
			q.channels[id] = struct{}{}
		}
	case len(q.queue) < mostQueued:
		q.queue = append(q.queue, s)
	default:
		q.dropped++
		q.metrics.SignalsDropped(1)
	}
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return true
}

// run sends what is queued until done is closed, and then what is left.
func (q *signals) run(ctx context.Context, done <-chan struct{}) {
	for {
		select {
		case <-done:
			q.finish(ctx)
			return
		case <-q.wake:
		}
		pause := time.After(gatherFor)
		var err error
		guard.Run(ctx, q.log, func(ctx context.Context) { err = q.sendQueued(ctx) })
		if err != nil {
			q.log.WarnContext(ctx, "live: notify the other nodes; trying again", "error", err)
			pause = time.After(pollAlone)
		}
		select {
		case <-done:
		case <-pause:
		}
	}
}

// sendQueued sends everything that is queued in one call. If the call fails, it stays queued.
func (q *signals) sendQueued(ctx context.Context) error {
	queued, placed := q.queued()
	batch := queued
	if placed.Position > 0 {
		// Last, so that a node knows who has followed a channel before it sends what was published after that.
		batch = append(batch, placed)
	}
	if len(batch) == 0 {
		return nil
	}
	err := q.send(ctx, batch)
	if err == nil {
		q.metrics.Signaled(len(batch))
		q.remove(len(queued), placed.Position)
		return nil
	}
	select { // try again
	case q.wake <- struct{}{}:
	default:
	}
	return err
}

// queued returns what is queued. The caller may append to the signals.
func (q *signals) queued() (list []core.Signal, placed core.Signal) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.dropped > 0 {
		q.log.Warn("live: too many signals wait; some were dropped", "dropped", q.dropped)
		q.dropped = 0
	}
	placed = core.Signal{Position: q.position, ChannelIDs: slices.Collect(maps.Keys(q.channels))}
	return q.queue[:len(q.queue):len(q.queue)], placed
}

// remove removes the first n signals, and the position unless there is a later one.
func (q *signals) remove(n int, position int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.queue = q.queue[n:]; len(q.queue) == 0 {
		q.queue = nil
	}
	if q.position == position {
		q.position = 0
		clear(q.channels)
	}
}

func (q *signals) send(ctx context.Context, batch []core.Signal) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return q.notify(ctx, batch)
}

// finish sends what is left. From then on add refuses signals.
func (q *signals) finish(ctx context.Context) {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, lastCall)
	defer cancel()
	if err := q.sendQueued(ctx); err != nil {
		q.log.WarnContext(ctx, "live: notify the other nodes", "error", err)
	}
}
