package checker_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/simulation/history"
)

func TestStops(t *testing.T) {
	t.Parallel()
	stopped := func(status int, took time.Duration) step {
		return noted(history.Stopped, history.Value{Status: status, Length: took})
	}
	healed := noted(history.Healed, history.Value{})
	tell(t, []tale{
		{"a node that takes its time", "", []step{healed, until(time.Hour), stopped(0, 16*time.Second)}},
		{"a node that takes too long", "stops", []step{healed, until(time.Hour), stopped(0, 17*time.Second)}},
		{"an error while something is broken", "", []step{stopped(1, 0), healed}},
		{"an error while something stays broken", "", []step{stopped(1, 0)}},
		{"an error of a stop that began while something was broken", "",
			[]step{healed, stopped(1, 2*time.Millisecond)}},
		{"an error of a stop that began when all was well", "stops", []step{healed, stopped(1, time.Millisecond)}},
	})
}
