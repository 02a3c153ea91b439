package delivery_test

import (
	"slices"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
)

// TestQuietHours holds the pushes of a night and sends them in the morning as one.
func TestQuietHours(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sleeper, other := w.follower("sleeper", core.BellAll, false), w.follower("other", core.BellAll, false)
	late := w.follower("late", core.BellImportant, false)
	speaker := w.follower("speaker", core.BellAll, false)
	_, err := w.db.Pool().Exec(t.Context(), "update subscribers set locale = 'en-GB' where name = 'speaker'")
	if err != nil {
		t.Fatalf("set the locale of speaker: %v", err)
	}
	quiet := func(address string, from, until time.Duration) {
		t.Helper()
		_, err := w.db.Pool().Exec(t.Context(),
			"update subscribers set quiet_start = $1::time, quiet_end = $2::time, timezone = 'UTC' where "+
				"name = $3",
			now().Add(from).Format("15:04"), now().Add(until).Format("15:04"), address)
		if err != nil {
			t.Fatalf("set quiet hours of %s: %v", address, err)
		}
	}
	left := w.follower("gone", core.BellAll, false)
	quiet("sleeper", -time.Hour, time.Hour)
	quiet("speaker", -time.Hour, time.Hour)
	quiet("gone", -time.Hour, time.Hour)
	quiet("late", -time.Hour, 2*time.Hour)
	w.start()
	var ids []core.ID
	for _, importance := range []core.Importance{core.Normal, core.Important} {
		ids = append(ids, w.publish(func(n *core.Notification) { n.Importance = importance }))
	}
	withdrawn := w.publish(nil)
	expiry := now().Add(30 * time.Minute)
	expired := w.publish(func(n *core.Notification) { n.ExpiresAt = &expiry })
	for _, id := range append(ids, withdrawn, expired) {
		eventually.True(t, "the device without quiet hours", func() bool { return w.outcome(id, other) == "accepted" })
	}
	w.correct(withdrawn, func(n *core.Notification, at time.Time) { n.WithdrawnAt, n.Visible = &at, false })
	if w.pushes.sent["sleeper"] != 0 || w.pushes.sent["late"] != 0 {
		t.Fatalf("pushes in quiet hours: got %v, want none to sleeper and late", w.pushes.sent)
	}
	if _, err := w.db.Pool().Exec(t.Context(), "delete from subscribers where name = 'gone'"); err != nil {
		t.Fatalf("delete a subscriber: %v", err)
	}
	w.ahead.Store(int64(time.Hour + time.Minute))
	for id, want := range map[core.ID]string{
		ids[0]: "accepted", ids[1]: "accepted", withdrawn: "expired withdrawn", expired: "expired expired",
	} {
		eventually.True(t, "the morning: "+want, func() bool { return w.outcome(id, sleeper) == want })
	}
	eventually.True(t, "the device of a person who speaks English",
		func() bool { return w.outcome(ids[0], speaker) == "accepted" })
	eventually.True(t, "the device of a deleted account",
		func() bool { return w.outcome(ids[0], left) == "failed retired" })
	w.ahead.Store(int64(2*time.Hour + time.Minute))
	eventually.True(t, "the late one", func() bool { return w.outcome(ids[1], late) == "accepted" })
	w.pushes.mu.Lock()
	defer w.pushes.mu.Unlock()
	if got := w.pushes.titles["sleeper"]; !slices.Equal(got, []string{"2 novas notificações"}) {
		t.Errorf("titles pushed to sleeper: got %q, want one summary", got)
	}
	if got := w.pushes.titles["speaker"]; !slices.Equal(got, []string{"2 new notifications"}) {
		t.Errorf("titles pushed to speaker: got %q, want one summary in English", got)
	}
	if got := w.pushes.titles["late"]; !slices.Equal(got, []string{"t"}) {
		t.Errorf("titles pushed to late: got %q, want the important one", got)
	}
}

// TestHeldPushes changes held pushes by what their subscribers do in the meantime.
func TestHeldPushes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	people := map[string]core.ID{}
	devices := map[string]core.ID{}
	for _, name := range []string{"awake", "asleep", "gone", "removed", "reader"} {
		devices[name] = w.follower(name, core.BellAll, false)
		people[name] = must(
			w.SignIn(t.Context(), core.Profile{Issuer: core.IssuerGoogle, Subject: name, Email: name + "@example.com", Name: name, Locale: "pt"},
				core.SignUp{Open: true}, now()),
		).ID
	}
	hours := func(name string, q *core.QuietHours) {
		t.Helper()
		utc := "UTC"
		must(
			w.UpdateSubscriber(t.Context(), people[name],
				core.SubscriberPatch{
					Timezone: &utc, QuietHours: core.Patch[core.QuietHours]{Set: true, Value: q},
				}, nil, now()),
		)
	}
	clock := func(in time.Duration) core.TimeOfDay { return must(core.ParseTimeOfDay(now().Add(in).Format("15:04"))) }
	for name := range people {
		hours(name, &core.QuietHours{Start: clock(-time.Hour), End: clock(time.Hour)})
	}
	w.start()
	id := w.publish(nil)
	eventually.True(t, "all held", func() bool {
		var held int
		err := w.db.Pool().QueryRow(t.Context(), "select count(*) from held_pushes where notification_id = $1", id).
			Scan(&held)
		return err == nil && held == 5
	})
	hours("asleep", &core.QuietHours{Start: clock(-time.Hour), End: clock(3 * time.Hour)})
	if err := w.Unsubscribe(t.Context(), people["gone"], w.channel.ID, now()); err != nil {
		t.Fatalf("unfollow: %v", err)
	}
	if err := w.RetireDevice(t.Context(), people["removed"], devices["removed"], core.RetiredRemoved,
		now()); err != nil {
		t.Fatalf("retire a device: %v", err)
	}
	eventually.True(t, "the removed device",
		func() bool { return w.outcome(id, devices["removed"]) == "failed retired" })
	read := true
	must(w.UpdateReceipt(t.Context(), people["reader"], id, core.ReceiptPatch{Read: &read}, now()))
	hours("reader", nil)
	eventually.True(t, "the device of a reader",
		func() bool { return w.outcome(id, devices["reader"]) == "suppressed read" })
	hours("awake", nil)
	eventually.True(t, "the device after quiet hours were removed",
		func() bool { return w.outcome(id, devices["awake"]) == "accepted" })
	if got := w.outcome(id, devices["gone"]); got != "suppressed unfollowed" {
		t.Errorf("outcome of a subscriber who unfollowed: got %q, want suppressed unfollowed", got)
	}
	w.ahead.Store(int64(2 * time.Hour))
	next := w.publish(nil)
	eventually.True(t, "the next one", func() bool { return w.outcome(next, devices["awake"]) == "accepted" })
	if got := w.outcome(id, devices["asleep"]); got != "" {
		t.Errorf("outcome within longer quiet hours: got %q, want none yet", got)
	}
	w.ahead.Store(int64(4 * time.Hour))
	eventually.True(t, "the device with longer quiet hours",
		func() bool { return w.outcome(id, devices["asleep"]) == "accepted" })
}

// TestUnknownTimezone pushes to other devices although one timezone is unknown to this node.
func TestUnknownTimezone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.follower("elsewhere", core.BellAll, false)
	w.follower("here", core.BellAll, false)
	if _, err := w.db.Pool().
		Exec(t.Context(), "update subscribers set quiet_start = '03:00', quiet_end = '03:00:30', timezone = "+
			"'Mars/Olympus' where name = 'elsewhere'"); err != nil {
		t.Fatalf("set an unknown timezone: %v", err)
	}
	w.start()
	w.outcomes(w.publish(nil), 2)
}
