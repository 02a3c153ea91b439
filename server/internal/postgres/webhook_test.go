package postgres_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func (w *world) sealed(name string) core.SealedWebhook {
	w.now = w.now.Add(time.Second)
	id := core.NewID()
	return core.SealedWebhook{ID: id, ChannelID: w.channel.ID, Name: name, Signing: core.SigningNone, Sender: core.SenderPlain,
		AddressHash: id[:], AddressSealed: []byte("s"), CreatedAt: w.now, UpdatedAt: w.now}
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
		t.Fatal("repeated:", err)
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
	if err != nil || total != 2 || len(data) != 1 || data[0].ID != second.ID || data[0].LastEventAt != nil || data[0].SecretSealed != nil {
		t.Errorf("oldest first: %+v %d %v", data, total, err)
	}
	event := must3(w.PublishEvent(t.Context(), second.ID, w.event("e"), w.notification("n")))
	if got := must(w.Webhook(t.Context(), w.channel.ID, second.ID)); got.LastEventAt == nil || !got.LastEventAt.Equal(event.ReceivedAt) {
		t.Errorf("the last event was at %v", got.LastEventAt)
	}
	if _, err := w.Webhook(t.Context(), core.NewID(), second.ID); !core.IsCode(err, core.CodeNotFound) {
		t.Error("of another channel:", err)
	}
	for i := range core.MaxWebhooks - 2 {
		w.webhook(t, fmt.Sprint(i))
	}
	if _, _, err := w.CreateWebhook(t.Context(), w.sealed("one more"), core.Idempotency{}); !core.IsCode(err, core.CodeInvalid) {
		t.Error("more than there may be:", err)
	}
}

func TestUpdateWebhook(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hook := w.webhook(t, "w")
	until := w.now.Add(time.Hour)
	changed, _, err := w.UpdateWebhook(t.Context(), w.channel.ID, hook.ID, w.now.Add(-time.Hour), core.Idempotency{}, func(s *core.SealedWebhook) error {
		s.Name, s.AddressHash, s.SecretSealed, s.PreviousSealed, s.PreviousUntil = "v", []byte("h2"), []byte("new"), []byte("old"), &until
		s.Sender, s.Template = core.SenderGitHub, &core.WebhookTemplate{Title: "{{ payload.a }}", Skip: "x"}
		return nil
	})
	if err != nil || !changed.UpdatedAt.After(hook.UpdatedAt) {
		t.Errorf("the version does not grow: %v, was %v (%v)", changed.UpdatedAt, hook.UpdatedAt, err)
	}
	if _, _, err := w.WebhookByAddress(t.Context(), hook.AddressHash); !core.IsCode(err, core.CodeNotFound) {
		t.Error("the old address:", err)
	}
	found, channel, err := w.WebhookByAddress(t.Context(), []byte("h2"))
	if err != nil || channel != w.channel || string(found.SecretSealed) != "new" || string(found.PreviousSealed) != "old" || !found.PreviousUntil.Equal(until) ||
		found.Sender != core.SenderGitHub || found.Template == nil || *found.Template != (core.WebhookTemplate{Title: "{{ payload.a }}", Skip: "x"}) {
		t.Errorf("%+v %+v %v", found, channel, err)
	}
	if err := w.Prune(t.Context(), until); err != nil {
		t.Fatal(err)
	}
	if got := must(w.Webhook(t.Context(), w.channel.ID, hook.ID)); got.PreviousSealed != nil || got.PreviousUntil != nil || got.Name != "v" ||
		got.Sender != core.SenderGitHub || got.Template.Skip != "x" || got.Signing != core.SigningNone {
		t.Errorf("the replaced secret is kept: %+v", got)
	}
	if err := w.DeleteWebhook(t.Context(), w.channel.ID, hook.ID, &hook.UpdatedAt); !core.IsCode(err, core.CodeChanged) {
		t.Error("not as seen:", err)
	}
	for _, want := range []core.Code{"", core.CodeNotFound} {
		if err := w.DeleteWebhook(t.Context(), w.channel.ID, hook.ID, nil); want == "" && err != nil || want != "" && !core.IsCode(err, want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, _, err := w.PublishEvent(t.Context(), hook.ID, w.event("e"), w.notification("n")); !core.IsCode(err, core.CodeNotFound) {
		t.Error("an event of a webhook that is gone:", err)
	}
}

// event is one that is published, unless it gets another outcome.
func (w *world) event(id string) core.ReceivedEvent {
	return core.ReceivedEvent{ID: id, Kind: "kind", ReceivedAt: w.now, Outcome: core.OutcomePublished, Payload: []byte(`{"a": 1}`), Headers: map[string]string{"x-event": "e"}}
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
			t.Fatal(err)
		}
		return kept, creation
	}
	keep("mended", core.OutcomeRefused, "bad")
	if _, creation := keep("bad", core.OutcomeRefused, "worse"); creation != core.Created {
		t.Error(creation)
	}
	if _, creation := keep("bad", core.OutcomeRefused, "bad"); creation != core.Existing {
		t.Error(creation)
	}
	keep("new", core.OutcomeSkipped, "not now")
	published, creation, err := w.PublishEvent(t.Context(), hook.ID, w.event("mended"), w.notification("mended"))
	if err != nil || creation != core.Created || published.NotificationID == nil {
		t.Fatal(creation, err)
	}
	id, at := *published.NotificationID, published.ReceivedAt
	if late, creation := keep("mended", core.OutcomeSkipped, "too late"); creation != core.Replayed || late.Outcome != core.OutcomePublished || *late.NotificationID != id {
		t.Errorf("%+v %v", late, creation)
	}
	data, total, err := w.Events(t.Context(), hook.ID, core.Page{Limit: 10})
	if err != nil || total != 3 || len(data) != 3 {
		t.Fatalf("%+v %d %v", data, total, err)
	}
	for i, want := range []struct {
		id, detail string
		outcome    core.WebhookOutcome
	}{{"new", "not now", core.OutcomeSkipped}, {"mended", "", core.OutcomePublished}, {"bad", "bad", core.OutcomeRefused}} {
		e := data[i]
		if e.ID != want.id || e.Detail != want.detail || e.Outcome != want.outcome || (e.NotificationID != nil) != (want.outcome == core.OutcomePublished) ||
			e.Kind != "kind" || e.Payload != nil {
			t.Errorf("%d: %+v", i, e)
		}
	}
	if e := must(w.Event(t.Context(), hook.ID, "mended")); string(e.Payload) != `{"a": 1}` || e.Headers["x-event"] != "e" || *e.NotificationID != id || !e.ReceivedAt.Equal(at) {
		t.Errorf("%+v", e)
	}
	for _, other := range []core.ID{hook.ID, core.NewID()} {
		if _, err := w.Event(t.Context(), other, "none"); !core.IsCode(err, core.CodeNotFound) {
			t.Error(err)
		}
	}
	if again, creation, err := w.PublishEvent(t.Context(), hook.ID, w.event("mended"), w.notification("again")); err != nil || creation != core.Replayed || *again.NotificationID != id {
		t.Error(again, creation, err)
	}
	if _, total, _, _ := w.Notifications(t.Context(), w.channel, core.Page{Limit: 10}, nil); total != 1 {
		t.Errorf("%d notifications", total)
	}
	if err := w.Prune(t.Context(), at.Add(core.EventsKept)); err != nil {
		t.Fatal(err)
	}
	if _, total, _ := w.Events(t.Context(), hook.ID, core.Page{Limit: 10}); total != 2 {
		t.Errorf("%d events are left, want those of the last second", total)
	}
}

// Whoever receives, and whoever replays at the same time: one notification.
func TestEventsArePublishedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hook := w.webhook(t, "w")
	refused := w.event("e")
	refused.Outcome = core.OutcomeRefused
	must3(w.KeepEvent(t.Context(), hook.ID, refused))
	var together sync.WaitGroup
	var created atomic.Int32
	ids := make([]core.ID, 16)
	for i := range ids {
		event, n := w.event("e"), w.notification("n")
		together.Go(func() {
			e, creation, err := w.PublishEvent(t.Context(), hook.ID, event, n)
			if err != nil {
				t.Error(err)
				return
			}
			if ids[i] = *e.NotificationID; creation == core.Created {
				created.Add(1)
			}
		})
	}
	together.Wait()
	if _, total, _, _ := w.Notifications(t.Context(), w.channel, core.Page{Limit: 10}, nil); total != 1 || created.Load() != 1 || len(slices.Compact(ids)) != 1 {
		t.Errorf("%d notifications, %d made, %d ids", total, created.Load(), len(slices.Compact(ids)))
	}
	n := w.notification("other")
	n.ExternalID = "x"
	first := must3(w.PublishEvent(t.Context(), hook.ID, w.event("f"), n))
	n.ID = core.NewID()
	second, creation, err := w.PublishEvent(t.Context(), hook.ID, w.event("g"), n)
	if err != nil || creation != core.Existing || *second.NotificationID != *first.NotificationID {
		t.Errorf("the same external id: %+v %v %v", second, creation, err)
	}
}
