package postgres_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/lab/check"
)

const day = 24 * time.Hour

// titles returns the titles of a channel's notifications, oldest first.
func (w *world) titles(t *testing.T, channelID core.ID) string {
	t.Helper()
	return scan[string](t, w, fmt.Sprintf(`select coalesce(string_agg(title, ' ' order by ordinal), '')
		from notifications where channel_id = '%s'`, channelID))
}

// TestRetention publishes one notification a day, and prunes by what the installation and the owner keep.
func TestRetention(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		installation        core.Retention
		keepDays, keepCount *int
		want                string
	}{
		"everything":              {want: "1 2 3 4 5 6 7"},
		"days":                    {installation: core.Retention{Days: 3}, want: "5 6 7"},
		"days of the owner":       {installation: core.Retention{Days: 3}, keepDays: new(2), want: "6 7"},
		"days of the owner alone": {keepDays: new(4), want: "4 5 6 7"},
		"no more than the installation": {installation: core.Retention{Days: 2, Count: 4}, keepDays: new(5),
			keepCount: new(6), want: "6 7"},
		"count":              {installation: core.Retention{Count: 4}, want: "4 5 6 7"},
		"count of the owner": {installation: core.Retention{Count: 4}, keepCount: new(2), want: "6 7"},
		"the shorter":        {installation: core.Retention{Days: 5, Count: 2}, want: "6 7"},
		"the latest change":  {installation: core.Retention{Count: 1}, want: "7"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.Retention = c.installation
			p := core.ChannelPatch{KeepDays: core.Patch[int]{Set: true, Value: c.keepDays},
				KeepCount: core.Patch[int]{Set: true, Value: c.keepCount}}
			changed := must(w.UpdateChannel(t.Context(), w.channel.ID, p, nil, w.now, nil))
			check.Equal(t, "days that the channel keeps", changed.KeepDays, c.keepDays)
			check.Equal(t, "number that the channel keeps", changed.KeepCount, c.keepCount)
			for i := range 7 {
				w.now = w.now.Add(day)
				w.publish(t, fmt.Sprint(i+1))
			}
			w.now = w.now.Add(time.Hour)
			succeed(t, "prune", w.Prune(t.Context(), w.now))
			check.Equal(t, "notifications that are kept", w.titles(t, w.channel.ID), c.want)
		})
	}
}

// TestRetentionLeavesWhatIsInUse expects nothing after a dispatch that is not finished to be deleted, because the
// numbers of a channel's notifications have no gaps.
func TestRetentionLeavesWhatIsInUse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "1")
	w.devices(t, 1)
	pushed := w.publish(t, "2")
	w.publish(t, "3")
	w.publish(t, "4")
	w.exec(t, "update dispatches set finished_at = now() where notification_id <> $1", pushed.ID)
	w.Retention.Count = 1
	succeed(t, "prune", w.Prune(t.Context(), w.now))
	check.Equal(t, "notifications while one is pushed", w.titles(t, w.channel.ID), "2 3 4")
	w.exec(t, "update dispatches set finished_at = now() where notification_id = $1", pushed.ID)
	succeed(t, "prune", w.Prune(t.Context(), w.now))
	check.Equal(t, "notifications when it is finished", w.titles(t, w.channel.ID), "4")
}

// TestDeliveriesAreKeptShorter deletes what became of a notification on each device, and keeps its counts.
func TestDeliveriesAreKeptShorter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.now = time.Now().UTC() // as in the ids
	devices := w.devices(t, 2)
	n := w.publish(t, "1")
	w.find(t, n.ID, 1_000)
	for _, d := range devices {
		w.record(t, n, d, core.Accepted, "")
	}
	w.Retention.DeliveryDays = 30
	later := w.now.Add(31 * day)
	succeed(t, "prune", w.Prune(t.Context(), later))
	check.Equal(t, "deliveries of a dispatch that is not finished",
		w.count(t, "select count(*) from deliveries where notification_id = $1", n.ID), 2)
	_, finished, err := delivery.Finish(t.Context(), w.db, 10, w.now.Add(time.Minute))
	succeed(t, "finish", err)
	check.Equal(t, "finished dispatches", len(finished), 1)
	before := must(w.DeliverySummary(t.Context(), w.channel.ID, n.ID))
	succeed(t, "prune", w.Prune(t.Context(), w.now.Add(29*day)))
	check.Equal(t, "deliveries after 29 days", w.count(t, "select count(*) from deliveries where notification_id = $1",
		n.ID), 2)
	succeed(t, "prune", w.Prune(t.Context(), later))
	check.Equal(t, "deliveries after 31 days", w.count(t, "select count(*) from deliveries where notification_id = $1",
		n.ID), 0)
	check.Equal(t, "counts", must(w.DeliverySummary(t.Context(), w.channel.ID, n.ID)), before)
	check.Equal(t, "accepted", before.Accepted, 2)
}
