package delivery_test

import (
	"context"
	"sync"
	"testing"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
)

// queue is a push service that accepts nothing until it is opened. It keeps the order of the pushes by notification.
type queue struct {
	open chan struct{}

	mu   sync.Mutex
	sent []string
}

func (q *queue) Send(ctx context.Context, p core.Push, _ core.PushAddress) core.Result {
	select {
	case <-q.open:
	case <-ctx.Done():
		return core.Result{Cause: core.CauseUnavailable}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.sent = append(q.sent, p.ID)
	return core.Result{Outcome: core.Accepted}
}

// before returns how many pushes of another notification were sent before the last one of a notification.
func (q *queue) before(notification core.ID) (others int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	seen := 0
	for _, id := range q.sent {
		if id == notification.String() {
			others = seen
		} else {
			seen++
		}
	}
	return others
}

// crowd makes people with a device each who follow a channel.
func (w *world) crowd(channel core.ID, people int) {
	w.t.Helper()
	for _, sql := range []string{
		`insert into subscribers (id, email, name, locale, timezone)
		select md5('s' || i)::uuid, i || '@example.com', 'S', 'pt', 'UTC' from generate_series(1, $2::int) i
		where $1::uuid is not null`,
		`insert into devices (id, subscriber_id, installation_id, kind, address, platform, name, rings_since)
		select md5('d' || i)::uuid, md5('s' || i)::uuid, 'i' || i, 'token', 'a' || i, 'web', 'x', now()
		from generate_series(1, $2::int) i where $1::uuid is not null`,
		`insert into subscriptions (subscriber_id, channel_id, bell, followed_at, read_ordinal, read_at)
		select md5('s' || i)::uuid, $1, 'all', now(), 0, now() from generate_series(1, $2::int) i`,
		`insert into channel_counts as k (channel_id, stripe, subscribers) values ($1, 0, $2::int)
		on conflict (channel_id, stripe) do update set subscribers = k.subscribers + excluded.subscribers`,
	} {
		if _, err := w.db.Pool().Exec(w.t.Context(), sql, channel, people); err != nil {
			w.t.Fatalf("add a crowd: %s: %v", sql, err)
		}
	}
}

// TestSmallChannelDoesNotWait publishes to a small channel in the middle of a large dispatch of the same publisher. It
// expects the small dispatch next, and the large one to go on.
func TestSmallChannelDoesNotWait(t *testing.T) {
	t.Parallel()
	w, service := newWorld(t), &queue{open: make(chan struct{})}
	w.follower("small", core.BellAll, false)
	small, large := w.channel, w.channel
	large.ID = core.NewID()
	if _, err := w.db.Pool().Exec(t.Context(), `
		insert into channels (id, publisher_id, category_id, slug, name, visibility)
		select $1, publisher_id, category_id, 'large', 'L', 'public' from channels where id = $2`,
		large.ID, small.ID); err != nil {
		t.Fatalf("create a large channel: %v", err)
	}
	const devices = 6_000
	w.crowd(large.ID, devices)
	w.startWith(func(c *delivery.Config) { c.Sender = service })
	to := func(c core.ChannelRef) core.ID { return w.publish(func(n *core.Notification) { n.Channel = c }) }
	first := to(large)
	w.waitFound(first)
	second := to(small)
	w.waitFound(second)
	close(service.open)
	w.outcomes(second, 1)
	w.outcomes(first, devices)
	if got := service.before(second); got > devices/2 {
		t.Errorf("pushes of the large dispatch before the small one: got %d of %d, want at most %d, those under way",
			got, devices, devices/2)
	}
}

// waitFound waits until all devices of a notification have been found.
func (w *world) waitFound(notification core.ID) {
	w.t.Helper()
	eventually.True(w.t, "all devices to be found", func() (found bool) {
		err := w.db.Pool().QueryRow(w.t.Context(),
			"select expanded_at is not null from dispatches where notification_id = $1", notification).Scan(&found)
		if err != nil {
			w.t.Fatalf("read a dispatch: %v", err)
		}
		return found
	})
}
