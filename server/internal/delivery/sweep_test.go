package delivery_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
)

// crowd is a publisher with many notifications that are all due before the only one of the world's publisher.
func (w *steps) crowd(t *testing.T, columns, values string) {
	t.Helper()
	other := must(w.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "crowd", Name: "Crowd"}))
	for _, slug := range []string{"one", "two"} {
		in := core.ChannelInput{Slug: slug, Name: slug, CategoryID: w.category, Visibility: core.Public}
		c := must3(w.CreateChannel(t.Context(), core.NewID(), other, in, w.now, core.Idempotency{}))
		w.exec(t, `insert into notifications (id, channel_id, title, body, importance, `+columns+`)
			select gen_random_uuid(), $1, 't', '', 'normal', `+values+` from generate_series(1, 1000) i`, c.ID, w.now)
	}
}

// TestScheduledTakeTurns expects one publisher's notification to be published on time beside 2,000 of another's that
// were due before.
func TestScheduledTakeTurns(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	w.crowd(t, "visible, scheduled_at", "false, $2::timestamptz")
	n := w.notification("on time")
	n.PublishedAt, n.Visible, n.ScheduledAt = nil, false, new(w.now)
	must3(w.Publish(t.Context(), n, core.Idempotency{}))
	must(w.Release(t.Context()))
	if !scan[bool](t, w, "select published_at is not null from notifications where id = $1", n.ID) {
		t.Error("notification after 2,000 of another publisher: not published by the first release")
	}
}

// TestExpiringTakeTurns is TestScheduledTakeTurns for notifications that expire.
func TestExpiringTakeTurns(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	w.crowd(t, "visible, published_at, position, stream_position, ordinal, expires_at",
		"true, $2::timestamptz, nextval('stream_positions'), currval('stream_positions'), i, $2::timestamptz")
	w.exec(t, `insert into channel_heads (channel_id, ordinal, visible, version, published_at)
		select channel_id, count(*), count(*), 1, now() from notifications group by channel_id`)
	n := w.notification("over")
	n.ExpiresAt = new(w.now.Add(time.Second))
	must3(w.Publish(t.Context(), n, core.Idempotency{}))
	w.now = w.now.Add(2 * time.Second)
	must(w.Release(t.Context()))
	if scan[bool](t, w, "select visible from notifications where id = $1", n.ID) {
		t.Error("notification that expires after 2,000 of another publisher: not hidden by the first release")
	}
}

// TestFinishTakesTurns expects the dispatch of one publisher to be closed beside 2,000 of another's that are due before.
func TestFinishTakesTurns(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	w.exec(t, `insert into dispatches (notification_id, channel_id, publisher_id, importance, started_at, check_at)
		select gen_random_uuid(), $1, $1, 'normal', $2::timestamptz, $2 from generate_series(1, 2000)`, core.NewID(), w.now)
	n := w.search(t)
	must3(delivery.Finish(t.Context(), w.db, 100, w.now))
	if !w.finished(t, n) {
		t.Error("dispatch after 2,000 of another publisher: not closed by the first look")
	}
}
