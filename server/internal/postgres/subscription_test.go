package postgres_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
)

func TestUnread(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "before")
	w.publish(t, "before, not placed")
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	if _, total, unread := w.feed(t); total != 2 || unread != 0 {
		t.Fatalf("feed after following: got %d, %d unread, want 2, 0 unread", total, unread)
	}
	a := w.publish(t, "a")
	b := w.publish(t, "b")
	c := w.publish(t, "c")
	check := func(what string, total, unread int64) {
		t.Helper()
		_, gotTotal, gotUnread := w.feed(t)
		subs, err := w.Subscriptions(t.Context(), w.subscriber, core.Page{Limit: 10})
		if err != nil {
			t.Fatalf("%s: subscriptions: %v", what, err)
		}
		if gotTotal != total {
			t.Errorf("%s: length of the feed: got %d, want %d", what, gotTotal, total)
		}
		if gotUnread != unread {
			t.Errorf("%s: unread in the feed: got %d, want %d", what, gotUnread, unread)
		}
		if subs.Data[0].UnreadCount != unread {
			t.Errorf("%s: unread in the subscription: got %d, want %d", what, subs.Data[0].UnreadCount, unread)
		}
		data, _, _, err := readFeed(t.Context(), w, w.subscriber,
			core.FeedFilter{UnreadOnly: true, Page: core.Page{Limit: 10}})
		if err != nil {
			t.Fatalf("%s: unread feed: %v", what, err)
		}
		if int64(len(data)) != unread {
			t.Errorf("%s: length of the unread feed: got %d, want %d", what, len(data), unread)
		}
	}
	check("not placed", 5, 3)
	check("placed", 5, 3)
	yes, no := true, false
	if n := must(
		w.UpdateReceipt(t.Context(), w.subscriber, a.ID, core.ReceiptPatch{Read: &yes}, w.now),
	); n.ReadAt == nil {
		t.Error("time of reading: got none")
	}
	check("one read", 5, 2)
	must(w.UpdateReceipt(t.Context(), w.subscriber, b.ID, core.ReceiptPatch{Archived: &yes}, w.now))
	check("one archived", 4, 1)
	d := w.publish(t, "d, not placed")
	if err := w.ReadAll(t.Context(), w.subscriber, nil, w.now); err != nil {
		t.Fatalf("read all: %v", err)
	}
	check("all read", 5, 0)
	check("all read, placed", 5, 0)
	must(w.UpdateReceipt(t.Context(), w.subscriber, c.ID, core.ReceiptPatch{Read: &no}, w.now))
	must(w.UpdateReceipt(t.Context(), w.subscriber, d.ID, core.ReceiptPatch{Read: &no}, w.now))
	check("two unread again", 5, 2)
	must(w.RecordOpened(t.Context(), w.subscriber, c.ID, w.now))
	check("one opened", 5, 1)
	must(w.Correct(t.Context(), w.channel.ID, d.ID, func(n *core.Notification) error {
		n.WithdrawnAt, n.Visible = &w.now, false
		return nil
	}))
	check("one withdrawn", 4, 0)
	if err := w.ReadAll(t.Context(), w.subscriber, &w.subscriber, w.now); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("read all of a channel that is not followed: got %v, want CodeNotFound", err)
	}
}

// TestFollowAgain follows twice, which changes nothing, and again after unfollowing: within 30 days with the bell and
// the read state of before, and later with nothing unread.
func TestFollowAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	w.publish(t, "unread")
	n := w.publish(t, "read out of turn")
	if sub := must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now)); sub.UnreadCount != 2 {
		t.Errorf("unread after following twice: got %d, want 2", sub.UnreadCount)
	}
	must(w.UpdateReceipt(t.Context(), w.subscriber, n.ID, core.ReceiptPatch{Read: new(true)}, w.now))
	until := w.now.Add(time.Hour)
	must(w.UpdateSubscription(t.Context(), w.subscriber, w.channel.ID, core.SubscriptionPatch{
		Bell: new(core.BellImportant), MutedUntil: core.Patch[time.Time]{Set: true, Value: &until}}))
	type had struct {
		Unread     int64
		Bell       core.Bell
		MutedUntil *time.Time
	}
	for _, test := range []struct {
		name string
		away time.Duration
		want had
	}{
		{"at once", 0, had{1, core.BellImportant, &until}},
		{"after 30 days", core.FormerSubscriptionsKept, had{1, core.BellImportant, &until}},
		{"later", core.FormerSubscriptionsKept + time.Second, had{0, core.BellAll, nil}},
	} {
		succeed(t, "unfollow", w.Unsubscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
		w.now = w.now.Add(test.away)
		sub := must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
		if diff := cmp.Diff(test.want, had{sub.UnreadCount, sub.Bell, sub.MutedUntil}); diff != "" {
			t.Errorf("following again %s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestFormerSubscriptionsArePruned deletes what was kept of an unfollowed channel when 30 days have passed.
func TestFormerSubscriptionsArePruned(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	succeed(t, "unfollow", w.Unsubscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	for _, test := range []struct {
		after time.Duration
		want  int64
	}{{core.FormerSubscriptionsKept, 1}, {core.FormerSubscriptionsKept + time.Second, 0}} {
		succeed(t, "prune", w.Prune(t.Context(), w.now.Add(test.after)))
		if got := w.count(t, "select count(*) from former_subscriptions"); got != test.want {
			t.Errorf("former subscriptions after %s: got %d, want %d", test.after, got, test.want)
		}
	}
}

// TestFollowAndUnfollowAtOnce keeps the bell and what was read, whichever comes first.
func TestFollowAndUnfollowAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	w.publish(t, "unread")
	must(w.UpdateSubscription(t.Context(), w.subscriber, w.channel.ID,
		core.SubscriptionPatch{Bell: new(core.BellImportant)}))
	var all sync.WaitGroup
	for range 30 {
		all.Go(func() {
			if _, err := w.Subscribe(context.Background(), w.subscriber, w.channel.ID, w.now); err != nil {
				t.Errorf("follow: %v", err)
			}
		})
		all.Go(func() {
			if err := w.Unsubscribe(context.Background(), w.subscriber, w.channel.ID, w.now); err != nil {
				t.Errorf("unfollow: %v", err)
			}
		})
	}
	all.Wait()
	sub := must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	equal(t, "bell", sub.Bell, core.BellImportant)
	equal(t, "unread", sub.UnreadCount, 1)
	if c := must(w.Channel(t.Context(), "vila", "agenda", nil)); c.SubscriberCount != 1 {
		t.Errorf("subscribers of the channel: got %d, want 1", c.SubscriberCount)
	}
}

// TestUnreadCountsHaveAPosition reads subscriptions while others publish: what is published up to the position of a
// page must be counted on it, and nothing else.
func TestUnreadCountsHaveAPosition(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "before anything is followed")
	none := must(w.Subscriptions(t.Context(), w.subscriber, core.Page{Limit: 10}))
	equal(t, "position of no subscriptions", none.Position, must(w.StreamPosition(t.Context())))
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	published := make(chan struct{})
	go func() {
		defer close(published)
		for range 200 {
			must3(w.Publish(t.Context(), w.notification("n"), core.Idempotency{}))
		}
	}()
	for open := true; open; {
		select {
		case <-published:
			open = false
		default:
		}
		page := must(w.Subscriptions(t.Context(), w.subscriber, core.Page{Limit: 10}))
		var want int64
		must(0, w.db.Pool().QueryRow(t.Context(),
			"select count(*) - 1 from notifications where stream_position <= $1", page.Position).Scan(&want))
		if got := page.Data[0].UnreadCount; got != want {
			t.Fatalf("unread at position %d: got %d, want %d", page.Position, got, want)
		}
	}
}
