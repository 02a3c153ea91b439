package delivery

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// TestOutcomesAreSavedAgain loses the connection to the database while outcomes are saved. They are saved again until
// another node may take the turns, because without them the pushes would be repeated.
func TestOutcomesAreSavedAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		failures int
		err      error
		want     error
	}{
		"healed":     {failures: 3, err: errLost},
		"not healed": {failures: 1_000, err: errLost, want: errLost},
		"refused":    {failures: 1, err: errRefused, want: errRefused},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				attempts, began := 0, time.Now()
				err := insistently(t.Context(), began.Add(takenFor), func(ctx context.Context) error {
					if end, _ := ctx.Deadline(); end != began.Add(takenFor) {
						t.Errorf("time until which outcomes may be saved: got %s, want %s", end.Sub(began), takenFor)
					}
					if attempts++; attempts <= c.failures {
						return c.err
					}
					return nil
				})
				if !errors.Is(err, c.want) {
					t.Errorf("saving the outcomes: got %v, want %v", err, c.want)
				}
				if took := time.Since(began); took > takenFor {
					t.Errorf("time for saving the outcomes: got %s, want at most %s", took, takenFor)
				}
			})
		})
	}
}

var errLost, errRefused = core.Unavailable(errors.New("connection lost")), errors.New("refused")

// TestATurnIsParkedUntilTheFirstOfItMayGo parks a turn until the first of its devices may be tried, and at the latest
// until the push expires. One that waits for its share waits for a part of its age at least.
func TestATurnIsParkedUntilTheFirstOfItMayGo(t *testing.T) {
	t.Parallel()
	const m = time.Minute
	for name, c := range map[string]struct {
		later        []time.Duration
		expires, age time.Duration
		paced        bool
		want         time.Duration
	}{
		"the first device":  {later: []time.Duration{2 * m, m, 3 * m}, expires: 9 * m, want: m},
		"the expiry":        {later: []time.Duration{4 * m}, expires: 3 * m, want: 3 * m},
		"old and not paced": {later: []time.Duration{0}, expires: 9 * m, age: 8 * m, want: 0},
		"old and paced":     {later: []time.Duration{0}, expires: 9 * m, age: 8 * m, paced: true, want: m},
		"very old":          {later: []time.Duration{0}, expires: 9 * m, age: 24 * 60 * m, paced: true, want: longestPaced},
	} {
		now, turn := time.Now(), &turn{age: c.age}
		r := run{d: &Dispatcher{Config: Config{Now: func() time.Time { return now }}}}
		for _, later := range c.later {
			r.items = append(r.items, &item{turn: turn, later: later, paced: c.paced,
				push: &core.Push{Expires: now.Add(c.expires)}})
		}
		r.park()
		if !turn.left || turn.again != c.want {
			t.Errorf("%s: got the turn left %v, for %s; want it for %s", name, turn.left, turn.again, c.want)
		}
	}
}
