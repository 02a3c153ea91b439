package postgres_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
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
		t.Fatal("not finished")
	}
	if _, err := w.RecordFeedEvent(t.Context(), w.subscriber, first.ID, core.Opened, w.now); err != nil {
		t.Fatal(err)
	}
	if _, err := w.RecordFeedEvent(t.Context(), w.subscriber, second.ID, core.Displayed, w.now); err != nil {
		t.Fatal(err)
	}
	noon := w.now.Truncate(time.Hour)
	w.now = noon.Add(3 * time.Hour)
	live := w.search(t)
	w.record(t, live, devices[0], core.Accepted, "")
	w.now = noon.Add(12 * time.Hour)
	w.search(t) // the next day

	summary := func(from, until time.Time, by core.SummaryInterval) []core.DeliverySummaryPart {
		t.Helper()
		return must(w.ChannelDeliverySummary(t.Context(), w.channel.ID, core.SummaryPeriod{From: from, Until: until, Interval: by}))
	}
	hours := summary(noon, noon.Add(12*time.Hour), core.Hourly)
	if len(hours) != 2 || !hours[0].At.Equal(noon) || !hours[1].At.Equal(noon.Add(3*time.Hour)) {
		t.Fatalf("%+v", hours)
	}
	if h := hours[0]; h.Notifications != 2 || h.Targeted != 4 || h.Pending != 0 || h.Accepted != 1 || h.Failed[core.CauseInvalid] != 2 || h.Suppressed[core.CauseBell] != 1 ||
		h.Displayed != 1 || h.Opened != 1 || h.Expired != nil {
		t.Errorf("kept: %+v", h)
	}
	if h := hours[1]; h.Notifications != 1 || h.Targeted != 2 || h.Pending != 1 || h.Accepted != 1 || h.Failed != nil {
		t.Errorf("live: %+v", h)
	}
	days := summary(noon.Add(-24*time.Hour), noon.Add(24*time.Hour), core.Daily)
	if len(days) != 2 || !days[0].At.Equal(noon.Add(-12*time.Hour)) || days[0].Notifications != 3 || days[0].Targeted != 6 || days[0].Accepted != 2 || days[0].Pending != 1 {
		t.Errorf("%+v", days)
	}
	if none := summary(noon.Add(4*time.Hour), noon.Add(5*time.Hour), core.Hourly); len(none) != 0 {
		t.Errorf("%+v", none)
	}
	if edge := summary(noon.Add(-time.Hour), noon.Add(3*time.Hour), core.Hourly); len(edge) != 1 {
		t.Errorf("the end does not belong to it: %+v", edge)
	}
	if other := must(w.ChannelDeliverySummary(t.Context(), core.NewID(), core.SummaryPeriod{From: noon, Until: w.now, Interval: core.Daily})); len(other) != 0 {
		t.Errorf("another channel's: %+v", other)
	}
}

// TestChannelDeliverySummaryIsFast has a channel with 100,000 notifications and 100,000 receipts. It takes some 300 ms; the
// statement timeout of 10 s bounds it, however busy the machine is.
func TestChannelDeliverySummaryIsFast(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `insert into notifications (id, channel_id, title, body, importance, visible, pending, published_at)
		select gen_random_uuid(), $1, 't', '', 'normal', true, false, $2 from generate_series(1, 100000)`, w.channel.ID, w.now)
	w.exec(t, `insert into dispatches (notification_id, channel_id, publisher_id, importance, started_at, targeted, expanded_at, check_at, finished_at, accepted, failed)
		select id, channel_id, gen_random_uuid(), importance, $1::timestamptz - row_number() over () * interval '20 seconds', 5, $1, $1, $1, 4,
			'{"invalid": 1}' from notifications`, w.now)
	w.exec(t, `with people as (
			insert into subscribers (id, google_subject, email, name, locale, timezone)
			select gen_random_uuid(), i::text || 'x', '', '', 'pt', 'UTC' from generate_series(1, 1) i returning id)
		insert into receipts (subscriber_id, notification_id, displayed_at) select people.id, n.id, $1 from people, notifications n`, w.now)
	w.exec(t, "analyze")
	for by, long := range map[core.SummaryInterval]time.Duration{core.Daily: 30 * 24 * time.Hour, core.Hourly: 720 * time.Hour} {
		began := time.Now()
		parts := must(w.ChannelDeliverySummary(t.Context(), w.channel.ID, core.SummaryPeriod{From: w.now.Add(-long), Until: w.now, Interval: by}))
		took := time.Since(began)
		t.Logf("by %s: %d parts in %s", by, len(parts), took)
		var displayed int64
		for _, p := range parts {
			displayed += p.Displayed
		}
		if displayed != 100_000 {
			t.Errorf("by %s: %s, displayed %d", by, took, displayed)
		}
	}
}
