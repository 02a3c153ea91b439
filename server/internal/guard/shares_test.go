package guard_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/guard"
)

// TestAHolderTakesOnlyItsPart expects somebody who asks for everything to leave room for others.
func TestAHolderTakesOnlyItsPart(t *testing.T) {
	t.Parallel()
	s := guard.NewShares[string](8, 2)
	var releases []func()
	for range 2 {
		releases = append(releases, take(t, s, "greedy", 1))
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Take(done, "greedy", 1); !errors.Is(err, context.Canceled) {
		t.Errorf("third share of a holder with a part of 2: got error %v, want %v", err, context.Canceled)
	}
	take(t, s, "modest", 2)()
	for _, release := range releases {
		release()
	}
	if got := s.Used(); got != 0 {
		t.Errorf("taken after all was given back: got %d, want 0", got)
	}
	if got := s.Waiting(); got != 0 {
		t.Errorf("requests that wait at the end: got %d, want 0", got)
	}
}

// TestWhoAsksForMoreThanAPartGetsThePart expects no request to wait for ever.
func TestWhoAsksForMoreThanAPartGetsThePart(t *testing.T) {
	t.Parallel()
	s := guard.NewShares[string](8, 2)
	take(t, s, "greedy", 100)()
}

// TestHoldersTakeTurns has one holder ask ten times before another asks once, for a whole that fits one at a time.
func TestHoldersTakeTurns(t *testing.T) {
	t.Parallel()
	s := guard.NewShares[string](1, 1)
	first := take(t, s, "first", 1)
	var mu sync.Mutex
	var order []string
	var wg sync.WaitGroup
	ask := func(key string, waiting int) {
		wg.Go(func() {
			release, err := s.Take(t.Context(), key, 1)
			if err != nil {
				t.Errorf("take a share: %v", err)
				return
			}
			mu.Lock()
			order = append(order, key)
			mu.Unlock()
			release()
		})
		eventually.True(t, "the request to wait", func() bool { return s.Waiting() == waiting })
	}
	for i := range 10 {
		ask("often", i+1)
	}
	ask("once", 11)
	first()
	wg.Wait()
	if got := slices.Index(order, "once"); got != 1 {
		t.Errorf("turn of the one who asked once: got %d of %v, want 1", got, order)
	}
}

// TestALargeRequestIsNotOvertaken expects small requests that arrive later to wait for one that needs everything.
func TestALargeRequestIsNotOvertaken(t *testing.T) {
	t.Parallel()
	s := guard.NewShares[string](4, 4)
	first := take(t, s, "first", 1)
	var wg sync.WaitGroup
	wg.Go(func() { take(t, s, "large", 4)() })
	eventually.True(t, "the large request to wait", func() bool { return s.Waiting() == 1 })
	wg.Go(func() { take(t, s, "small", 1)() })
	eventually.True(t, "the small request to wait", func() bool { return s.Waiting() == 2 })
	first()
	wg.Wait()
}

func take(t *testing.T, s *guard.Shares[string], key string, size int64) (release func()) {
	t.Helper()
	release, err := s.Take(t.Context(), key, size)
	if err != nil {
		t.Fatalf("take a share of %d for %s: %v", size, key, err)
	}
	return release
}
