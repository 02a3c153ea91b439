package neighbours

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"
)

const (
	bar        = 2 * time.Second // within which everything of the reader's is done at any time
	idleRounds = 3
)

// attack prepares an attack, and returns what to do again and again until its context ends, or nil.
type attack func(h *hostile) (again func(ctx context.Context))

// beside measures the reader alone and then beside the attack, and compares.
func beside(t *testing.T, a attack) {
	t.Helper()
	n := newNeighbourhood(t)
	r, h := n.reader(), n.hostile()
	r.round(t) // what is made at the first use
	idle := times{}
	for range idleRounds {
		idle.worst(r.round(t))
	}
	for what, d := range idle {
		if d >= bar {
			t.Fatalf("%s without an attack: got %s, want less than %s", what, d, bar)
		}
	}
	again := a(h)
	ctx, stop := context.WithCancel(t.Context())
	var attacking sync.WaitGroup
	if again != nil {
		attacking.Go(func() {
			for ctx.Err() == nil {
				again(ctx)
			}
		})
	}
	disturbed := times{}
	for until := time.Now().Add(lasts()); time.Now().Before(until); {
		disturbed.worst(r.round(t))
	}
	stop()
	attacking.Wait()
	compare(t, idle, disturbed)
}

func compare(t *testing.T, idle, disturbed times) {
	t.Helper()
	for _, what := range slices.Sorted(maps.Keys(idle)) {
		limit := max(bar, 3*idle[what])
		if disturbed[what] > limit {
			t.Errorf("%s beside the attack: got %s, want at most %s (%s before)", what,
				disturbed[what].Round(time.Millisecond), limit, idle[what].Round(time.Millisecond))
			continue
		}
		t.Logf("%s: %s, beside the attack at most %s", what, idle[what].Round(time.Millisecond),
			disturbed[what].Round(time.Millisecond))
	}
}

// together runs fn that often at the same time, until all have ended.
func together(n int, fn func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { fn(i) })
	}
	all.Wait()
}
