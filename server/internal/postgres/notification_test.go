package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func TestPublishOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := core.Idempotency{Caller: "key:1", Key: "k", Route: "POST /x", BodyHash: []byte{1}}
	const tries = 20
	ids := make(chan core.ID, tries)
	notifications := make([]core.Notification, tries)
	for i := range notifications {
		notifications[i] = w.notification(fmt.Sprint(i)) // sets the clock, which the stream reads
	}
	var wg sync.WaitGroup
	for _, n := range notifications {
		wg.Go(func() { ids <- must3(w.Publish(context.Background(), n, key)).ID })
	}
	wg.Wait()
	close(ids)
	first := <-ids
	for id := range ids {
		if id != first {
			t.Errorf("id of a notification with the same key: got %s, want %s", id, first)
		}
	}
	_, total, _, err := listOf(t.Context(), w.Store, w.channel, core.Page{Limit: 10}, nil)
	if err != nil || total != 1 {
		t.Errorf("notifications of one key: got %d and error %v, want 1", total, err)
	}
	key.BodyHash = []byte{2}
	if _, _, err := w.Publish(t.Context(), w.notification("other"), key); !core.IsCode(err, core.CodeInvalid) {
		t.Errorf("the same key with another body: got %v, want CodeInvalid", err)
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
		if err != nil || creation == core.Created {
			t.Errorf("publish again with key %q: got creation %v and error %v, want none", key.Key, creation, err)
		}
		if got.ID != first.ID || got.Title != "first" {
			t.Errorf("publish again with key %q: got %s %q, want %s \"first\"", key.Key, got.ID, got.Title, first.ID)
		}
	}
	if _, total, _, _ := listOf(t.Context(), w.Store, w.channel, core.Page{Limit: 10}, nil); total != 1 {
		t.Errorf("notifications of the channel: got %d, want 1", total)
	}
}

// production holds the rules of an installation on the Internet.
var production = core.NewRules(core.LinkRules{}, core.EventRules{}, nil)

// TestScheduledIsReplayedAsScheduled repeats a publish when its notification is due: the replay has no publishedAt.
func TestScheduledIsReplayedAsScheduled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	clock := w.now
	service := core.NewNotifications(w.Store, w.Writer, nil, production, func() time.Time { return clock })
	publisher := must(w.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "vila", Name: "Vila"}))
	caller := core.Caller{Kind: core.CallerPublisher, PublisherID: publisher, Scopes: []core.Scope{core.ScopePublish}}
	key := core.Idempotency{Caller: "key:1", Key: "k", Route: "POST /x", BodyHash: []byte{1}}
	due := clock.Add(time.Minute)
	in := core.PublishInput{Title: "t", ScheduledAt: &due}
	first := must3(service.Publish(t.Context(), caller, "vila", "agenda", in, key))
	clock = clock.Add(time.Hour)
	again, creation, err := service.Publish(t.Context(), caller, "vila", "agenda", in, key)
	if err != nil || creation != core.Replayed {
		t.Fatalf("repeated publish: got creation %v and error %v, want %v", creation, err, core.Replayed)
	}
	if got, want := encode(t, again), encode(t, first); got != want {
		t.Errorf("repeated publish: got\n%s\nwant\n%s", got, want)
	}
}

// TestRepeatedAfterExpiry repeats a publish after its notification has expired: the response is the first one.
func TestRepeatedAfterExpiry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	clock := w.now
	service := core.NewNotifications(w.Store, w.Writer, nil, production, func() time.Time { return clock })
	publisher := must(w.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "vila", Name: "Vila"}))
	caller := core.Caller{Kind: core.CallerPublisher, PublisherID: publisher, Scopes: []core.Scope{core.ScopePublish}}
	key := core.Idempotency{Caller: "key:1", Key: "k", Route: "POST /x", BodyHash: []byte{1}}
	expires := clock.Add(time.Minute)
	in := core.PublishInput{Title: "t", ExpiresAt: &expires}
	first := must3(service.Publish(t.Context(), caller, "vila", "agenda", in, key))
	clock = clock.Add(time.Hour)
	again, creation, err := service.Publish(t.Context(), caller, "vila", "agenda", in, key)
	if err != nil || creation != core.Replayed {
		t.Errorf("repeated publish: got creation %v and error %v, want %v", creation, err, core.Replayed)
	}
	if again.ID != first.ID {
		t.Errorf("id of a repeated publish: got %s, want %s", again.ID, first.ID)
	}
	key.Key = "another"
	if _, _, err := service.Publish(t.Context(), caller, "vila", "agenda", in, key); !core.IsCode(err,
		core.CodeInvalid) {
		t.Errorf("publish with an expiry in the past: got %v, want CodeInvalid", err)
	}
	scheduled, late := clock.Add(time.Hour), clock.Add(3*time.Hour)
	expires = clock.Add(2 * time.Hour)
	in = core.PublishInput{Title: "t", ScheduledAt: &scheduled, ExpiresAt: &expires}
	n := must3(service.Publish(t.Context(), caller, "vila", "agenda", in, core.Idempotency{}))
	_, err = service.Correct(t.Context(), caller, "vila", "agenda", n.ID, core.CorrectInput{ScheduledAt: &late}, nil)
	if !core.IsCode(err, core.CodeInvalid) {
		t.Errorf("schedule after the expiry: got %v, want CodeInvalid", err)
	}
	if err := service.Withdraw(t.Context(), caller, "vila", "agenda", first.ID, nil); err != nil {
		t.Fatalf("withdraw: %v", err)
	}
	before := must(w.StreamPosition(t.Context()))
	if err := service.Withdraw(t.Context(), caller, "vila", "agenda", first.ID, nil); err != nil {
		t.Errorf("second withdrawal: %v", err)
	}
	if after := must(w.StreamPosition(t.Context())); after != before {
		t.Errorf("stream position after a second withdrawal: got %d, want %d as before", after, before)
	}
}

func TestReleaseAndExpire(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	due, over := w.now.Add(time.Hour), w.now.Add(2*time.Hour)
	n := w.notification("later")
	n.PublishedAt = nil
	n.Visible = false
	n.ScheduledAt = &due
	n.ExpiresAt = &over
	must3(w.Publish(t.Context(), n, core.Idempotency{}))
	for _, step := range []struct {
		at    time.Time
		total int64
	}{{due.Add(-time.Second), 0}, {due, 1}, {over.Add(-time.Second), 1}, {over, 0}, {over.Add(time.Hour), 0}} {
		w.now = step.at
		must(w.Release(t.Context()))
		if _, total, _ := w.feed(t); total != step.total {
			t.Errorf("length of the feed at %s: got %d, want %d", step.at, total, step.total)
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
		list, _, got, err := listOf(t.Context(), w.Store, w.channel, core.Page{Limit: 100}, &w.subscriber)
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
	if _, _, unread, err := listOf(t.Context(), w.Store, w.channel, core.Page{Limit: 10}, &w.subscriber); err != nil ||
		unread != nil {
		t.Errorf("a channel that is not followed: got unread %v, %v, want none", unread, err)
	}
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	check("just followed")
	first := w.publish(t, "1")
	second := w.publish(t, "2")
	third := w.publish(t, "3")
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
