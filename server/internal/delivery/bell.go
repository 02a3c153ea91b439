package delivery

import (
	"context"
	"time"
)

// bell wakes a loop that waits for something to do. Ringing it again before the loop has heard it changes nothing.
type bell chan struct{}

func newBell() bell { return make(bell, 1) }

// ring never blocks.
func (b bell) ring() {
	select {
	case b <- struct{}{}:
	default:
	}
}

// busyFor is how long a loop looks often for what other nodes store, after there was something to do.
const busyFor = 2 * time.Second

// never is for a loop that waits for its bell alone.
const never = time.Duration(1<<63 - 1)

// wait waits until the bell rings, the time is over or ctx is done, and reports whether the bell rang.
func (b bell) wait(ctx context.Context, most time.Duration) (rang bool) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	case <-b:
		return true
	}
	return false
}

// sleep waits until the time is over or ctx is done.
func sleep(ctx context.Context, d time.Duration) { bell(nil).wait(ctx, d) }

// lull paces a loop: it waits shortly for busyFor after its bell has rung, and otherwise long, unless the bell rings.
type lull struct {
	bell
	rangAt time.Time
}

func (l *lull) wait(ctx context.Context, short, long time.Duration) {
	if time.Since(l.rangAt) < busyFor {
		sleep(ctx, min(short, long))
	} else if l.bell.wait(ctx, long) {
		l.rangAt = time.Now()
	}
}

// bells are those of the steps that look for themselves what there is to do. A step of this node rings for what it has
// stored itself, and the watch for the rest. Each queue of turns has one of its own.
type bells struct {
	watch, find, unpark, release, plans, held, snoozed, digests, finish bell
	events, subscribers, words, storage, displays                       bell
}

func newBells() bells {
	return bells{watch: newBell(), find: newBell(), unpark: newBell(), release: newBell(), plans: newBell(),
		held: newBell(), snoozed: newBell(), digests: newBell(), finish: newBell(), events: newBell(),
		subscribers: newBell(), words: newBell(), storage: newBell(), displays: newBell()}
}
