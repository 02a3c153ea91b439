package group_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sininho/sininho/server/internal/group"
	"github.com/sininho/sininho/server/lab/check"
)

// runs is a group of numbers, whose runs last until they are let go on.
type runs struct {
	*group.Group[int]
	goOn chan struct{}
	mu   sync.Mutex
	of   [][]int
	errs [10]error // by number
}

func newRuns() *runs {
	r := &runs{goOn: make(chan struct{})}
	r.Group = &group.Group[int]{Run: func(items []int) {
		r.mu.Lock()
		r.of = append(r.of, items)
		r.mu.Unlock()
		<-r.goOn
	}}
	return r
}

// ran returns the items of the runs that have begun.
func (r *runs) ran() [][]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.of)
}

// start runs the numbers, each in a goroutine of its own, in their order.
func (r *runs) start(ctx context.Context, all *sync.WaitGroup, items ...int) {
	for _, item := range items {
		all.Go(func() { r.errs[item] = r.Do(ctx, item) })
		synctest.Wait()
	}
}

// TestThoseWhoWaitShareARun has four callers: the first is served at once, the others together.
func TestThoseWhoWaitShareARun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRuns()
		var most atomic.Int64
		r.Waiting = func(n int) { most.Store(max(most.Load(), int64(n))) }
		var all sync.WaitGroup
		r.start(t.Context(), &all, 1, 2, 3, 4)
		check.Equal(t, "runs while the first lasts", len(r.ran()), 1)
		r.goOn <- struct{}{}
		r.goOn <- struct{}{}
		all.Wait()
		if want := [][]int{{1}, {2, 3, 4}}; !slices.EqualFunc(r.ran(), want, slices.Equal) {
			t.Errorf("runs: got %v, want %v", r.ran(), want)
		}
		check.Equal(t, "callers who waited at once", most.Load(), 3)
		r.start(t.Context(), &all, 5)
		check.Equal(t, "runs with one who comes when nothing runs", len(r.ran()), 3)
		r.goOn <- struct{}{}
		all.Wait()
		for item, err := range r.errs {
			if err != nil {
				t.Errorf("item %d: %v", item, err)
			}
		}
	})
}

// TestGivenUp drops an item whose caller gives up before its run, and runs one whose caller gives up later.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRuns()
		ctx, giveUp := context.WithCancel(t.Context())
		var all sync.WaitGroup
		r.start(ctx, &all, 1, 2)
		r.start(t.Context(), &all, 3)
		giveUp()
		synctest.Wait()
		r.goOn <- struct{}{}
		r.goOn <- struct{}{}
		all.Wait()
		if want := [][]int{{1}, {3}}; !slices.EqualFunc(r.ran(), want, slices.Equal) {
			t.Errorf("runs: got %v, want %v", r.ran(), want)
		}
		if !errors.Is(r.errs[2], context.Canceled) || r.errs[3] != nil {
			t.Errorf("errors: got %v for who gave up in time and %v for the other, want %v and none", r.errs[2], r.errs[3],
				context.Canceled)
		}
	})
}

// TestNext leaves items for later runs.
func TestNext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRuns()
		r.Next = func(waiting []*group.Call[int]) (taken, left []*group.Call[int]) {
			return waiting[:1], waiting[1:]
		}
		var all sync.WaitGroup
		r.start(t.Context(), &all, 1, 2, 3)
		for range 3 {
			r.goOn <- struct{}{}
		}
		all.Wait()
		if want := [][]int{{1}, {2}, {3}}; !slices.EqualFunc(r.ran(), want, slices.Equal) {
			t.Errorf("runs: got %v, want %v", r.ran(), want)
		}
	})
}

// TestFull refuses those for whom there is no room.
func TestFull(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRuns()
		r.Most = 1
		var all sync.WaitGroup
		r.start(t.Context(), &all, 1, 2, 3)
		r.goOn <- struct{}{}
		r.goOn <- struct{}{}
		all.Wait()
		if !errors.Is(r.errs[3], group.ErrFull) {
			t.Errorf("error of the third: got %v, want %v", r.errs[3], group.ErrFull)
		}
		check.Equal(t, "runs", len(r.ran()), 2)
	})
}

// TestPatience begins the next run beside one that takes too long.
func TestPatience(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const slow, quick = 1, 2
		goOn := make(chan struct{})
		g := group.Group[int]{Patience: time.Second, Run: func(items []int) {
			if items[0] == slow {
				<-goOn
			}
		}}
		var all sync.WaitGroup
		all.Go(func() { _ = g.Do(t.Context(), slow) })
		synctest.Wait()
		began := time.Now()
		err := g.Do(t.Context(), quick)
		if took := time.Since(began); err != nil || took != g.Patience {
			t.Errorf("wait for a slow run: got %s and %v, want %s", took, err, g.Patience)
		}
		close(goOn)
		all.Wait()
		began = time.Now()
		if err := g.Do(t.Context(), quick); err != nil || time.Since(began) != 0 {
			t.Errorf("wait when nothing runs: got %s and %v, want none", time.Since(began), err)
		}
	})
}

// TestEvery serves the first caller at once, and those who come soon after it together when the next run may begin.
func TestEvery(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var of [][]int
		g := group.Group[int]{Every: time.Second, Run: func(items []int) { of = append(of, items) }}
		began := time.Now()
		for _, come := range []struct {
			items []int
			at    time.Duration // when they have been run
		}{{[]int{1}, 0}, {[]int{2, 3}, time.Second}, {[]int{4}, 2 * time.Second}} {
			var all sync.WaitGroup
			for _, item := range come.items {
				all.Go(func() { _ = g.Do(t.Context(), item) })
				synctest.Wait()
			}
			all.Wait()
			check.Equal(t, "time of a run", time.Since(began), come.at)
		}
		if want := [][]int{{1}, {2, 3}, {4}}; !slices.EqualFunc(of, want, slices.Equal) {
			t.Errorf("runs: got %v, want %v", of, want)
		}
		time.Sleep(g.Every)
		began = time.Now()
		_ = g.Do(t.Context(), 5)
		check.Equal(t, "wait after a pause", time.Since(began), 0)
	})
}
