package postgres_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/lab/check"
)

func TestChannelDeliverySummary(t *testing.T) {
	t.Parallel()
	w := newWorld(t) // it is 12:00
	devices := w.devices(t, 2)
	first := w.search(t)
	w.record(t, first, devices[0], core.Accepted, "")
	w.record(t, first, devices[1], core.Failed, core.CauseInvalid)
	second := w.search(t)
	w.record(t, second, devices[0], core.Suppressed, core.CauseBell)
	w.record(t, second, devices[1], core.Failed, core.CauseInvalid)
	must3(delivery.Finish(t.Context(), w.db, 100, w.now))
	if !w.finished(t, first) || !w.finished(t, second) {
		t.Fatal("dispatches with all outcomes: got unfinished, want finished")
	}
	must(w.RecordOpened(t.Context(), w.subscriber, first.ID, w.now))
	succeed(t, "display", w.RecordDisplayed(t.Context(), w.subscriber, nil, []core.ID{second.ID}))
	noon := w.now.Truncate(time.Hour)
	w.now = noon.Add(3 * time.Hour)
	live := w.search(t)
	w.record(t, live, devices[0], core.Accepted, "")
	w.now = noon.Add(12 * time.Hour)
	w.search(t) // the next day

	summary := func(from, until time.Time, by core.SummaryInterval) []core.DeliverySummaryPart {
		t.Helper()
		period := core.SummaryPeriod{From: from, Until: until, Interval: by}
		return must(w.ChannelDeliverySummary(t.Context(), w.channel.ID, period))
	}
	kept := core.DeliverySummaryPart{At: noon, DeliveryCounts: core.DeliveryCounts{Notifications: 2,
		DeliverySummary: core.DeliverySummary{Targeted: 4, Accepted: 1, Failed: core.Causes{core.CauseInvalid: 2},
			Suppressed: core.Causes{core.CauseBell: 1}, Displayed: 1, Opened: 1}}}
	counted := core.DeliverySummaryPart{At: noon.Add(3 * time.Hour),
		DeliveryCounts: core.DeliveryCounts{Notifications: 1,
			DeliverySummary: core.DeliverySummary{Targeted: 2, Pending: 1, Accepted: 1}}}
	hours := summary(noon, noon.Add(12*time.Hour), core.Hourly)
	if diff := cmp.Diff([]core.DeliverySummaryPart{kept, counted}, hours); diff != "" {
		t.Errorf("by hours, first finished and then unfinished dispatches (-want +got):\n%s", diff)
	}
	today := kept
	today.At = noon.Add(-12 * time.Hour)
	today.Notifications, today.Targeted = 3, 6
	today.Accepted, today.Pending = 2, 1
	days := summary(noon.Add(-24*time.Hour), noon.Add(24*time.Hour), core.Daily)
	if len(days) != 2 {
		t.Fatalf("by days: got %d parts, want 2: %+v", len(days), days)
	}
	if diff := cmp.Diff(today, days[0]); diff != "" {
		t.Errorf("by days, the first (-want +got):\n%s", diff)
	}
	if none := summary(noon.Add(4*time.Hour), noon.Add(5*time.Hour), core.Hourly); len(none) != 0 {
		t.Errorf("hour without dispatches: got %+v, want no parts", none)
	}
	if edge := summary(noon.Add(-time.Hour), noon.Add(3*time.Hour), core.Hourly); len(edge) != 1 {
		t.Errorf("period that ends at the second dispatch: got %+v, want one part", edge)
	}
	period := core.SummaryPeriod{From: noon, Until: w.now, Interval: core.Daily}
	if other := must(w.ChannelDeliverySummary(t.Context(), core.NewID(), period)); len(other) != 0 {
		t.Errorf("another channel: got %+v, want no parts", other)
	}
}

// TestSummaryOfWhatNobodyHears counts notifications that reached nobody, also one that is withdrawn, and none that is
// scheduled.
func TestSummaryOfWhatNobodyHears(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stays, withdrawn := w.publish(t, "stays"), w.publish(t, "is withdrawn")
	w.change(t, withdrawn.ID, func(n *core.Notification) { n.WithdrawnAt, n.Visible = new(w.now), false })
	scheduled := w.notification("later")
	scheduled.PublishedAt, scheduled.Visible, scheduled.ScheduledAt = nil, false, new(w.now.AddDate(0, 0, 1))
	must3(w.Publish(t.Context(), scheduled, core.Idempotency{}))
	parts := must(w.ChannelDeliverySummary(t.Context(), w.channel.ID,
		core.SummaryPeriod{From: w.now.Add(-time.Hour), Until: w.now.Add(time.Hour), Interval: core.Daily}))
	counted := int64(0)
	for _, p := range parts {
		counted += p.Notifications
		if diff := cmp.Diff(core.DeliverySummary{}, p.DeliverySummary); diff != "" {
			t.Errorf("outcomes (-want +got):\n%s", diff)
		}
	}
	check.Equal(t, "notifications", counted, 2)
	for _, n := range []core.Notification{stays, withdrawn, scheduled} {
		got := must(w.DeliverySummary(t.Context(), w.channel.ID, n.ID))
		check.Equal(t, n.Title+": finished", got.Finished, n.ID != scheduled.ID)
	}
}

// TestChannelDeliverySummaryIsFast has a channel with 100,000 notifications, which one person has opened. It takes some
// 300 ms; the statement timeout of 10 s bounds it, however busy the machine is.
func TestChannelDeliverySummaryIsFast(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `insert into notifications (id, channel_id, title, body, importance, visible, published_at)
		select gen_random_uuid(), $1, 't', '', 'normal', true, $2::timestamptz - i * interval '20 seconds'
		from generate_series(1, 100000) i`,
		w.channel.ID, w.now)
	w.exec(t,
		`insert into dispatches (notification_id, channel_id, publisher_id, importance, started_at, targeted, expanded_at, check_at, finished_at, accepted, failed)
		select id, channel_id, gen_random_uuid(), importance,
			published_at, 5, $1, $1, $1, 4,
			'{"invalid": 1}' from notifications`, w.now)
	w.exec(t, `insert into receipts (subscriber_id, notification_id, opened_at) select $1, id, $2 from notifications`,
		w.subscriber, w.now)
	w.exec(t, `insert into displays (notification_id, part, people) select id, 0, '{1}' from notifications`)
	w.exec(t, "analyze")
	for by, long := range map[core.SummaryInterval]time.Duration{
		core.Daily: 30 * 24 * time.Hour, core.Hourly: 720 * time.Hour,
	} {
		began := time.Now()
		parts := must(
			w.ChannelDeliverySummary(t.Context(), w.channel.ID,
				core.SummaryPeriod{From: w.now.Add(-long), Until: w.now, Interval: by}),
		)
		took := time.Since(began)
		t.Logf("by %s: %d parts in %s", by, len(parts), took)
		var displayed int64
		for _, p := range parts {
			displayed += p.Displayed
		}
		if displayed != 100_000 {
			t.Errorf("displayed by %s: got %d, want 100000", by, displayed)
		}
	}
}
