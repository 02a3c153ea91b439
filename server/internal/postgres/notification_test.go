package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
)

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

// production holds the rules of an installation on the Internet.
var production = core.NewRules(core.LinkRules{}, core.EventRules{}, nil)

// TestScheduledIsReplayedAsScheduled repeats a publish when its notification is due: the replay still has no publishedAt.
func TestScheduledIsReplayedAsScheduled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	clock := w.now
	service := core.NewNotifications(w.Store, production, func() {}, func() time.Time { return clock })
	publisher := must(w.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "vila", Name: "Vila"}))
	caller := core.Caller{Kind: core.CallerPublisher, PublisherID: publisher, Scopes: []core.Scope{core.ScopePublish}}
	key := core.Idempotency{Caller: "key:1", Key: "k", Route: "POST /x", BodyHash: []byte{1}}
	due := clock.Add(time.Minute)
	in := core.PublishInput{Title: "t", ScheduledAt: &due}
	first := must3(service.Publish(t.Context(), caller, "vila", "agenda", in, key))
	clock = clock.Add(time.Hour)
	again, creation, err := service.Publish(t.Context(), caller, "vila", "agenda", in, key)
	if err != nil || creation != core.Replayed {
		t.Fatalf("creation is %d, want Replayed (%d); error %v", creation, core.Replayed, err)
	}
	if got, want := encode(t, again), encode(t, first); got != want {
		t.Errorf("replayed\n%s\nwant\n%s", got, want)
	}
}

// TestRepeatedAfterExpiry repeats a publish when its notification is over: the answer is the first one still.
func TestRepeatedAfterExpiry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	clock := w.now
	service := core.NewNotifications(w.Store, production, func() {}, func() time.Time { return clock })
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
		must(delivery.Release(t.Context(), w.db, 10, step.at))
		if _, total, _ := w.feed(t); total != step.total {
			t.Errorf("at %s: total %d, want %d", step.at, total, step.total)
		}
	}
}

// TestUnreadAgreesWithTheList counts what is unread in a channel's list by the list itself, whatever was done with it.
func TestUnreadAgreesWithTheList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := w.publish(t, "before following")
	check := func(what string) {
		t.Helper()
		list, _, got, err := w.Notifications(t.Context(), w.channel, core.Page{Limit: 100}, &w.subscriber)
		if err != nil || got == nil {
			t.Fatalf("%s: got unread %v, %v, want a number", what, got, err)
		}
		var want int64
		for _, n := range list {
			if n.ReadAt == nil {
				want++
			}
		}
		if *got != want {
			t.Errorf("%s: got %d unread, the list has %d", what, *got, want)
		}
	}
	if _, _, unread, err := w.Notifications(t.Context(), w.channel, core.Page{Limit: 10}, &w.subscriber); err != nil || unread != nil {
		t.Errorf("a channel that is not followed: got unread %v, %v, want none", unread, err)
	}
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	check("just followed")
	first, second, third := w.publish(t, "1"), w.publish(t, "2"), w.publish(t, "3")
	check("not on the stream yet")
	w.claim(t)
	check("published")
	yes, no := true, false
	for _, step := range []struct {
		what  string
		id    core.ID
		patch core.ReceiptPatch
	}{
		{"one archived unread", first.ID, core.ReceiptPatch{Archived: &yes}},
		{"one read", second.ID, core.ReceiptPatch{Read: &yes}},
		{"one read and archived", third.ID, core.ReceiptPatch{Read: &yes, Archived: &yes}},
		{"an old one unread again", before.ID, core.ReceiptPatch{Read: &no}},
		{"and archived", before.ID, core.ReceiptPatch{Archived: &yes}},
		{"and back", before.ID, core.ReceiptPatch{Archived: &no}},
	} {
		must(w.UpdateReceipt(t.Context(), w.subscriber, step.id, step.patch, w.now))
		check(step.what)
	}
}
