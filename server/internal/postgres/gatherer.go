package postgres

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// gatherer runs one statement for many requests. Requests that arrive while one is under way share the next, so a busy
// node runs few. Each request still sees everything that was committed before it began.
type gatherer[K comparable, V any] struct {
	// run returns what it has for the keys: those asked for, each once.
	run func(ctx context.Context, keys []K) (map[K]V, error)

	mu      sync.Mutex
	next    *gathering[K, V] // waits for its turn
	running bool
}

const (
	// gatherPatience is how long the next statement waits for one that takes long.
	gatherPatience = 250 * time.Millisecond
	gatherTimeout  = 3 * time.Second
)

// gathering is one statement for several callers.
type gathering[K comparable, V any] struct {
	ctx   context.Context // of the caller that needs the latest position; it may be cancelled, the statement is not
	keys  map[K]struct{}
	found map[K]V
	err   error
	done  chan struct{} // closed when found and err are set
}

// get fails with CodeNotFound when there is no value.
func (g *gatherer[K, V]) get(ctx context.Context, key K) (v V, err error) {
	found, err := g.getAll(ctx, key)
	v, ok := found[key]
	if !ok && err == nil {
		return v, core.NotFound()
	}
	return v, err
}

// getAll returns the values of some keys, perhaps among others.
func (g *gatherer[K, V]) getAll(ctx context.Context, keys ...K) (map[K]V, error) {
	shared := g.join(ctx, keys)
	select {
	case <-shared.done:
		return shared.found, Error(shared.err)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// join adds keys to the next statement, and starts a goroutine that runs statements unless there is one.
func (g *gatherer[K, V]) join(ctx context.Context, keys []K) *gathering[K, V] {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.next == nil {
		g.next = &gathering[K, V]{ctx: ctx, keys: map[K]struct{}{}, done: make(chan struct{})}
	}
	g.next.ctx = later(g.next.ctx, ctx)
	for _, key := range keys {
		g.next.keys[key] = struct{}{}
	}
	if !g.running {
		g.running = true
		go g.runAll()
	}
	return g.next
}

// runAll runs statements until no key is waiting. When one takes long, another goroutine runs the next ones.
func (g *gatherer[K, V]) runAll() {
	for {
		runtime.Gosched() // requests that are ready to run join the next statement
		current := g.take()
		if current == nil {
			return
		}
		successor := time.AfterFunc(gatherPatience, g.runAll)
		g.runOne(current)
		if !successor.Stop() {
			return
		}
	}
}

// take returns the keys of the next statement, or nil when none is waiting.
func (g *gatherer[K, V]) take() *gathering[K, V] {
	g.mu.Lock()
	defer g.mu.Unlock()
	current := g.next
	g.next = nil
	g.running = current != nil
	return current
}

func (g *gatherer[K, V]) runOne(current *gathering[K, V]) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(current.ctx), gatherTimeout)
	defer cancel()
	defer close(current.done)
	defer func() {
		if panicked := recover(); panicked != nil {
			current.err = fmt.Errorf("gathered statement panicked: %v", panicked)
		}
	}()
	current.found, current.err = g.run(ctx, slices.Collect(maps.Keys(current.keys)))
}
