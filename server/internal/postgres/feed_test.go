package postgres_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
)

// TestOpenedForTheFirstTime opens a notification on several devices at the same time: one of them is the first.
func TestOpenedForTheFirstTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	n := w.publish(t, "a")
	succeed(t, "display", w.RecordDisplayed(t.Context(), w.subscriber, nil, []core.ID{n.ID}))
	var firsts atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			first, err := w.RecordOpened(t.Context(), w.subscriber, n.ID, w.now)
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
	if must(w.RecordOpened(t.Context(), w.subscriber, n.ID, w.now.Add(time.Hour))) {
		t.Error("opened an hour later for the first time: got true, want false")
	}
	at := scan[time.Time](t, w, "select opened_at from receipts where notification_id = $1", n.ID)
	if !at.Equal(w.now) {
		t.Errorf("time of opening: got %s, want %s", at, w.now)
	}
	_, err := w.RecordOpened(t.Context(), w.subscriber, core.NewID(), w.now)
	if !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("feed event of no notification: got %v, want CodeNotFound", err)
	}
}

// TestReadingOneAndAll marks notifications as read one by one and all at once, at the same time. Neither may wait for
// the other in a circle, which PostgreSQL ends with an error.
func TestReadingOneAndAll(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	for range 40 {
		var published []core.Notification
		for i := range 8 {
			published = append(published, w.publish(t, fmt.Sprint(i)))
		}
		var all sync.WaitGroup
		for _, n := range published {
			all.Go(func() {
				_, err := w.UpdateReceipt(t.Context(), w.subscriber, n.ID, core.ReceiptPatch{Read: new(true)}, w.now)
				if err != nil {
					t.Errorf("read one: %v", err)
				}
				if err := w.ReadAll(t.Context(), w.subscriber, nil, w.now); err != nil {
					t.Errorf("read all: %v", err)
				}
			})
		}
		all.Wait()
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
		f := core.FeedFilter{Page: core.Page{Limit: 10, After: after}}
		data, _, _, err := readFeed(t.Context(), w, w.subscriber, f)
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

// TestUnreadFeedAgreesWithTheFeed filters the whole feed, and pages through the unread one. A channel has few unread
// notifications, another up to all of many, whose times do not have the order of their numbers. At first some are
// marked unread again. Then none is, so that the first page can be made of what is in memory.
func TestUnreadFeedAgreesWithTheFeed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	follow := func() { must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now)) }
	follow()
	few := w.channel
	for i := range 30 {
		n := w.publish(t, fmt.Sprint("few ", i))
		if i == 9 {
			if err := w.ReadAll(t.Context(), w.subscriber, nil, w.now); err != nil {
				t.Fatalf("read all: %v", err)
			}
		}
		w.mark(t, n.ID, i)
	}
	w.channel = w.anotherChannel(t)
	follow()
	w.exec(t, `insert into notifications (id, channel_id, title, body, importance, visible, published_at, position,
			stream_position, ordinal)
		select gen_random_uuid(), $1, 'many', '', 'normal', true,
			$2::timestamptz - i * 7919 % 1200 * interval '1 minute', 1000 + i, 1000 + i, i
		from generate_series(1, 1200) i`, w.channel.ID, w.now)
	w.exec(t, `insert into channel_heads (channel_id, ordinal, visible, version, published_at)
		values ($1, 1200, 1200, 1, $2)`, w.channel.ID, w.now)
	id := func(n core.Notification) core.ID { return n.ID }
	for range 2 {
		for _, read := range []int{0, 151, 1000, 1150, 1190, 1199} {
			w.exec(t, "update subscriptions set read_ordinal = $2 where channel_id = $1", w.channel.ID, read)
			var want []core.ID
			for _, n := range w.pages(t, false) {
				if n.ReadAt == nil {
					want = append(want, n.ID)
				}
			}
			equal(t, fmt.Sprint("unread notifications after ", read), ids(w.pages(t, true), id), want)
			f := core.FeedFilter{UnreadOnly: true, Page: core.Page{Limit: 10}}
			first, total, _, err := readFeed(t.Context(), w, w.subscriber, f)
			succeed(t, "feed", err)
			equal(t, fmt.Sprint("first unread notifications after ", read), ids(first, id), want[:min(10, len(want))])
			equal(t, fmt.Sprint("total after ", read), total, int64(len(want)))
		}
		if err := w.ReadAll(t.Context(), w.subscriber, &few.ID, w.now); err != nil {
			t.Fatalf("read all: %v", err)
		}
	}
}

// mark reads, unreads or archives some notifications.
func (w *world) mark(t *testing.T, id core.ID, i int) {
	t.Helper()
	patches := []core.ReceiptPatch{{}, {Read: new(true)}, {Read: new(false)}, {Archived: new(true)},
		{Read: new(false), Archived: new(true)}}
	if p := patches[i%len(patches)]; p != (core.ReceiptPatch{}) {
		must(w.UpdateReceipt(t.Context(), w.subscriber, id, p, w.now))
	}
}

// pages reads the feed page by page.
func (w *world) pages(t *testing.T, unreadOnly bool) (all []core.Notification) {
	t.Helper()
	f := core.FeedFilter{UnreadOnly: unreadOnly, Page: core.Page{Limit: 50}}
	for {
		data, total, unread, err := readFeed(t.Context(), w, w.subscriber, f)
		succeed(t, "feed", err)
		if unreadOnly {
			equal(t, "total of the unread feed", total, unread)
		}
		all = append(all, data...)
		if len(data) < f.Limit {
			equal(t, "total of the feed", total, int64(len(all)))
			return all
		}
		f.After = new(data[len(data)-1].Cursor())
	}
}

// TestReadReceiptsDoNotCount reads notifications one by one. Once all up to one of them are read, the counts need none
// of their receipts, and each notification keeps the time at which it was read.
func TestReadReceiptsDoNotCount(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		read []int // of 5 notifications, of which the first is withdrawn
		all  int   // how often all are then marked as read
		want int64 // receipts that count
	}{
		"oldest first":      {read: []int{1, 2, 3}},
		"newest first":      {read: []int{4, 3, 2, 1}},
		"the oldest unread": {read: []int{4, 3, 2}, want: 3},
		"with a gap":        {read: []int{1, 2, 4}, want: 1},
		"the gap at last":   {read: []int{4, 1, 3, 2}},
		"all afterwards":    {read: []int{4, 2}, all: 1},
		"all twice":         {read: []int{1, 4}, all: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
			var published []core.Notification
			for range 5 {
				published = append(published, w.publish(t, "a"))
			}
			must(w.Correct(t.Context(), w.channel.ID, published[0].ID, func(n *core.Notification) error {
				n.Visible, n.WithdrawnAt = false, &w.now
				return nil
			}))
			at := map[core.ID]*time.Time{}
			for _, i := range tc.read {
				w.now = w.now.Add(time.Second)
				id := published[i].ID
				read := core.ReceiptPatch{Read: new(true)}
				at[id] = must(w.UpdateReceipt(t.Context(), w.subscriber, id, read, w.now)).ReadAt
			}
			for range tc.all {
				w.now = w.now.Add(time.Second)
				succeed(t, "read all", w.ReadAll(t.Context(), w.subscriber, nil, w.now))
			}
			equal(t, "receipts that count", w.count(t, "select count(*) from receipts where read is not null"), tc.want)
			data, _, _ := w.feed(t)
			got := map[core.ID]*time.Time{}
			for _, n := range data {
				if _, ok := at[n.ID]; ok {
					got[n.ID] = n.ReadAt
				}
			}
			if diff := cmp.Diff(at, got); diff != "" {
				t.Errorf("times at which notifications were read (-want +got):\n%s", diff)
			}
		})
	}
}
