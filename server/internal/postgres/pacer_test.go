package postgres_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func TestPacer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const (
		perMinute = 600 // a chunk of 500 takes 50 seconds
		patience  = 100 * time.Millisecond
	)
	wait, later, err := w.Reserve(t.Context(), 500, perMinute, patience)
	if err != nil || wait > patience || later != 0 {
		t.Fatal(wait, later, err)
	}
	for range 10 { // who does not want to wait that long takes nothing, however often it asks
		if _, later, err = w.Reserve(t.Context(), 500, perMinute, patience); err != nil || later < 30*time.Second || later > 50*time.Second {
			t.Error("not so long:", later, err)
		}
	}
	if wait, _, err = w.Reserve(t.Context(), 500, perMinute, time.Minute); err != nil || wait < 30*time.Second || wait > 50*time.Second {
		t.Error("the second chunk waits for the first:", wait, err)
	}
	if err := w.Pause(t.Context(), time.Minute, core.CauseQuota); err != nil {
		t.Fatal(err)
	}
	if _, later, err = w.Reserve(t.Context(), 1, perMinute, 2*time.Minute); err != nil || later < 30*time.Second || later > time.Minute {
		t.Error(later, err)
	}
	if paused, cause, err := w.Paused(t.Context()); err != nil || cause != core.CauseQuota || paused < 30*time.Second {
		t.Error(paused, cause, err)
	}
}
