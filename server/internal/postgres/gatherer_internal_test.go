package postgres

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// TestGathererDoesNotWaitForOne wants a statement that takes long to hold up the next only for a short time.
func TestGathererDoesNotWaitForOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const slow, quick = 1, 2
		g := newGatherer(func(ctx context.Context, keys []int) (map[int]string, error) {
			if keys[0] == slow {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return map[int]string{quick: "found"}, nil
		})
		failed := make(chan error)
		go func() {
			_, err := g.get(t.Context(), slow)
			failed <- err
		}()
		synctest.Wait()
		began := time.Now()
		got, err := g.get(t.Context(), quick)
		if err != nil || got != "found" {
			t.Errorf("statement after a slow one: got %q, %v; want %q", got, err, "found")
		}
		if took := time.Since(began); took != gatherPatience {
			t.Errorf("wait for a slow statement: got %s, want %s", took, gatherPatience)
		}
		if err := <-failed; !core.IsCode(err, core.CodeUnavailable) || time.Since(began) != gatherTimeout {
			t.Errorf("slow statement: got %v after %s, want CodeUnavailable after %s", err, time.Since(began), gatherTimeout)
		}
	})
}

// TestGathererTakesTheLatestPosition reads at the latest of the positions that the requests of a statement need, also
// when they join in another order while an earlier one is under way.
func TestGathererTakesTheLatestPosition(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		proceed := make(chan struct{})
		var needed []position // by the statements
		g := newGatherer(func(ctx context.Context, _ []int) (map[int]string, error) {
			needed = append(needed, ctx.Value(wantedKey{}).(position))
			<-proceed
			return nil, nil
		})
		for i, wanted := range []position{1, 2, 4, 3} {
			go func() { _, _ = g.getAll(context.WithValue(t.Context(), wantedKey{}, wanted), i) }()
			synctest.Wait()
		}
		close(proceed)
		synctest.Wait()
		if want := []position{1, 4}; !slices.Equal(needed, want) {
			t.Errorf("positions of the statements: got %v, want %v", needed, want)
		}
	})
}
