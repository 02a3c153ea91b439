package delivery

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/pgtest"
)

// TestPacer has a chunk that takes 100 s of the quota, so that a busy machine changes no figure by more than the slack.
func TestPacer(t *testing.T) {
	t.Parallel()
	db := pgtest.DB(t)
	const chunk, perMinute = 500, 300 // 100 s
	const slack = 30 * time.Second
	between := func(what string, got, least, most time.Duration) {
		t.Helper()
		if got < least || got > most {
			t.Errorf("%s: got %s, want %s to %s", what, got, least, most)
		}
	}
	reserveFor := func(patience time.Duration) (wait, later time.Duration) {
		t.Helper()
		wait, later, err := reserve(t.Context(), db, chunk, perMinute, patience)
		if err != nil {
			t.Fatal("reserve:", err)
		}
		return wait, later
	}
	wait, later := reserveFor(10 * time.Second)
	between("the first chunk waits", wait, 0, 0)
	between("the first chunk comes later", later, 0, 0)
	for range 10 { // a refused caller takes nothing, however often it asks
		_, later = reserveFor(10 * time.Second)
		between("a caller without patience comes later", later, 90*time.Second-slack, 90*time.Second)
	}
	wait, _ = reserveFor(2 * time.Minute)
	between("the second chunk waits for the first", wait, 100*time.Second-slack, 100*time.Second)
	for _, length := range []time.Duration{10 * time.Minute, time.Minute} { // the shorter does not end the longer
		if err := pause(t.Context(), db, length, core.CauseQuota); err != nil {
			t.Fatal("pause:", err)
		}
	}
	_, later = reserveFor(time.Hour)
	between("while paused", later, 10*time.Minute-slack, 10*time.Minute)
	left, cause, err := paused(t.Context(), db)
	if err != nil {
		t.Fatal("paused:", err)
	}
	between("the pause", left, 10*time.Minute-slack, 10*time.Minute)
	if cause != core.CauseQuota {
		t.Errorf("cause of the pause: got %q, want %q", cause, core.CauseQuota)
	}
}
