package postgres_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func TestPacer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const patience = 100 * time.Millisecond
	wait, later, err := w.Reserve(t.Context(), 500, 60_000, patience)
	if err != nil || wait > 100*time.Millisecond || later != 0 {
		t.Fatal(wait, later, err)
	}
	for range 10 { // who does not want to wait that long takes nothing, however often it asks
		if _, later, err = w.Reserve(t.Context(), 500, 60_000, patience); err != nil || later < 200*time.Millisecond || later > 400*time.Millisecond {
			t.Error("not so long:", later, err)
		}
	}
	if wait, _, err = w.Reserve(t.Context(), 500, 60_000, time.Second); err != nil || wait < 300*time.Millisecond || wait > 500*time.Millisecond {
		t.Error("the second chunk waits for the first:", wait, err)
	}
	if err := w.Pause(t.Context(), time.Minute, core.CauseQuota); err != nil {
		t.Fatal(err)
	}
	if _, later, err = w.Reserve(t.Context(), 1, 60_000, time.Second); err != nil || later < 50*time.Second || later > time.Minute {
		t.Error(later, err)
	}
	if paused, cause, err := w.Paused(t.Context()); err != nil || cause != core.CauseQuota || paused < 50*time.Second {
		t.Error(paused, cause, err)
	}
}
