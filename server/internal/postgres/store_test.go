package postgres_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/pgtest"
	"github.com/sininho/sininho/server/internal/postgres"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// world is a publisher's channel and a subscriber in an empty database.
type world struct {
	*postgres.Store
	channel    core.ChannelRef
	subscriber core.ID
	now        time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{Store: pgtest.Store(t), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	category := must(w.EnsureCategory(t.Context(), core.Category{ID: core.NewID(), Slug: "cidade", Name: "Cidade"}))
	publisher := must(w.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "vila", Name: "Vila"}))
	c, _, err := w.CreateChannel(t.Context(), core.NewID(), publisher, core.ChannelInput{Slug: "agenda", Name: "Agenda", CategoryID: category, Visibility: core.Public}, w.now, core.Idempotency{})
	if err != nil {
		t.Fatal(err)
	}
	w.channel = c.ChannelRef
	w.subscriber = must(w.SignIn(t.Context(), core.Profile{Subject: "1", Email: "ana@example.com", Name: "Ana", Locale: "pt"}, core.SignUp{Open: true}, w.now)).ID
	return w
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func (w *world) notification(title string) core.Notification {
	w.now = w.now.Add(time.Second)
	at := w.now
	return core.Notification{ID: core.NewID(), Channel: w.channel, Title: title, Importance: core.Normal, PublishedAt: &at, Visible: true}
}

func (w *world) publish(t *testing.T, title string) core.Notification {
	t.Helper()
	n, _, err := w.Publish(t.Context(), w.notification(title), core.Idempotency{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (w *world) claim(t *testing.T) []core.Claimed {
	t.Helper()
	return must(w.Claim(t.Context(), 100, w.now, func(context.Context, pgx.Tx, []core.Claimed) error { return nil }))
}

func (w *world) session(t *testing.T, subscriberID core.ID) core.ID {
	t.Helper()
	id := core.NewID()
	if err := w.CreateSession(t.Context(), core.Session{ID: id, SubscriberID: subscriberID, CreatedAt: w.now, SeenAt: w.now}, id[:]); err != nil {
		t.Fatal(err)
	}
	return id
}

func (w *world) feed(t *testing.T) ([]core.Notification, int64, int64) {
	t.Helper()
	data, total, unread, err := w.Feed(t.Context(), w.subscriber, core.FeedFilter{Page: core.Page{Limit: 10}})
	if err != nil {
		t.Fatal(err)
	}
	return data, total, unread
}

func TestPublishOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := core.Idempotency{Caller: "key:1", Key: "k", Route: "POST /x", BodyHash: []byte{1}}
	const tries = 20
	ids := make(chan core.ID, tries)
	var wg sync.WaitGroup
	for i := range tries {
		n := w.notification(fmt.Sprint(i))
		wg.Go(func() { ids <- must3(w.Publish(context.Background(), n, key)).ID })
	}
	wg.Wait()
	close(ids)
	first := <-ids
	for id := range ids {
		if id != first {
			t.Errorf("two ids for one key: %s, %s", first, id)
		}
	}
	_, total, _, err := w.Notifications(t.Context(), w.channel, core.Page{Limit: 10}, nil)
	if err != nil || total != 1 {
		t.Errorf("total %d, %v", total, err)
	}
	key.BodyHash = []byte{2}
	if _, _, err := w.Publish(t.Context(), w.notification("other"), key); !core.IsCode(err, core.CodeInvalid) {
		t.Errorf("another body: %v", err)
	}
}

func must3[T, U any](v T, _ U, err error) T { return must(v, err) }

func TestExternalIDIsForGood(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.notification("first")
	n.ExternalID = "e1"
	first := must3(w.Publish(t.Context(), n, core.Idempotency{}))
	key := core.Idempotency{Caller: "c", Key: "k", Route: "r", BodyHash: []byte{1}}
	for _, key := range []core.Idempotency{{}, key, key} {
		again := w.notification("again")
		again.ExternalID = "e1"
		got, creation, err := w.Publish(t.Context(), again, key)
		if err != nil || got.ID != first.ID || got.Title != "first" || creation == core.Created {
			t.Errorf("%+v: %v %v %v", key, got, creation, err)
		}
	}
	if _, total, _, _ := w.Notifications(t.Context(), w.channel, core.Page{Limit: 10}, nil); total != 1 {
		t.Errorf("total %d", total)
	}
}

func TestUnread(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "before")
	w.claim(t)
	w.publish(t, "before, not placed")
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	if _, total, unread := w.feed(t); total != 2 || unread != 0 {
		t.Fatalf("after following: %d, %d unread", total, unread)
	}
	a, b, c := w.publish(t, "a"), w.publish(t, "b"), w.publish(t, "c")
	check := func(what string, total, unread int64) {
		t.Helper()
		_, gotTotal, gotUnread := w.feed(t)
		subs, _, err := w.Subscriptions(t.Context(), w.subscriber, core.Page{Limit: 10})
		if err != nil || gotTotal != total || gotUnread != unread || subs[0].UnreadCount != unread {
			t.Errorf("%s: %d total, %d unread, %d in the subscription; want %d, %d (%v)", what, gotTotal, gotUnread, subs[0].UnreadCount, total, unread, err)
		}
		data, _, _, err := w.Feed(t.Context(), w.subscriber, core.FeedFilter{UnreadOnly: true, Page: core.Page{Limit: 10}})
		if err != nil || int64(len(data)) != unread {
			t.Errorf("%s: %d in the unread feed, want %d (%v)", what, len(data), unread, err)
		}
	}
	check("not placed", 5, 3)
	w.claim(t)
	check("placed", 5, 3)
	yes, no := true, false
	if n := must(w.UpdateReceipt(t.Context(), w.subscriber, a.ID, core.ReceiptPatch{Read: &yes}, w.now)); n.ReadAt == nil {
		t.Error("read, but without a time")
	}
	check("one read", 5, 2)
	must(w.UpdateReceipt(t.Context(), w.subscriber, b.ID, core.ReceiptPatch{Archived: &yes}, w.now))
	check("one archived", 4, 1)
	d := w.publish(t, "d, not placed")
	if err := w.ReadAll(t.Context(), w.subscriber, nil, w.now); err != nil {
		t.Fatal(err)
	}
	check("all read", 5, 0)
	w.claim(t)
	check("all read, placed", 5, 0)
	must(w.UpdateReceipt(t.Context(), w.subscriber, c.ID, core.ReceiptPatch{Read: &no}, w.now))
	must(w.UpdateReceipt(t.Context(), w.subscriber, d.ID, core.ReceiptPatch{Read: &no}, w.now))
	check("two unread again", 5, 2)
	if _, err := w.RecordFeedEvent(t.Context(), w.subscriber, c.ID, core.Opened, w.now); err != nil {
		t.Fatal(err)
	}
	check("one opened", 5, 1)
	must(w.Correct(t.Context(), w.channel.ID, d.ID, w.now, func(n *core.Notification) error {
		n.WithdrawnAt, n.Visible = &w.now, false
		return nil
	}))
	check("one withdrawn", 4, 0)
	if err := w.ReadAll(t.Context(), w.subscriber, &w.subscriber, w.now); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("read all of a channel that is not followed: %v", err)
	}
}

// TestRepeatedAfterExpiry repeats a publish when its notification is over: the answer is the first one still.
func TestRepeatedAfterExpiry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	clock := w.now
	service := &core.Notifications{Store: w.Store, Now: func() time.Time { return clock }, Nudge: func() {}}
	publisher := must(w.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "vila", Name: "Vila"}))
	caller := core.Caller{Kind: core.CallerPublisher, PublisherID: publisher, Scopes: []core.Scope{core.ScopePublish}}
	key := core.Idempotency{Caller: "key:1", Key: "k", Route: "POST /x", BodyHash: []byte{1}}
	expires := clock.Add(time.Minute)
	in := core.PublishInput{Title: "t", ExpiresAt: &expires}
	first := must3(service.Publish(t.Context(), caller, "vila", "agenda", in, key))
	clock = clock.Add(time.Hour)
	again, creation, err := service.Publish(t.Context(), caller, "vila", "agenda", in, key)
	if err != nil || creation != core.Replayed || again.ID != first.ID {
		t.Errorf("%v %v %v", again.ID, creation, err)
	}
	key.Key = "another"
	if _, _, err := service.Publish(t.Context(), caller, "vila", "agenda", in, key); !core.IsCode(err, core.CodeInvalid) {
		t.Error(err)
	}
	scheduled, late := clock.Add(time.Hour), clock.Add(3*time.Hour)
	expires = clock.Add(2 * time.Hour)
	n := must3(service.Publish(t.Context(), caller, "vila", "agenda", core.PublishInput{Title: "t", ScheduledAt: &scheduled, ExpiresAt: &expires}, core.Idempotency{}))
	if _, err := service.Correct(t.Context(), caller, "vila", "agenda", n.ID, core.CorrectInput{ScheduledAt: &late}, nil); !core.IsCode(err, core.CodeInvalid) {
		t.Error("put off until after its expiry:", err)
	}
	if err := service.Withdraw(t.Context(), caller, "vila", "agenda", first.ID, nil); err != nil {
		t.Fatal(err)
	}
	w.claim(t)
	if err := service.Withdraw(t.Context(), caller, "vila", "agenda", first.ID, nil); err != nil || len(w.claim(t)) != 0 {
		t.Error("withdrawn twice is told twice", err)
	}
}

func TestPrune(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	old := w.session(t, w.subscriber)
	in := core.DeviceInput{InstallationID: "i1", Kind: "token", Address: "t1", Platform: "web", Name: "Chrome"}
	must3(w.RegisterDevice(t.Context(), w.subscriber, old, in, w.now))
	w.now = w.now.Add(core.SessionIdle + time.Hour)
	back := w.session(t, w.subscriber)
	must3(w.RegisterDevice(t.Context(), w.subscriber, back, in, w.now))
	devices := func() int64 {
		_, total, err := w.Devices(t.Context(), w.subscriber, core.Page{Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		return total
	}
	for _, step := range []struct {
		after time.Duration
		want  int64
	}{{0, 1}, {core.SessionIdle - time.Hour, 1}, {2 * time.Hour, 0}} {
		w.now = w.now.Add(step.after)
		if err := w.Prune(t.Context(), w.now); err != nil || devices() != step.want {
			t.Errorf("after %s: %d devices, %v", step.after, devices(), err)
		}
	}
}

// TestFollowAgain follows twice, which changes nothing, and anew, which leaves nothing unread.
func TestFollowAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	n := w.publish(t, "not placed")
	if sub := must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now)); sub.UnreadCount != 1 {
		t.Errorf("following twice leaves %d unread", sub.UnreadCount)
	}
	w.claim(t)
	unread := false
	must(w.UpdateReceipt(t.Context(), w.subscriber, n.ID, core.ReceiptPatch{Read: &unread}, w.now))
	if err := w.Unsubscribe(t.Context(), w.subscriber, w.channel.ID, w.now); err != nil {
		t.Fatal(err)
	}
	if sub := must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now)); sub.UnreadCount != 0 {
		t.Errorf("following anew leaves %d unread", sub.UnreadCount)
	}
}

func TestFollowAndUnfollowAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var all sync.WaitGroup
	for range 30 {
		all.Go(func() {
			if _, err := w.Subscribe(context.Background(), w.subscriber, w.channel.ID, w.now); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			if err := w.Unsubscribe(context.Background(), w.subscriber, w.channel.ID, w.now); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	if c := must(w.Channel(t.Context(), "vila", "agenda", nil)); c.SubscriberCount != 1 {
		t.Errorf("%d subscribers are counted", c.SubscriberCount)
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
			t.Fatal(err)
		}
		for _, n := range data {
			if seen[n.Title] {
				t.Errorf("%s twice", n.Title)
			}
			seen[n.Title] = true
		}
		c := data[len(data)-1].Cursor()
		after = &c
		w.publish(t, "new "+c.String())
	}
	if len(seen) != 25 {
		t.Errorf("saw %d", len(seen))
	}
}

func TestReleaseAndExpire(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	due, over := w.now.Add(time.Hour), w.now.Add(2*time.Hour)
	n := w.notification("later")
	n.PublishedAt, n.Visible, n.ScheduledAt, n.ExpiresAt = nil, false, &due, &over
	must3(w.Publish(t.Context(), n, core.Idempotency{}))
	for _, step := range []struct {
		at    time.Time
		total int64
	}{{due.Add(-time.Second), 0}, {due, 1}, {over.Add(-time.Second), 1}, {over, 0}, {over.Add(time.Hour), 0}} {
		must(w.Release(t.Context(), step.at, 10))
		if _, total, _ := w.feed(t); total != step.total {
			t.Errorf("at %s: total %d, want %d", step.at, total, step.total)
		}
	}
}

func TestDeviceMovesToAnotherPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bruno := must(w.SignIn(t.Context(), core.Profile{Subject: "2", Email: "bruno@example.com", Name: "Bruno", Locale: "pt"}, core.SignUp{Open: true}, w.now)).ID
	in := core.DeviceInput{InstallationID: "installation-1", Kind: "token", Address: "t1", Platform: "web", Name: "Chrome"}
	first, creation, err := w.RegisterDevice(t.Context(), w.subscriber, w.session(t, w.subscriber), in, w.now)
	if err != nil || creation != core.Created {
		t.Fatal(creation, err)
	}
	in.Address = "t2"
	again, creation, err := w.RegisterDevice(t.Context(), w.subscriber, w.session(t, w.subscriber), in, w.now)
	if err != nil || creation != core.Existing || again.ID != first.ID || again.Address != "t2" {
		t.Fatalf("%+v %v %v", again, creation, err)
	}
	gone := core.Delivery{NotificationID: core.NewID(), DeviceID: first.ID, Outcome: core.Failed, Cause: core.CauseUnregistered, Gone: "t1"}
	if err := w.Record(t.Context(), []core.Delivery{gone}, w.now); err != nil {
		t.Fatal(err)
	}
	if _, total, _ := w.Devices(t.Context(), w.subscriber, core.Page{Limit: 10}); total != 1 {
		t.Error("a device was retired for an address that it has left")
	}
	if _, _, err := w.RegisterDevice(t.Context(), w.subscriber, core.NewID(), in, w.now); !core.IsCode(err, core.CodeUnauthenticated) {
		t.Error("registered by a session that has ended:", err)
	}
	moved, creation, err := w.RegisterDevice(t.Context(), bruno, w.session(t, bruno), in, w.now)
	if err != nil || creation != core.Created || moved.ID == first.ID {
		t.Fatalf("%+v %v %v", moved, creation, err)
	}
	if _, total, _ := w.Devices(t.Context(), w.subscriber, core.Page{Limit: 10}); total != 0 {
		t.Errorf("the first person still has %d", total)
	}
}

func TestWebhookEventOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hook := w.webhook(t, "w")
	first, creation, err := w.PublishEvent(t.Context(), hook.ID, w.event("e1"), w.notification("one"))
	if err != nil || creation != core.Created {
		t.Fatal(creation, err)
	}
	again, creation, err := w.PublishEvent(t.Context(), hook.ID, w.event("e1"), w.notification("two"))
	if err != nil || creation != core.Replayed || *again.NotificationID != *first.NotificationID {
		t.Error(again, creation, err)
	}
	if _, total, _, _ := w.Notifications(t.Context(), w.channel, core.Page{Limit: 10}, nil); total != 1 {
		t.Errorf("total %d", total)
	}
}

func TestChangesReplay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.publish(t, "a"), w.publish(t, "b")
	w.claim(t)
	must(w.Correct(t.Context(), w.channel.ID, a.ID, w.now, func(n *core.Notification) error { n.Title = "a2"; return nil }))
	w.claim(t)
	changes := must(w.Changes(t.Context(), 0, 10, []core.ID{w.channel.ID}))
	if len(changes) != 2 || changes[0].Notification.ID != b.ID || changes[1].Notification.Title != "a2" || changes[1].PublishedPosition != 1 {
		t.Errorf("%+v", changes)
	}
	if got := must(w.StreamPosition(t.Context())); got != 3 {
		t.Errorf("position %d", got)
	}
}

// TestPooled does what is prepared elsewhere without preparing it.
func TestPooled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pooled := must(postgres.Open(t.Context(), postgres.Config{URL: w.Pool().Config().ConnString(), Connections: 2, Pooled: true}))
	t.Cleanup(func() { _ = pooled.Close() })
	w.Store = pooled
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	for _, data := range []map[string]string{nil, {"linha": "azul"}} {
		n := w.notification("t")
		n.Data = data
		must3(w.Publish(t.Context(), n, core.Idempotency{Caller: "key:1", Key: n.ID.String(), Route: "POST /x", BodyHash: []byte{1}}))
	}
	data, total, unread := w.feed(t)
	if len(data) != 2 || total != 2 || unread != 2 || data[0].Data["linha"] != "azul" {
		t.Errorf("%+v, %d, %d", data, total, unread)
	}
	if _, total, unread, err := w.Notifications(t.Context(), w.channel, core.Page{Limit: 1, After: new(data[0].Cursor())}, &w.subscriber); err != nil || total != 2 || unread != 2 {
		t.Error(total, unread, err)
	}
	if c, _, err := w.ChannelRef(t.Context(), "vila", "agenda"); err != nil || c.ID != w.channel.ID {
		t.Error(c, err)
	}
	var statements int
	if err := w.Pool().QueryRow(t.Context(), "select count(*) from pg_prepared_statements").Scan(&statements); err != nil || statements != 0 {
		t.Errorf("%d prepared, %v", statements, err)
	}
}

// TestExpandTogether finds the devices of two notifications in pages, one of which a mute does not let through.
func TestExpandTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	until := w.now.Add(time.Hour)
	const people = 5
	for i := range people {
		id := must(w.SignIn(t.Context(), core.Profile{Subject: fmt.Sprint("p", i), Email: "p@example.com", Name: "P", Locale: "pt"}, core.SignUp{Open: true}, w.now)).ID
		must(w.Subscribe(t.Context(), id, w.channel.ID, w.now))
		if i == 0 {
			must(w.UpdateSubscription(t.Context(), id, w.channel.ID, core.SubscriptionPatch{MutedUntil: core.Patch[time.Time]{Set: true, Value: &until}}))
		}
		address := fmt.Sprint("a", i)
		must3(w.RegisterDevice(t.Context(), id, w.session(t, id), core.DeviceInput{InstallationID: address, Kind: "token", Address: address, Platform: "web", Name: "x"}, w.now))
	}
	first, second := w.publish(t, "a"), w.publish(t, "b")
	w.claim(t)
	found := map[core.ID]map[core.ID]bool{first.ID: {}, second.ID: {}}
	calls := 0
	for left := []core.ID{first.ID, second.ID}; len(left) > 0; calls++ {
		left = must(w.Expand(t.Context(), left, 2, w.now, func(_ context.Context, _ pgx.Tx, wanted []core.Wanted) error {
			for _, n := range wanted {
				if n.Load < people {
					t.Errorf("a load of %d", n.Load)
				}
				for _, d := range n.Devices {
					found[n.NotificationID][d] = true
				}
			}
			return nil
		}))
	}
	if calls != 3 || len(found[first.ID]) != people-1 || len(found[second.ID]) != people-1 {
		t.Errorf("%d and %d devices in %d calls", len(found[first.ID]), len(found[second.ID]), calls)
	}
	if left := must(w.Expand(t.Context(), []core.ID{first.ID}, 2, w.now, nil)); len(left) != 0 {
		t.Errorf("a search that was over found more: %v", left)
	}
	var suppressed int
	if err := w.Pool().QueryRow(t.Context(), "select count(*) from deliveries where outcome = 'suppressed' and cause = 'muted'").Scan(&suppressed); err != nil || suppressed != 2 {
		t.Errorf("%d suppressed, %v", suppressed, err)
	}
}

func TestPacer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const patience = 100 * time.Millisecond
	wait, later, err := w.Reserve(t.Context(), 500, 60_000, patience)
	if err != nil || wait > 100*time.Millisecond || later != 0 {
		t.Fatal(wait, later, err)
	}
	for range 10 { // who does not want to wait that long takes nothing, however often it asks
		if _, later, err = w.Reserve(t.Context(), 500, 60_000, patience); err != nil || later < 200*time.Millisecond || later > 400*time.Millisecond {
			t.Error("not so long:", later, err)
		}
	}
	if wait, _, err = w.Reserve(t.Context(), 500, 60_000, time.Second); err != nil || wait < 300*time.Millisecond || wait > 500*time.Millisecond {
		t.Error("the second chunk waits for the first:", wait, err)
	}
	if err := w.Pause(t.Context(), time.Minute, core.CauseQuota); err != nil {
		t.Fatal(err)
	}
	if _, later, err = w.Reserve(t.Context(), 1, 60_000, time.Second); err != nil || later < 50*time.Second || later > time.Minute {
		t.Error(later, err)
	}
	if paused, cause, err := w.Paused(t.Context()); err != nil || cause != core.CauseQuota || paused < 50*time.Second {
		t.Error(paused, cause, err)
	}
}

func TestMigrateByManyNodes(t *testing.T) {
	t.Parallel()
	url := pgtest.EmptyURL(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := postgres.Migrate(context.Background(), url, slog.New(slog.DiscardHandler)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
