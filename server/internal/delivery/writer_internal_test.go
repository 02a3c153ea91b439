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
	published := positioned{Published: true, Visible: true}
	heard, unheard := published, published
	heard.Heard = true
	for name, c := range map[string]struct {
		positioned    []positioned
		finder, turns int
	}{
		"nobody hears it":         {positioned: []positioned{unheard, unheard}},
		"somebody hears it":       {positioned: []positioned{unheard, heard, heard}, finder: 1},
		"it is corrected":         {positioned: []positioned{{Visible: true}}, turns: 1},
		"it is hidden":            {positioned: []positioned{{}}, turns: 1},
		"one of each is together": {positioned: []positioned{heard, {}}, finder: 1, turns: 1},
	} {
		t.Run(name, func(t *testing.T) {
			finder, turns := 0, 0
			s := NewWriter(WriterConfig{WakeFinder: func() { finder++ }, WakeTurns: func() { turns++ },
				Positioned: func(context.Context, int64, []core.ID) {}, Analytics: core.NoAnalytics{}})
			s.reportPositioned(t.Context(), c.positioned)
			check.Equal(t, "times that the search for devices is woken", finder, c.finder)
			check.Equal(t, "times that turns are woken", turns, c.turns)
		})
	}
}
