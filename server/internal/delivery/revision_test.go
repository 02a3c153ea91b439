package delivery_test

import (
	"slices"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
)

// TestRevisions sends corrections and withdrawals to the devices that show the notification, and to no others.
func TestRevisions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	again := core.Result{Cause: core.CauseUnavailable}
	w.pushes.results["flaky"] = []core.Result{{Outcome: core.Accepted}, again, again}
	w.pushes.results["refused"] = []core.Result{{Outcome: core.Failed, Cause: core.CauseInvalid}}
	w.pushes.results["gone"] = []core.Result{
		{Outcome: core.Accepted}, {Outcome: core.Failed, Cause: core.CauseUnregistered, Retire: true},
	}
	for _, address := range []string{"well", "flaky", "refused", "gone", "reader"} {
		w.follower(address, core.BellAll, false)
	}
	w.follower("off", core.BellNone, false)
	w.start()
	id := w.publish(nil)
	w.outcomes(id, 6)
	if _, err := w.db.Pool().Exec(t.Context(), `insert into receipts (subscriber_id, notification_id, read, read_at)
		select id, $1, true, now() from subscribers where name = 'reader'`, id); err != nil {
		t.Fatalf("insert a receipt: %v", err)
	}
	revised := func(address string) []string {
		w.pushes.mu.Lock()
		defer w.pushes.mu.Unlock()
		return slices.Clone(w.pushes.revised[address])
	}
	w.correct(id, func(n *core.Notification, _ time.Time) { n.Title = "corrigida" })
	eventually.True(t, "the correction", func() bool {
		return len(revised("well")) == 1 && len(revised("flaky")) == 3 && len(revised("gone")) == 1
	})
	w.correct(id, func(n *core.Notification, at time.Time) { n.WithdrawnAt, n.Visible = &at, false })
	eventually.True(t, "the withdrawal", func() bool { return len(revised("well")) == 2 && len(revised("flaky")) == 4 })
	if got := revised("well"); !slices.Equal(got, []string{"corrected corrigida", "withdrawn corrigida"}) {
		t.Errorf("revisions pushed to well: got %q, want the correction and the withdrawal", got)
	}
	for _, address := range []string{"refused", "reader", "off"} {
		if got := revised(address); len(got) > 0 {
			t.Errorf("revisions pushed to %s: got %q, want none", address, got)
		}
	}
	if got := revised("gone"); len(got) != 1 {
		t.Errorf("revisions pushed to gone: got %q, want one", got)
	}
	for device, outcome := range w.outcomes(id, 6) {
		if outcome == "expired withdrawn" {
			t.Errorf("outcome of %s: got %q, want it unchanged", device, outcome)
		}
	}
	soon := now().Add(time.Hour)
	id = w.publish(func(n *core.Notification) { n.ExpiresAt = &soon })
	w.outcomes(id, 5)
	w.ahead.Store(int64(time.Hour + time.Minute))
	eventually.True(t, "the expiry",
		func() bool { return len(revised("well")) == 3 && revised("well")[2] == "withdrawn t" })
}

// TestRevisionDuringAPush corrects a notification while it is being pushed.
func TestRevisionDuringAPush(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pushes.block = make(chan struct{})
	w.follower("slow", core.BellAll, false)
	w.start()
	id := w.publish(nil)
	eventually.True(t, "the send", func() bool {
		var running int
		err := w.db.Pool().QueryRow(t.Context(),
			"select count(*) from turns where kind = 'send' and parked").Scan(&running)
		return err == nil && running == 1
	})
	w.correct(id, func(n *core.Notification, _ time.Time) { n.Title = "corrigida" })
	eventually.True(t, "the first look", func() bool {
		var left int
		err := w.db.Pool().QueryRow(t.Context(), "select count(*) from turns where kind = 'revise'").Scan(&left)
		return err == nil && left == 1
	})
	close(w.pushes.block)
	w.outcomes(id, 1)
	eventually.True(t, "the second look", func() bool {
		w.pushes.mu.Lock()
		defer w.pushes.mu.Unlock()
		return slices.Equal(w.pushes.revised["slow"], []string{"corrected corrigida"})
	})
}
