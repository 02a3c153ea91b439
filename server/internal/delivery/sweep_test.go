package delivery_test

import (
	"context"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/check"
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

// TestFinishTakesTurns expects the dispatch of one publisher to be closed beside 2,000 of another's that are due
// before.
func TestFinishTakesTurns(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	w.exec(t, `insert into dispatches (notification_id, channel_id, publisher_id, importance, started_at, check_at)
		select gen_random_uuid(), $1, $1, 'normal', $2::timestamptz, $2 from generate_series(1, 2000)`, core.NewID(), w.now)
	device := w.devices(t, 1)[0]
	n := w.search(t)
	w.record(t, n, device, core.Accepted, "")
	if w.finished(t, n) {
		t.Fatal("dispatch before anybody looks: got finished, want unfinished")
	}
	must3(delivery.Finish(t.Context(), w.db, 100, w.now))
	if !w.finished(t, n) {
		t.Error("dispatch after 2,000 of another publisher: not closed by the first look")
	}
}

// crowded makes 20 publishers for which one person answers, and runs a statement for each of their channels.
func (w *steps) crowded(t *testing.T, sql string, args ...any) {
	t.Helper()
	w.exec(t, `insert into publishers (id, slug, name, account_id)
		select gen_random_uuid(), 'crowd-' || i, 'Crowd', $1 from generate_series(1, 20) i`, w.subscriber)
	w.exec(t, `insert into channels (id, publisher_id, category_id, slug, name)
		select gen_random_uuid(), id, $1, 'one', 'One' from publishers where account_id is not null`, w.category)
	w.exec(t, sql, args...)
}

// TestScheduledOfAnAccountTakeTurns expects 50 notifications of one publisher to be published on time beside 2,000 of
// the 20 publishers of one account.
func TestScheduledOfAnAccountTakeTurns(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	w.crowded(t, `insert into notifications (id, channel_id, title, body, importance, visible, scheduled_at)
		select gen_random_uuid(), c.id, 't', '', 'normal', false, $1::timestamptz
		from channels c, generate_series(1, 100) where c.slug = 'one'`, w.now)
	w.exec(t, `insert into notifications (id, channel_id, title, body, importance, visible, scheduled_at)
		select gen_random_uuid(), $1, 'on time', '', 'normal', false, $2::timestamptz from generate_series(1, 50)`,
		w.channel.ID, w.now)
	must(w.Release(t.Context()))
	published := scan[int](t, w, "select count(*) from notifications where title = 'on time' and published_at is not null")
	check.Equal(t, "notifications on time, of 50", published, 50)
}

// TestFinishOfAnAccountTakesTurns is like it for dispatches.
func TestFinishOfAnAccountTakesTurns(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	w.crowded(t, `
		insert into dispatches (notification_id, channel_id, publisher_id, importance, started_at, check_at)
		select gen_random_uuid(), c.id, c.publisher_id, 'normal', $1::timestamptz, $1
		from channels c, generate_series(1, 100) where c.slug = 'one'`, w.now.Add(-time.Minute))
	w.exec(t, `
		insert into dispatches (notification_id, channel_id, publisher_id, importance, started_at, check_at,
			expanded_at)
		select gen_random_uuid(), id, publisher_id, 'normal', $2::timestamptz, $2, $2
		from channels, generate_series(1, 50) where id = $1`, w.channel.ID, w.now)
	must3(delivery.Finish(t.Context(), w.db, 100, w.now))
	check.Equal(t, "finished dispatches, of 50",
		scan[int](t, w, "select count(*) from dispatches where finished_at is not null"), 50)
}

// TestPushesAreOfTheAccount expects the pushes of a publisher to wait with those of its account.
func TestPushesAreOfTheAccount(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	w.devices(t, 1)
	w.exec(t, "update publishers set account_id = $1", w.subscriber)
	n := w.publish(t, "t")
	w.tx(t, func(ctx context.Context, tx postgres.Tx) error {
		found, err := delivery.FindDevices(ctx, tx, []core.ID{n.ID}, 100, w.now)
		if err != nil || len(found) != 1 {
			t.Fatalf("find the devices: got %d batches and error %v, want 1", len(found), err)
		}
		check.Equal(t, "owner of the turn", found[0].Owner, w.subscriber)
		return nil
	})
	must(w.Correct(t.Context(), w.channel.ID, n.ID, func(n *core.Notification) error {
		n.Title = "corrected"
		return nil
	}))
	check.Equal(t, "owner of the turns of the correction",
		scan[core.ID](t, w, "select distinct owner from turns where notification_id = $1", n.ID), w.subscriber)
}
