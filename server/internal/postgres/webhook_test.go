package postgres_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
)

func (w *world) sealed(name string) core.SealedWebhook {
	w.now = w.now.Add(time.Second)
	id := core.NewID()
	return core.SealedWebhook{
		ID: id, ChannelID: w.channel.ID, Name: name, Signing: core.SigningNone, Sender: core.SenderPlain,
		AddressHash: id[:], AddressSealed: []byte("s"), CreatedAt: w.now, UpdatedAt: w.now,
	}
}

func (w *world) webhook(t *testing.T, name string) core.SealedWebhook {
	t.Helper()
	return must3(w.CreateWebhook(t.Context(), w.sealed(name), core.Idempotency{}))
}

func TestWebhooksOfAChannel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := core.Idempotency{Caller: "key:1", Key: "k", Route: "POST /x", BodyHash: []byte{1}}
	first := must3(w.CreateWebhook(t.Context(), w.sealed("first"), key))
	again, creation, err := w.CreateWebhook(t.Context(), w.sealed("first"), key)
	if err != nil {
		t.Fatalf("repeat the creation of a webhook: %v", err)
	}
	if creation != core.Replayed {
		t.Errorf("creation of a repeated webhook: got %v, want %v", creation, core.Replayed)
	}
	if again.ID != first.ID {
		t.Errorf("id of a repeated webhook: got %v, want that of the first, %v", again.ID, first.ID)
	}
	if again.AddressHash != nil || again.SecretSealed != nil {
		t.Errorf("a repeated webhook has secrets: %+v", again)
	}
	second := w.webhook(t, "second")
	data, total, err := w.Webhooks(t.Context(), w.channel.ID, core.Page{Limit: 1, Offset: 1})
	if err != nil || total != 2 {
		t.Errorf("webhooks: got a list of %d and error %v, want 2", total, err)
	}
	if diff := cmp.Diff([]core.SealedWebhook{second}, data); diff != "" {
		t.Errorf("second page of the webhooks, oldest first (-want +got):\n%s", diff)
	}
	event := must3(w.PublishEvent(t.Context(), second.ID, w.event("e"), w.notification("n")))
	if got := must(w.Webhook(t.Context(), w.channel.ID, second.ID)); got.LastEventAt == nil ||
		!got.LastEventAt.Equal(event.ReceivedAt) {
		t.Errorf("time of the last event: got %v, want %v", got.LastEventAt, event.ReceivedAt)
	}
	if _, err := w.Webhook(t.Context(), core.NewID(), second.ID); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("webhook of another channel: got %v, want CodeNotFound", err)
	}
}

func TestUpdateWebhook(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hook := w.webhook(t, "w")
	until := w.now.Add(time.Hour)
	changed, _, err := w.UpdateWebhook(t.Context(), w.channel.ID, hook.ID, w.now.Add(-time.Hour), core.Idempotency{},
		func(s *core.SealedWebhook) error {
			s.Name = "v"
			s.AddressHash = []byte("h2")
			s.SecretSealed = []byte("new")
			s.PreviousSealed = []byte("old")
			s.PreviousUntil = &until
			s.Sender, s.Template = core.SenderGitHub, &core.WebhookTemplate{Title: "{{ payload.a }}", Skip: "x"}
			return nil
		})
	if err != nil {
		t.Fatalf("update: %v", err)
	}
	if !changed.UpdatedAt.After(hook.UpdatedAt) {
		t.Errorf("version after an update: got %v, want one after %v", changed.UpdatedAt, hook.UpdatedAt)
	}
	if _, _, err := w.WebhookByAddress(t.Context(), hook.AddressHash); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("webhook by its old address: got %v, want CodeNotFound", err)
	}
	found, channel, err := w.WebhookByAddress(t.Context(), []byte("h2"))
	if err != nil {
		t.Fatalf("webhook by its new address: %v", err)
	}
	if diff := cmp.Diff(w.channel, channel); diff != "" {
		t.Errorf("channel of the webhook (-want +got):\n%s", diff)
	}
	_, publisherID, err := w.ChannelRef(t.Context(), channel.PublisherSlug, channel.Slug)
	succeed(t, "find the channel", err)
	equal(t, "publisher of the webhook", found.PublisherID, publisherID)
	found.PublisherID, found.AccountID = changed.PublisherID, changed.AccountID // set only by WebhookByAddress
	if diff := cmp.Diff(changed, found); diff != "" {
		t.Errorf("webhook by its new address (-want +got):\n%s", diff)
	}
	if err := w.Prune(t.Context(), until); err != nil {
		t.Fatalf("prune: %v", err)
	}
	pruned := changed
	pruned.PreviousSealed, pruned.PreviousUntil = nil, nil
	if diff := cmp.Diff(pruned, must(w.Webhook(t.Context(), w.channel.ID, hook.ID))); diff != "" {
		t.Errorf("webhook after its previous secret ended (-want +got):\n%s", diff)
	}
	if err := w.DeleteWebhook(t.Context(), w.channel.ID, hook.ID, &hook.UpdatedAt); !core.IsCode(err,
		core.CodeChanged) {
		t.Errorf("deletion of an earlier version: got %v, want CodeChanged", err)
	}
	if err := w.DeleteWebhook(t.Context(), w.channel.ID, hook.ID, nil); err != nil {
		t.Errorf("deletion: %v", err)
	}
	if err := w.DeleteWebhook(t.Context(), w.channel.ID, hook.ID, nil); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("second deletion: got %v, want CodeNotFound", err)
	}
	if _, _, err := w.PublishEvent(t.Context(), hook.ID, w.event("e"), w.notification("n")); !core.IsCode(err,
		core.CodeNotFound) {
		t.Errorf("event of a deleted webhook: got %v, want CodeNotFound", err)
	}
}

// event returns a webhook event that was published.
func (w *world) event(id string) core.ReceivedEvent {
	return core.ReceivedEvent{ID: id, Kind: "kind", ReceivedAt: w.now, Outcome: core.OutcomePublished,
		Payload: []byte(`{"a": 1}`), Headers: map[string]string{"x-event": "e"}}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hook := w.webhook(t, "w")
	keep := func(id string, outcome core.WebhookOutcome, why string) (core.ReceivedEvent, core.Creation) {
		t.Helper()
		w.now = w.now.Add(time.Second)
		e := w.event(id)
		e.Outcome, e.Detail = outcome, why
		kept, creation, err := w.KeepEvent(t.Context(), hook.ID, e)
		if err != nil {
			t.Fatalf("keep event %s: %v", id, err)
		}
		return kept, creation
	}
	keep("mended", core.OutcomeRefused, "bad")
	if _, creation := keep("bad", core.OutcomeRefused, "worse"); creation != core.Created {
		t.Errorf("creation of a new event: got %v, want %v", creation, core.Created)
	}
	if _, creation := keep("bad", core.OutcomeRefused, "bad"); creation != core.Existing {
		t.Errorf("creation of a repeated event that was refused: got %v, want %v", creation, core.Existing)
	}
	keep("new", core.OutcomeSkipped, "not now")
	published, creation, err := w.PublishEvent(t.Context(), hook.ID, w.event("mended"), w.notification("mended"))
	if err != nil || creation != core.Created {
		t.Fatalf("publish an event that was refused: got creation %v and error %v, want %v", creation,
			err, core.Created)
	}
	late, creation := keep("mended", core.OutcomeSkipped, "too late")
	if creation != core.Replayed {
		t.Errorf("creation of an event that was published: got %v, want %v", creation, core.Replayed)
	}
	if diff := cmp.Diff(published, late); diff != "" {
		t.Errorf("event that was published, repeated (-want +got):\n%s", diff)
	}
	w.eventList(t, hook.ID, "new kind skipped: not now", "mended kind published: ", "bad kind refused: bad")
	if diff := cmp.Diff(published, must(w.Event(t.Context(), hook.ID, "mended"))); diff != "" {
		t.Errorf("single event (-want +got):\n%s", diff)
	}
	for _, other := range []core.ID{hook.ID, core.NewID()} {
		if _, err := w.Event(t.Context(), other, "none"); !core.IsCode(err, core.CodeNotFound) {
			t.Errorf("no event of webhook %s: got %v, want CodeNotFound", other, err)
		}
	}
	again, creation, err := w.PublishEvent(t.Context(), hook.ID, w.event("mended"), w.notification("again"))
	if err != nil || creation != core.Replayed {
		t.Errorf("publish again: got creation %v and error %v, want %v", creation, err, core.Replayed)
	}
	if diff := cmp.Diff(published, again); diff != "" {
		t.Errorf("event published again (-want +got):\n%s", diff)
	}
	w.notifications(t, 1)
	if err := w.Prune(t.Context(), published.ReceivedAt.Add(core.EventsKept)); err != nil {
		t.Fatalf("prune: %v", err)
	}
	w.eventList(t, hook.ID, "new kind skipped: not now", "mended kind published: ")
}

// eventList fails unless the webhook has those events, newest first, without payloads and with a notification if they
// were published.
func (w *world) eventList(t *testing.T, hook core.ID, want ...string) {
	t.Helper()
	data, total, err := w.Events(t.Context(), hook, core.Page{Limit: 10})
	if err != nil {
		t.Fatalf("events: %v", err)
	}
	if total != int64(len(want)) {
		t.Errorf("length of the list of events: got %d, want %d", total, len(want))
	}
	var got []string
	for _, e := range data {
		got = append(got, fmt.Sprintf("%s %s %s: %s", e.ID, e.Kind, e.Outcome, e.Detail))
		if e.Payload != nil {
			t.Errorf("payload of %s in the list: got %s, want none", e.ID, e.Payload)
		}
		if published := e.NotificationID != nil; published != (e.Outcome == core.OutcomePublished) {
			t.Errorf("%s with outcome %s has a notification: got %t", e.ID, e.Outcome, published)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestEventsArePublishedOnce receives and replays an event at the same time: it has one notification.
func TestEventsArePublishedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hook := w.webhook(t, "w")
	refused := w.event("e")
	refused.Outcome = core.OutcomeRefused
	must3(w.KeepEvent(t.Context(), hook.ID, refused))
	var together sync.WaitGroup
	var created atomic.Int32
	ids, notifications := make([]core.ID, 16), make([]core.Notification, 16)
	for i := range notifications {
		notifications[i] = w.notification("n") // sets the clock, which the stream reads
	}
	for i, n := range notifications {
		event := w.event("e")
		together.Go(func() {
			e, creation, err := w.PublishEvent(t.Context(), hook.ID, event, n)
			if err != nil {
				t.Errorf("publish: %v", err)
				return
			}
			if ids[i] = *e.NotificationID; creation == core.Created {
				created.Add(1)
			}
		})
	}
	together.Wait()
	w.notifications(t, 1)
	if created.Load() != 1 {
		t.Errorf("requests that created the notification: got %d, want 1", created.Load())
	}
	if distinct := slices.Compact(ids); len(distinct) != 1 {
		t.Errorf("ids of the notification: got %v, want one", distinct)
	}
	n := w.notification("other")
	n.ExternalID = "x"
	first := must3(w.PublishEvent(t.Context(), hook.ID, w.event("f"), n))
	n.ID = core.NewID()
	second, creation, err := w.PublishEvent(t.Context(), hook.ID, w.event("g"), n)
	if err != nil || creation != core.Existing {
		t.Errorf("the same external id: got creation %v and error %v, want %v", creation, err, core.Existing)
	}
	if diff := cmp.Diff(first.NotificationID, second.NotificationID); diff != "" {
		t.Errorf("notification with the same external id (-want +got):\n%s", diff)
	}
}
