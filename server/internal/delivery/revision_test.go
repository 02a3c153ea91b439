package delivery_test

import (
	"slices"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/eventually"
)

func TestRevisions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	again := core.Result{Cause: core.CauseUnavailable}
	w.pushes.answers["flaky"] = []core.Result{{Outcome: core.Accepted}, again, again}
	w.pushes.answers["refused"] = []core.Result{{Outcome: core.Failed, Cause: core.CauseInvalid}}
	w.pushes.answers["gone"] = []core.Result{{Outcome: core.Accepted}, {Outcome: core.Failed, Cause: core.CauseUnregistered, Retire: true}}
	for _, address := range []string{"well", "flaky", "refused", "gone", "reader"} {
		w.follower(address, core.BellAll, false)
	}
	w.follower("off", core.BellNone, false)
	w.start()
	id := w.publish(nil)
	w.outcomes(id, 6)
	if _, err := w.db.Pool().Exec(t.Context(), `insert into receipts (subscriber_id, notification_id, read, read_at)
		select id, $1, true, now() from subscribers where google_subject = 'reader'`, id); err != nil {
		t.Fatal(err)
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
		t.Errorf("the well one was told %q", got)
	}
	for _, address := range []string{"refused", "reader", "off"} {
		if got := revised(address); len(got) > 0 {
			t.Errorf("%s was told %q", address, got)
		}
	}
	if got := revised("gone"); len(got) != 1 {
		t.Errorf("who is gone was told %q", got)
	}
	for device, outcome := range w.outcomes(id, 6) {
		if outcome == "expired withdrawn" {
			t.Errorf("the outcome of %s was changed", device)
		}
	}
	soon := now().Add(time.Hour)
	id = w.publish(func(n *core.Notification) { n.ExpiresAt = &soon })
	w.outcomes(id, 5)
	w.ahead.Store(int64(time.Hour + time.Minute))
	eventually.True(t, "the expiry", func() bool { return len(revised("well")) == 3 && revised("well")[2] == "withdrawn t" })
}

func TestRevisionOfWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pushes.block = make(chan struct{})
	w.follower("slow", core.BellAll, false)
	w.start()
	id := w.publish(nil)
	eventually.True(t, "the send", func() bool {
		var running int
		err := w.db.Pool().QueryRow(t.Context(), "select count(*) from river_job where kind = 'send' and state = 'running'").Scan(&running)
		return err == nil && running == 1
	})
	w.correct(id, func(n *core.Notification, _ time.Time) { n.Title = "corrigida" })
	eventually.True(t, "the first look", func() bool {
		var over int
		err := w.db.Pool().QueryRow(t.Context(), "select count(*) from river_job where kind = 'revise' and state = 'completed'").Scan(&over)
		return err == nil && over == 1
	})
	close(w.pushes.block)
	w.outcomes(id, 1)
	eventually.True(t, "the second look", func() bool {
		w.pushes.mu.Lock()
		defer w.pushes.mu.Unlock()
		return slices.Equal(w.pushes.revised["slow"], []string{"corrected corrigida"})
	})
}
