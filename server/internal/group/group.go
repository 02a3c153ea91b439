// Package group lets callers share work: a statement or a commit for many costs little more than for one.
package group

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"
)

// Group runs a function for several callers at a time. Those who come while it runs wait, and share the next run. One
// who comes when nothing runs is served at once, in the caller's own goroutine.
type Group[T any] struct {
	// Run does the work of some items, and keeps the results in them. It must not panic.
	Run func(items []T)
	// Next takes the calls of the next run from those that wait, in their order; nil: all of them.
	Next func(waiting []*Call[T]) (taken, left []*Call[T])
	// Most is how many may wait; 0: any number.
	Most int
	// Every is how long after the beginning of a run the next one begins at the earliest; 0: at once.
	Every time.Duration
	// Patience is how long the next run waits for one that takes long; 0: until it ends.
	Patience time.Duration
	// Waiting is told how many wait whenever that changes; nil: nobody is.
	Waiting func(calls int)

	mu      sync.Mutex
	waiting []*Call[T]
	running bool
	begun   time.Time // the latest run
}

// Call is an item that waits.
type Call[T any] struct {
	Item T
	ctx  context.Context
	done chan struct{} // closed when the item has been run
}

// ErrFull is returned when too many wait.
var ErrFull = errors.New("too many requests are waiting")

// Do runs an item with others. If ctx is done before the run begins, the item is dropped.
func (g *Group[T]) Do(ctx context.Context, item T) error {
	c := &Call[T]{Item: item, ctx: ctx, done: make(chan struct{})}
	first, err := g.join(c)
	if err != nil {
		return err
	}
	if first && g.runNext() {
		go g.runAll()
	}
	select {
	case <-c.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// join reports whether nothing runs, so that the caller is to run the next items.
func (g *Group[T]) join(c *Call[T]) (first bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.Most > 0 && len(g.waiting) >= g.Most {
		return false, ErrFull
	}
	g.keep(append(g.waiting, c))
	first, g.running = !g.running, true
	return first, nil
}

// keep needs g.mu.
func (g *Group[T]) keep(waiting []*Call[T]) {
	g.waiting = waiting
	if g.Waiting != nil {
		g.Waiting(len(waiting))
	}
}

// runAll runs items until none waits.
func (g *Group[T]) runAll() {
	for goOn := true; goOn; goOn = g.runNext() {
		runtime.Gosched() // those who are about to come join the next run
	}
}

// runNext runs the next items, and reports whether the caller is to go on with those that wait then. When the run takes
// long, another goroutine goes on.
func (g *Group[T]) runNext() (goOn bool) {
	g.rest()
	calls := g.take()
	if len(calls) == 0 {
		return g.wanted()
	}
	endured := func() bool { return true }
	if g.Patience > 0 {
		endured = time.AfterFunc(g.Patience, g.runAll).Stop
	}
	g.run(calls)
	return endured() && g.wanted()
}

// rest waits until the next run may begin.
func (g *Group[T]) rest() {
	if g.Every == 0 {
		return
	}
	g.mu.Lock()
	wait := time.Until(g.begun.Add(g.Every))
	g.mu.Unlock()
	time.Sleep(wait)
	g.mu.Lock()
	g.begun = time.Now()
	g.mu.Unlock()
}

func (g *Group[T]) run(calls []*Call[T]) {
	items := make([]T, len(calls))
	for i, c := range calls {
		items[i] = c.Item
	}
	g.Run(items)
	for _, c := range calls {
		close(c.done)
	}
}

// take takes the calls of the next run, without those whose callers have given up.
func (g *Group[T]) take() (taken []*Call[T]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var left []*Call[T]
	for _, c := range g.waiting {
		if c.ctx.Err() == nil {
			taken = append(taken, c)
		}
	}
	if g.Next != nil {
		taken, left = g.Next(taken)
	}
	g.keep(left)
	return taken
}

// wanted reports whether something waits. If not, the next caller runs its own item.
func (g *Group[T]) wanted() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running = len(g.waiting) > 0
	return g.running
}
