package postgres_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func TestPruneSessionsRetiresTheirDevices(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	old := w.session(t, w.subscriber)
	in := core.Registration{InstallationID: "i1",
		Push: core.PushAddress{Kind: core.KindFCM, Address: "t1"}, Platform: "web", Name: "Chrome"}
	must3(w.RegisterDevice(t.Context(), core.Caller{SubscriberID: w.subscriber, SessionID: old}, in, w.now))
	succeed(t, "confirm the device", w.ConfirmAddress(t.Context(), in.Push.Address, w.now))
	w.now = w.now.Add(core.SessionIdle + time.Hour)
	must3(w.RegisterDevice(t.Context(), w.caller(t, w.subscriber), in, w.now))
	for _, step := range []struct {
		after time.Duration
		want  int64
	}{{0, 1}, {core.SessionIdle - time.Hour, 1}, {2 * time.Hour, 0}} {
		w.now = w.now.Add(step.after)
		succeed(t, "prune", w.Prune(t.Context(), w.now))
		w.wantDevices(t, "devices after another "+step.after.String(), w.subscriber, step.want)
	}
}
