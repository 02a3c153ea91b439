package postgres_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
)

func TestDeliverySummary(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	scheduled := w.schedule(t, "scheduled", w.now.AddDate(0, 0, 1))
	check := func(what string, id core.ID, want core.DeliverySummary) {
		t.Helper()
		got, err := w.DeliverySummary(t.Context(), w.channel.ID, id)
		if err != nil {
			t.Errorf("%s: delivery summary: %v", what, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: delivery summary (-want +got):\n%s", what, diff)
		}
	}
	check("scheduled", scheduled.ID, core.DeliverySummary{})

	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	devices := map[string]core.ID{}
	for _, name := range []string{"a", "b", "c", "d"} {
		in := core.Registration{InstallationID: name,
			Push: core.PushAddress{Kind: core.KindFCM, Address: name}, Platform: "web", Name: name}
		devices[name] = must3(w.RegisterDevice(t.Context(), w.caller(t, w.subscriber), in, w.now)).ID
	}
	n := w.publish(t, "n")
	check("claimed", n.ID, core.DeliverySummary{})
	find := func(each int) {
		t.Helper()
		w.find(t, n.ID, each)
	}
	find(3)
	check("three devices found", n.ID, core.DeliverySummary{Targeted: 3, Pending: 3})
	find(3)
	check("all devices found", n.ID, core.DeliverySummary{Targeted: 4, Pending: 4})
	record := func(device string, outcome core.Outcome, cause string) {
		t.Helper()
		w.record(t, n, devices[device], outcome, cause)
	}
	record("a", core.Accepted, "")
	record("b", core.Failed, core.CauseInvalid)
	record("c", core.Failed, core.CauseUnregistered)
	succeed(t, "display", w.RecordDisplayed(t.Context(), w.subscriber, nil, []core.ID{n.ID}))
	must(w.RecordOpened(t.Context(), w.subscriber, n.ID, w.now))
	want := core.DeliverySummary{
		Targeted: 4, Pending: 1, Accepted: 1, Failed: map[string]int64{"invalid": 1, "unregistered": 1},
		Displayed: 1, Opened: 1,
	}
	check("one pending", n.ID, want)
	record("d", core.Expired, core.CauseWithdrawn)
	want.Pending, want.Expired = 0, core.Causes{core.CauseWithdrawn: 1}
	want.Finished = true
	check("finished", n.ID, want)
	for _, ids := range [][2]core.ID{{w.channel.ID, core.NewID()}, {core.NewID(), n.ID}} {
		if _, err := w.DeliverySummary(t.Context(), ids[0], ids[1]); !core.IsCode(err, core.CodeNotFound) {
			t.Errorf("delivery summary of channel and notification %v: got %v, want CodeNotFound", ids, err)
		}
	}
}
