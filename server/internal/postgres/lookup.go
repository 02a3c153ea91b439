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

// lookups finds values by their keys. Look-ups that arrive while a query is under way share the next one, so a busy
// node runs one query for many requests. Each still sees everything that was committed before it began.
type lookups[K comparable, V any] struct {
	find func(ctx context.Context, keys []K) (map[K]V, error)

	mu      sync.Mutex
	next    *lookup[K, V] // gathers keys until its turn comes
	running bool
}

// lookupTimeout is short, because the next query waits for this one.
const lookupTimeout = 3 * time.Second

// lookup is one query for several callers.
type lookup[K comparable, V any] struct {
	keys  map[K]struct{}
	found map[K]V
	err   error
	done  chan struct{} // closed when found and err are set
}

// get fails with CodeNotFound when there is no value.
func (l *lookups[K, V]) get(ctx context.Context, key K) (v V, err error) {
	found, err := l.getAll(ctx, key)
	v, ok := found[key]
	if !ok && err == nil {
		return v, core.NotFound()
	}
	return v, err
}

// getAll returns the values of some keys, perhaps among others.
func (l *lookups[K, V]) getAll(ctx context.Context, keys ...K) (map[K]V, error) {
	shared := l.join(ctx, keys)
	select {
	case <-shared.done:
		return shared.found, Error(shared.err)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// join adds keys to the next query, and starts a goroutine that runs queries unless there is one.
func (l *lookups[K, V]) join(ctx context.Context, keys []K) *lookup[K, V] {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next == nil {
		l.next = &lookup[K, V]{keys: map[K]struct{}{}, done: make(chan struct{})}
	}
	for _, key := range keys {
		l.next.keys[key] = struct{}{}
	}
	if !l.running {
		l.running = true
		go l.run(context.WithoutCancel(ctx))
	}
	return l.next
}

// run runs queries until no key is waiting.
func (l *lookups[K, V]) run(ctx context.Context) {
	for {
		runtime.Gosched() // requests that are ready to run join the next query
		l.mu.Lock()
		current := l.next
		l.next = nil
		l.running = current != nil
		l.mu.Unlock()
		if current == nil {
			return
		}
		l.query(ctx, current)
	}
}

func (l *lookups[K, V]) query(ctx context.Context, current *lookup[K, V]) {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	defer close(current.done)
	defer func() {
		if panicked := recover(); panicked != nil {
			current.err = fmt.Errorf("look-up panicked: %v", panicked)
		}
	}()
	current.found, current.err = l.find(ctx, slices.Collect(maps.Keys(current.keys)))
}

// byteSlices returns keys, which are bytes, as an argument of a hot statement.
func byteSlices(keys []string) [][]byte {
	bytes := make([][]byte, len(keys))
	for i, k := range keys {
		bytes[i] = []byte(k)
	}
	return bytes
}
