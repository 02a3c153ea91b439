package delivery_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// owner finds the person with a device.
func (w *world) owner(address string) (id core.ID) {
	w.t.Helper()
	err := w.db.Pool().QueryRow(w.t.Context(), `select subscriber_id from devices where address = $1`, address).Scan(&id)
	if err != nil {
		w.t.Fatalf("find the owner of %s: %v", address, err)
	}
	return id
}

func (w *world) postpone(address string, id core.ID, until time.Time) {
	w.t.Helper()
	patch := core.ReceiptPatch{SnoozedUntil: core.Patch[time.Time]{Set: true, Value: &until}}
	must(w.UpdateReceipt(w.t.Context(), w.owner(address), id, patch, now()))
}

func (w *world) execute(sql string, args ...any) {
	w.t.Helper()
	if _, err := w.db.Pool().Exec(w.t.Context(), sql, args...); err != nil {
		w.t.Fatalf("%s: %v", sql, err)
	}
}

func (w *world) checkTitles(address string, want ...string) {
	w.t.Helper()
	check.Equal(w.t, "titles pushed to "+address, w.titlesAt(address), want)
}

// TestPostponed expects what people have postponed to be announced and pushed once by two nodes, as it is then: to
// those whose bell is not silent, who still follow the channel and have not read it, and after their quiet hours.
func TestPostponed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for address, bell := range map[string]core.Bell{"all": core.BellAll, "left": core.BellAll, "sleeper": core.BellAll,
		"important": core.BellImportant, "none": core.BellNone} {
		w.follower(address, bell, false)
	}
	w.follower("muted", core.BellAll, true)
	w.start()
	w.start()
	important := func(n *core.Notification) { n.Importance = core.Important }
	one, withdrawn := w.publish(important), w.publish(important)
	for _, address := range []string{"all", "left", "sleeper", "important"} {
		eventually.True(t, "the first pushes to "+address, func() bool { return len(w.titlesAt(address)) == 2 })
	}
	until := now().Add(30 * time.Minute)
	for _, address := range []string{"all", "left", "sleeper", "important", "none", "muted"} {
		w.postpone(address, one, until)
	}
	w.postpone("all", withdrawn, until)
	w.correct(one, func(n *core.Notification, _ time.Time) { n.Title = "corrected" })
	w.correct(withdrawn, func(n *core.Notification, at time.Time) { n.WithdrawnAt, n.Visible = &at, false })
	if err := w.Unsubscribe(t.Context(), w.owner("left"), w.channel.ID, now()); err != nil {
		t.Fatalf("unfollow: %v", err)
	}
	w.execute("update subscribers set quiet_start = $1::time, quiet_end = $2::time, timezone = 'UTC' where name = 'sleeper'",
		now().Add(-time.Hour).Format("15:04"), now().Add(time.Hour).Format("15:04"))
	w.ahead.Store(int64(31 * time.Minute))
	for _, address := range []string{"all", "important"} {
		eventually.True(t, "the push to "+address, func() bool { return len(w.titlesAt(address)) > 2 })
	}
	back := map[core.ID]int{}
	for range 5 {
		r := <-w.returned
		check.Equal(t, "announcement", []any{*r.NotificationID, *r.Archived, r.Returned, r.ReadAt == nil},
			[]any{one, false, true, true})
		back[r.subscriberID]++
	}
	check.Equal(t, "people to whom it is announced", len(back), 5)

	parked := func() bool {
		var n int
		err := w.db.Pool().QueryRow(t.Context(), "select count(*) from turns where kind = 'return' and parked "+
			"and due_at > clock_timestamp() + interval '1 minute'").Scan(&n)
		return err == nil && n == 1
	}
	eventually.True(t, "the push that waits for the end of quiet hours", parked)
	w.checkTitles("sleeper", "t", "t")
	w.ahead.Store(int64(61 * time.Minute))
	w.execute("update turns set due_at = clock_timestamp() where parked")
	w.d.WakeTurns()
	eventually.True(t, "the push after quiet hours", func() bool { return len(w.titlesAt("sleeper")) > 2 })
	for _, address := range []string{"all", "important", "sleeper"} {
		w.checkTitles(address, "t", "t", "corrected")
	}
	w.checkTitles("left", "t", "t")
	for _, address := range []string{"none", "muted"} {
		w.checkTitles(address)
	}
	check.Equal(t, "further announcements", len(w.returned), 0)
}

// TestPostponedTogether expects one push for what comes back at the same time, without what is read before it is sent.
func TestPostponedTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.follower("ana", core.BellAll, false)
	w.follower("rui", core.BellAll, false)
	w.start()
	ids := []core.ID{w.publish(nil), w.publish(nil), w.publish(nil)}
	for _, address := range []string{"ana", "rui"} {
		eventually.True(t, "the first pushes to "+address, func() bool { return len(w.titlesAt(address)) == 3 })
		for _, id := range ids {
			w.postpone(address, id, now().Add(time.Minute))
		}
	}
	w.execute("update devices set retry_at = clock_timestamp() + interval '1 minute' where address = 'rui'")
	w.ahead.Store(int64(2 * time.Minute))
	eventually.True(t, "the push to ana", func() bool { return len(w.titlesAt("ana")) > 3 })
	w.checkTitles("ana", "t", "t", "t", "3 novas notificações")
	for _, id := range ids[1:] {
		must(w.UpdateReceipt(t.Context(), w.owner("rui"), id, core.ReceiptPatch{Read: new(true)}, now()))
	}
	w.execute("update devices set retry_at = null")
	w.execute("update turns set due_at = clock_timestamp() where parked")
	w.d.WakeTurns()
	eventually.True(t, "the push to rui", func() bool { return len(w.titlesAt("rui")) > 3 })
	w.checkTitles("rui", "t", "t", "t", "t")
}
