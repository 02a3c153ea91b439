package postgres_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
)

// hidden is a notification that no reader may see.
type hidden struct {
	name string
	make func(t *testing.T, w *world) core.ID
}

// hiddenNotifications are made beside a visible one, which they must not displace or be counted with.
var hiddenNotifications = []hidden{
	{
		"scheduled", func(t *testing.T, w *world) core.ID {
			return w.schedule(t, "scheduled", w.now.AddDate(0, 0, 1)).ID
		},
	},
	{"withdrawn", func(t *testing.T, w *world) core.ID {
		n := w.publish(t, "withdrawn")
		w.withdraw(t, n.ID)
		return n.ID
	}},
	{"archived and then withdrawn", func(t *testing.T, w *world) core.ID {
		n := w.publish(t, "withdrawn")
		must(w.UpdateReceipt(t.Context(), w.subscriber, n.ID, core.ReceiptPatch{Archived: new(true)}, w.now))
		w.withdraw(t, n.ID)
		return n.ID
	}},
	{"marked unread and then withdrawn", func(t *testing.T, w *world) core.ID {
		n := w.publish(t, "withdrawn")
		if err := w.ReadAll(t.Context(), w.subscriber, nil, w.now); err != nil {
			t.Fatalf("read all: %v", err)
		}
		must(w.UpdateReceipt(t.Context(), w.subscriber, n.ID, core.ReceiptPatch{Read: new(false)}, w.now))
		w.withdraw(t, n.ID)
		return n.ID
	}},
}

// schedule publishes at a time in the future.
func (w *world) schedule(t tester, title string, at time.Time) core.Notification {
	t.Helper()
	n := w.notification(title)
	n.PublishedAt, n.ScheduledAt = nil, &at
	n.Visible = false
	return must3(w.Publish(t.Context(), n, core.Idempotency{}))
}

// publishElsewhere publishes in another channel, which nobody follows.
func (w *world) publishElsewhere(t *testing.T) {
	t.Helper()
	n := w.notification("elsewhere")
	n.Channel = w.anotherChannel(t)
	must3(w.Publish(t.Context(), n, core.Idempotency{}))
}

func (w *world) anotherChannel(t *testing.T) core.ChannelRef {
	t.Helper()
	vila := must(w.PublisherBySlug(t.Context(), "vila"))
	in := core.ChannelInput{Slug: "obras", Name: "Obras", CategoryID: w.category(t, "cidade"), Visibility: core.Public}
	return must3(w.CreateChannel(t.Context(), core.NewID(), vila.ID, in, w.now, core.Idempotency{})).ChannelRef
}

func (w *world) withdraw(t *testing.T, id core.ID) {
	t.Helper()
	w.correct(t, id, func(n *core.Notification) { n.WithdrawnAt, n.Visible = new(w.now), false })
}

// view is everything that readers see of a channel and of the feed of a person who follows it.
type view struct {
	Feed, UnreadFeed, List            []string
	FeedTotal, FeedUnread             int64
	ListTotal, ListUnread             int64
	SubscriptionUnread, Notifications int64
	Published                         *time.Time // the latest
	Active                            []string   // the channel with the latest publication
	Stream                            []string   // without withdrawals
}

func (w *world) view(t *testing.T) (v view) {
	t.Helper()
	page := core.Page{Limit: 10}
	data, total, unread, err := readFeed(t.Context(), w, w.subscriber, core.FeedFilter{Page: page})
	if err != nil {
		t.Fatalf("feed: %v", err)
	}
	v.Feed, v.FeedTotal = titles(data), total
	v.FeedUnread = unread
	data, _, _, err = readFeed(t.Context(), w, w.subscriber, core.FeedFilter{UnreadOnly: true, Page: page})
	if err != nil {
		t.Fatalf("unread feed: %v", err)
	}
	v.UnreadFeed = titles(data)
	data, total, listUnread, err := listOf(t.Context(), w.Store, w.channel, page, &w.subscriber)
	if err != nil || listUnread == nil {
		t.Fatalf("list of the channel: unread %v, error %v", listUnread, err)
	}
	v.List, v.ListTotal = titles(data), total
	v.ListUnread = *listUnread
	subs, err := w.Subscriptions(t.Context(), w.subscriber, page)
	if err != nil || len(subs.Data) != 1 {
		t.Fatalf("subscriptions: got %d with error %v, want 1", len(subs.Data), err)
	}
	v.SubscriptionUnread = subs.Data[0].UnreadCount
	c, err := w.Channel(t.Context(), w.channel.PublisherSlug, w.channel.Slug, nil)
	if err != nil {
		t.Fatalf("channel: %v", err)
	}
	v.Notifications, v.Published = c.NotificationCount, c.LastPublishedAt
	channels, _, err := w.Channels(t.Context(), core.ChannelFilter{Sort: core.SortActive, Page: core.Page{Limit: 1}})
	if err != nil {
		t.Fatalf("channels: %v", err)
	}
	for _, c := range channels {
		v.Active = append(v.Active, c.Slug)
	}
	for _, change := range must(w.Changes(t.Context(), 0, 10, 1<<20, []core.ID{w.channel.ID})) {
		if change.Kind != core.ChangeWithdrawn {
			v.Stream = append(v.Stream, string(change.Kind)+" "+change.Notification.Title)
		}
	}
	return v
}

func titles(list []core.Notification) (out []string) {
	for _, n := range list {
		out = append(out, n.Title)
	}
	return out
}

// TestHiddenNotifications checks that no query shows or counts a hidden notification.
func TestHiddenNotifications(t *testing.T) {
	t.Parallel()
	for _, h := range hiddenNotifications {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
			w.publish(t, "visible")
			w.publishElsewhere(t)
			if err := w.ReadAll(t.Context(), w.subscriber, nil, w.now); err != nil {
				t.Fatalf("read all: %v", err)
			}
			want := w.view(t)
			if diff := cmp.Diff([]string{"visible"}, want.Feed); diff != "" {
				t.Fatalf("feed with a visible notification (-want +got):\n%s", diff)
			}
			id := h.make(t, w)
			if diff := cmp.Diff(want, w.view(t)); diff != "" {
				t.Errorf("with a hidden notification (-want +got):\n%s", diff)
			}
			w.reachNobody(t, id)
			w.readAll(t, id)
		})
	}
}

// readAll marks everything as read, and fails if that makes a receipt for a hidden notification.
func (w *world) readAll(t *testing.T, id core.ID) {
	t.Helper()
	const receipts = "select count(*) from receipts where notification_id = $1"
	before := w.count(t, receipts, id)
	if err := w.ReadAll(t.Context(), w.subscriber, nil, w.now); err != nil {
		t.Fatalf("read all: %v", err)
	}
	if after := w.count(t, receipts, id); after != before {
		t.Errorf("receipts after reading all: got %d, want %d as before", after, before)
	}
}

// reachNobody fails unless a notification is hidden from single reads and changes.
func (w *world) reachNobody(t *testing.T, id core.ID) {
	t.Helper()
	if _, err := w.FeedNotification(t.Context(), w.subscriber, id); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("single read in the feed: got %v, want CodeNotFound", err)
	}
	if n := must(w.Notification(t.Context(), w.channel.ID, id, nil)); n.Visible {
		t.Errorf("single read in the channel: got a visible notification, want a hidden one")
	}
	service := core.NewNotifications(w.Store, w.Writer, nil, production, func() time.Time { return w.now })
	_, err := service.Get(t.Context(), core.Caller{}, w.channel.PublisherSlug, w.channel.Slug, id)
	if !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("single read in the channel by a visitor: got %v, want CodeNotFound", err)
	}
	for _, p := range []core.ReceiptPatch{{Read: new(true)}, {Archived: new(true)}} {
		_, err := w.UpdateReceipt(t.Context(), w.subscriber, id, p, w.now)
		if !core.IsCode(err, core.CodeNotFound) {
			t.Errorf("change of its receipt: got %v, want CodeNotFound", err)
		}
	}
	if err := w.RecordDisplayed(t.Context(), w.subscriber, nil, []core.ID{id}); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("display: got %v, want CodeNotFound", err)
	}
	if _, err := w.RecordOpened(t.Context(), w.subscriber, id, w.now); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("opening: got %v, want CodeNotFound", err)
	}
}

// TestScheduledNotificationIsPublishedWhenDue checks that it appears everywhere at its time, and not before.
func TestScheduledNotificationIsPublishedWhenDue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	due := w.now.Add(time.Hour)
	w.schedule(t, "due", due)
	w.now = due.Add(-time.Microsecond)
	if released := must(w.Release(t.Context())); released != 0 {
		t.Errorf("released before the time: got %d, want 0", released)
	}
	if got := w.changes(t, 0, 10); len(got) != 0 {
		t.Errorf("changes before the time: got %q, want none", got)
	}
	if diff := cmp.Diff(view{Active: []string{"agenda"}}, w.view(t)); diff != "" {
		t.Errorf("before the time (-want +got):\n%s", diff)
	}
	w.now = due
	must(w.Release(t.Context()))
	want := view{
		Feed: []string{"due"}, UnreadFeed: []string{"due"}, List: []string{"due"}, FeedTotal: 1, FeedUnread: 1,
		ListTotal: 1, ListUnread: 1, SubscriptionUnread: 1, Notifications: 1, Published: &due,
		Active: []string{"agenda"}, Stream: []string{"notification due"},
	}
	if diff := cmp.Diff(want, w.view(t)); diff != "" {
		t.Errorf("at the time (-want +got):\n%s", diff)
	}
}

// TestAScheduleInTheDistantPast publishes at once what was scheduled for the first year that RFC 3339 can express,
// which PostgreSQL refuses as text.
func TestAScheduleInTheDistantPast(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.notification("old")
	n.ScheduledAt = new(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC))
	must3(w.Publish(t.Context(), n, core.Idempotency{}))
	found := must(w.Notification(t.Context(), w.channel.ID, n.ID, nil))
	if found.ScheduledAt == nil || !found.ScheduledAt.Equal(*n.ScheduledAt) {
		t.Errorf("time of the schedule: got %v, want %s", found.ScheduledAt, n.ScheduledAt)
	}
}
