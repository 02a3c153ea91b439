package postgres_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func TestPrune(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	old := w.session(t, w.subscriber)
	in := core.DeviceInput{InstallationID: "i1", Kind: "token", Address: "t1", Platform: "web", Name: "Chrome"}
	must3(w.RegisterDevice(t.Context(), w.subscriber, old, in, w.now))
	w.now = w.now.Add(core.SessionIdle + time.Hour)
	back := w.session(t, w.subscriber)
	must3(w.RegisterDevice(t.Context(), w.subscriber, back, in, w.now))
	devices := func() int64 {
		_, total, err := w.Devices(t.Context(), w.subscriber, core.Page{Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		return total
	}
	for _, step := range []struct {
		after time.Duration
		want  int64
	}{{0, 1}, {core.SessionIdle - time.Hour, 1}, {2 * time.Hour, 0}} {
		w.now = w.now.Add(step.after)
		if err := w.Prune(t.Context(), w.now); err != nil || devices() != step.want {
			t.Errorf("after %s: %d devices, %v", step.after, devices(), err)
		}
	}
}
