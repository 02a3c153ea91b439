package delivery

import (
	"context"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// TestAStreamWakesOnlyWhatHasSomethingToDo wakes nothing for a notification that nobody hears: looking for devices and
// turns then took a fifth of the publishes.
func TestAStreamWakesOnlyWhatHasSomethingToDo(t *testing.T) {
	t.Parallel()
	published := placed{Published: true, Visible: true}
	heard, unheard := published, published
	heard.Heard = true
	for name, c := range map[string]struct {
		placed        []placed
		finder, turns int
	}{
		"nobody hears it":         {placed: []placed{unheard, unheard}},
		"somebody hears it":       {placed: []placed{unheard, heard, heard}, finder: 1},
		"it is corrected":         {placed: []placed{{Visible: true}}, turns: 1},
		"it is hidden":            {placed: []placed{{}}, turns: 1},
		"one of each is together": {placed: []placed{heard, {}}, finder: 1, turns: 1},
	} {
		t.Run(name, func(t *testing.T) {
			finder, turns := 0, 0
			s := NewWriter(WriterConfig{WakeFinder: func() { finder++ }, WakeTurns: func() { turns++ },
				Placed: func(context.Context, int64, []core.ID) {}, Analytics: core.NoAnalytics{}})
			s.reportPlaced(t.Context(), c.placed)
			check.Equal(t, "times that the search for devices is woken", finder, c.finder)
			check.Equal(t, "times that turns are woken", turns, c.turns)
		})
	}
}
