package postgres_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// TestOpenedForTheFirstTime opens a notification on several devices at the same time: one of them is the first.
func TestOpenedForTheFirstTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	n := w.publish(t, "a")
	if first := must(w.RecordFeedEvent(t.Context(), w.subscriber, n.ID, core.Displayed, w.now)); first {
		t.Error("a displayed notification is opened for the first time: got true, want false")
	}
	var firsts atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			first, err := w.RecordFeedEvent(t.Context(), w.subscriber, n.ID, core.Opened, w.now)
			if err != nil {
				t.Errorf("record opened: %v", err)
			}
			if first {
				firsts.Add(1)
			}
		})
	}
	all.Wait()
	if firsts.Load() != 1 {
		t.Errorf("times opened for the first time: got %d, want 1", firsts.Load())
	}
	if must(w.RecordFeedEvent(t.Context(), w.subscriber, n.ID, core.Opened, w.now.Add(time.Hour))) {
		t.Error("opened an hour later for the first time: got true, want false")
	}
	at := scan[time.Time](t, w, "select opened_at from receipts where notification_id = $1", n.ID)
	if !at.Equal(w.now) {
		t.Errorf("time of opening: got %s, want %s", at, w.now)
	}
	_, err := w.RecordFeedEvent(t.Context(), w.subscriber, core.NewID(), core.Opened, w.now)
	if !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("feed event of no notification: got %v, want CodeNotFound", err)
	}
}

func TestPagesAreStable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	for i := range 25 {
		w.publish(t, fmt.Sprint(i))
	}
	var after *core.Cursor
	seen := map[string]bool{}
	for range 3 {
		data, _, _, err := w.Feed(t.Context(), w.subscriber, core.FeedFilter{Page: core.Page{Limit: 10, After: after}})
		if err != nil {
			t.Fatalf("feed: %v", err)
		}
		for _, n := range data {
			if seen[n.Title] {
				t.Errorf("pages of the feed: got %q twice", n.Title)
			}
			seen[n.Title] = true
		}
		c := data[len(data)-1].Cursor()
		after = &c
		w.publish(t, "new "+c.String())
	}
	if len(seen) != 25 {
		t.Errorf("notifications on three pages: got %d, want 25", len(seen))
	}
}
