package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// TestRecordDeliveries records every outcome that there is, and finds it in the view.
func TestRecordDeliveries(t *testing.T) {
	t.Parallel()
	for _, d := range []core.Delivery{
		{Outcome: core.Accepted},
		{Outcome: core.Suppressed, Cause: core.CauseBell},
		{Outcome: core.Suppressed, Cause: core.CauseMuted},
		{Outcome: core.Suppressed, Cause: core.CauseUnfollowed},
		{Outcome: core.Suppressed, Cause: core.CauseRead},
		{Outcome: core.Failed, Cause: core.CauseUnregistered},
		{Outcome: core.Failed, Cause: core.CauseSenderMismatch},
		{Outcome: core.Failed, Cause: core.CauseInvalid},
		{Outcome: core.Failed, Cause: core.CauseRetired},
		{Outcome: core.Expired, Cause: core.CauseExpired},
		{Outcome: core.Expired, Cause: core.CauseWithdrawn},
	} {
		name := string(d.Outcome) + " " + d.Cause
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			devices := w.devices(t, 3)
			n := w.search(t)
			d.NotificationID, d.Place.Index = n.ID, 1
			second := d
			second.Outcome, second.Cause = core.Failed, core.CauseRetired
			if d.Cause == core.CauseRetired {
				second.Cause = core.CauseInvalid
			}
			for _, of := range []core.Delivery{d, second} {
				w.tx(t, func(ctx context.Context, tx postgres.Tx) error {
					return postgres.RecordDeliveries(ctx, tx, []core.Delivery{of})
				})
			}
			got := scan[string](t, w, `select outcome || ' ' || coalesce(cause, '') from deliveries
				where notification_id = $1 and device_id = $2`, n.ID, devices[1])
			equal(t, "outcome of the device", got, name)
			equal(t, "number of outcomes", w.count(t, "select count(*) from deliveries"), 1)
		})
	}
}

// TestRecordUnknownOutcome refuses what the view could not show.
func TestRecordUnknownOutcome(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.devices(t, 1)
	d := core.Delivery{NotificationID: w.search(t).ID, Outcome: core.Failed, Cause: "no such"}
	err := w.db.InTx(t.Context(), func(ctx context.Context, tx postgres.Tx) error {
		return postgres.RecordDeliveries(ctx, tx, []core.Delivery{d})
	})
	if err == nil {
		t.Error("record an outcome without a letter: got no error, want one")
	}
}

// TestSetRevised keeps the devices of the latest change only.
func TestSetRevised(t *testing.T) {
	t.Parallel()
	first := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	second := first.Add(time.Minute)
	at := func(index int) []core.Delivery { return []core.Delivery{{Place: core.Place{Index: index}}} }
	b := postgres.DeliveryBatch{Outcomes: "aaa"}
	for _, step := range []struct {
		what   string
		index  int
		change time.Time
		want   string
	}{
		{"the first change on a device", 0, first, "r.."},
		{"the first change on another device", 2, first, "r.r"},
		{"the second change", 1, second, ".r."},
		{"the first change after the second", 2, first, ".r."},
	} {
		b.SetRevised(at(step.index), step.change)
		equal(t, "devices after "+step.what, b.Revised, step.want)
	}
}
