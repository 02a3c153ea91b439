package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/group"
)

// gatherer runs one statement for many requests. Requests that arrive while one is under way share the next, so a busy
// node runs few. Each request still sees everything that was committed before it began.
type gatherer[K comparable, V any] struct {
	group group.Group[*gathering[K, V]]
}

const (
	// gatherPatience is how long the next statement waits for one that takes long.
	gatherPatience = 250 * time.Millisecond
	gatherTimeout  = 3 * time.Second
)

// gathering is what a request asks for, and the result.
type gathering[K comparable, V any] struct {
	ctx   context.Context
	keys  []K
	found map[K]V // perhaps with the values of other requests
	err   error
}

// newGatherer returns a gatherer by find, which returns what it has for the keys, each asked for once.
func newGatherer[K comparable, V any](find func(ctx context.Context, keys []K) (map[K]V, error)) *gatherer[K, V] {
	run := func(all []*gathering[K, V]) {
		found, err := gather(all, find)
		for _, one := range all {
			one.found, one.err = found, Error(err)
		}
	}
	return &gatherer[K, V]{group.Group[*gathering[K, V]]{Run: run, Patience: gatherPatience}}
}

// gather finds the values for all requests. It goes on when a request is given up.
func gather[K comparable, V any](
	all []*gathering[K, V], find func(ctx context.Context, keys []K) (map[K]V, error),
) (found map[K]V, err error) {
	ctx, keys := all[0].ctx, map[K]struct{}{}
	for _, one := range all {
		ctx = later(ctx, one.ctx)
		for _, key := range one.keys {
			keys[key] = struct{}{}
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), gatherTimeout)
	defer cancel()
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("gathered statement panicked: %v", panicked)
		}
	}()
	return find(ctx, slices.Collect(maps.Keys(keys)))
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
	one := &gathering[K, V]{ctx: ctx, keys: keys}
	if err := g.group.Do(ctx, one); err != nil {
		return nil, err
	}
	return one.found, one.err
}
