package delivery_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/lab/check"
)

// tellAt has all people told their digests at a time of day, and waits until they are planned.
func (w *world) tellAt(at time.Time) {
	w.t.Helper()
	for _, address := range w.people() {
		told := must(core.ParseTimeOfDay(at.Format("15:04")))
		patch := core.SubscriberPatch{DigestAt: &told, Timezone: new("UTC")}
		must(w.UpdateSubscriber(w.t.Context(), w.owner(address), patch, nil, w.clock()))
	}
	w.awaitDigests()
}

func (w *world) people() (names []string) {
	w.t.Helper()
	err := w.db.Pool().QueryRow(w.t.Context(), "select array_agg(name) from subscribers").Scan(&names)
	if err != nil {
		w.t.Fatalf("find people: %v", err)
	}
	return names
}

// awaitDigests waits until no digest is due and none is to be pushed.
func (w *world) awaitDigests() {
	w.t.Helper()
	eventually.True(w.t, "all digests planned, and pushed or parked", func() bool {
		var left bool
		err := w.db.Pool().QueryRow(w.t.Context(), `select exists (select from digests where due_at <= $1)
			or exists (select from turns where kind = 'digest' and not parked)`, w.clock()).Scan(&left)
		return err == nil && !left
	})
}

// arrives publishes something by the clock of the dispatchers.
func (w *world) arrives(importance core.Importance) core.ID {
	w.t.Helper()
	return w.publish(func(n *core.Notification) { n.Importance, n.PublishedAt = importance, new(w.clock()) })
}

func (w *world) setBell(address string, bell core.Bell) {
	w.t.Helper()
	patch := core.SubscriptionPatch{Bell: &bell}
	must(w.UpdateSubscription(w.t.Context(), w.owner(address), w.channel.ID, patch))
}

// TestDigest expects two nodes, and one that starts later, to push one digest a day of what is unread, visible and not
// important, to those whose channel has that bell, is not muted, and may still be seen by them.
func TestDigest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, address := range []string{"ana", "reader", "removed", "loud", "sleeper"} {
		w.follower(address, core.BellDigest, false)
	}
	w.follower("muted", core.BellDigest, true)
	w.follower("late", core.BellAll, false)
	must(w.UpdateChannel(t.Context(), w.channel.ID, core.ChannelPatch{Visibility: new(core.Private)}, nil, now(), nil))
	w.start()
	w.start()
	w.tellAt(now().Add(30 * time.Minute))
	quiet := core.QuietHours{Start: must(core.ParseTimeOfDay(now().Add(10 * time.Minute).Format("15:04"))),
		End: must(core.ParseTimeOfDay(now().Add(2 * time.Hour).Format("15:04")))}
	must(w.UpdateSubscriber(t.Context(), w.owner("sleeper"),
		core.SubscriberPatch{QuietHours: core.Patch[core.QuietHours]{Set: true, Value: &quiet}}, nil, now()))

	ids := []core.ID{w.arrives(core.Normal), w.arrives(core.Normal), w.arrives(core.Normal)}
	w.arrives(core.Important)
	w.publish(func(n *core.Notification) { n.ExpiresAt = new(now().Add(10 * time.Minute)) })
	withdrawn := w.arrives(core.Normal)
	w.correct(withdrawn, func(n *core.Notification, at time.Time) { n.WithdrawnAt, n.Visible = &at, false })
	for _, address := range []string{"ana", "sleeper", "loud", "removed"} {
		eventually.True(t, "the important one at "+address, func() bool { return len(w.titlesAt(address)) == 1 })
	}
	eventually.True(t, "all at late", func() bool { return len(w.titlesAt("late")) >= 5 })
	for _, id := range ids {
		must(w.UpdateReceipt(t.Context(), w.owner("reader"), id, core.ReceiptPatch{Read: new(true)}, now()))
	}
	must(w.UpdateReceipt(t.Context(), w.owner("late"), ids[0], core.ReceiptPatch{Archived: new(true)}, now()))
	w.setBell("loud", core.BellAll)
	w.setBell("late", core.BellDigest)
	w.tellAt(now().Add(30 * time.Minute))
	if err := w.RemoveChannelMember(t.Context(), w.channel.ID, w.owner("removed"), now()); err != nil {
		t.Fatalf("remove from the private channel: %v", err)
	}
	atLate := len(w.titlesAt("late"))
	w.ahead.Store(int64(32 * time.Minute))
	eventually.True(t, "the digest at ana", func() bool { return len(w.titlesAt("ana")) > 1 })
	eventually.True(t, "the digest at late", func() bool { return len(w.titlesAt("late")) > atLate })
	w.start()
	w.awaitDigests()
	w.checkTitles("ana", "t", "Resumo: 3 notificações")
	check.Equal(t, "the digest at late, who has archived one", w.titlesAt("late")[atLate:], []string{"Resumo: 2 notificações"})
	for _, address := range []string{"reader", "removed", "loud", "sleeper"} {
		w.checkTitles(address, "t")
	}
	w.checkTitles("muted")

	w.ahead.Store(int64(2*time.Hour + 2*time.Minute))
	eventually.True(t, "the digest after quiet hours", func() bool { return len(w.titlesAt("sleeper")) > 1 })
	w.awaitDigests()
	w.checkTitles("sleeper", "t", "Resumo: 3 notificações")
	w.arrives(core.Normal)
	w.ahead.Store(int64(24*time.Hour + 32*time.Minute))
	eventually.True(t, "the digest of the next day", func() bool { return len(w.titlesAt("ana")) > 2 })
	w.awaitDigests()
	w.checkTitles("ana", "t", "Resumo: 3 notificações", "Resumo: 1 notificação")
	w.checkTitles("reader", "t", "Resumo: 1 notificação")
}

// TestDigestThatWaits expects a digest whose push must wait to tell what is unread when it leaves, and not to leave in
// quiet hours that have begun meanwhile.
func TestDigestThatWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.follower("ana", core.BellDigest, false)
	w.start()
	w.tellAt(now().Add(30 * time.Minute))
	read := w.arrives(core.Normal)
	w.arrives(core.Normal)
	w.execute("update devices set retry_at = clock_timestamp() + interval '1 minute'")
	w.ahead.Store(int64(32 * time.Minute))
	parked := func() (n int) {
		err := w.db.Pool().QueryRow(t.Context(), "select count(*) from turns where kind = 'digest' and parked "+
			"and due_at > clock_timestamp() + interval '30 seconds'").Scan(&n)
		if err != nil {
			t.Fatalf("count turns: %v", err)
		}
		return n
	}
	again := func() {
		w.execute("update turns set due_at = clock_timestamp() where parked")
		w.d.WakeTurns()
	}
	eventually.True(t, "the push that waits for its device", func() bool { return parked() == 1 })
	must(w.UpdateReceipt(t.Context(), w.owner("ana"), read, core.ReceiptPatch{Read: new(true)}, now()))
	w.execute("update devices set retry_at = null")
	w.execute("update subscribers set quiet_start = $1::time, quiet_end = $2::time",
		w.clock().Add(-time.Hour).Format("15:04"), w.clock().Add(time.Hour).Format("15:04"))
	again()
	eventually.True(t, "the push that waits for the end of quiet hours", func() bool { return parked() == 1 })
	w.checkTitles("ana")
	w.execute("update subscribers set quiet_start = null, quiet_end = null")
	again()
	eventually.True(t, "the push", func() bool { return len(w.titlesAt("ana")) > 0 })
	w.checkTitles("ana", "Resumo: 1 notificação")
}

// TestLookForDigests expects a node to look again when a digest is due.
func TestLookForDigests(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	look := func() delivery.Agenda { return must(delivery.Look(t.Context(), w.db, w.now)) }
	check.Equal(t, "whether one is due without any", look().Digests, false)
	w.exec(t, `insert into digests (subscriber_id, told_at, due_at)
		select id, $1::timestamptz, $1::timestamptz + interval '500 ms' from subscribers limit 1`, w.now)
	found := look()
	check.Equal(t, "half a second before one is due", []any{found.Digests, found.Next}, []any{false, 0.5})
	w.now = w.now.Add(time.Second)
	check.Equal(t, "whether one is due at its time", look().Digests, true)
}
