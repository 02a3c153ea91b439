package postgres_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func (w *world) sealed(name string) core.SealedWebhook {
	w.now = w.now.Add(time.Second)
	id := core.NewID()
	return core.SealedWebhook{ID: id, ChannelID: w.channel.ID, Name: name, AddressHash: id[:], AddressSealed: []byte("s"), CreatedAt: w.now, UpdatedAt: w.now}
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
	if err != nil || creation != core.Replayed || again.ID != first.ID || string(again.AddressHash) != string(first.AddressHash) {
		t.Errorf("repeated: %+v %v %v", again, creation, err)
	}
	second := w.webhook(t, "second")
	data, total, err := w.Webhooks(t.Context(), w.channel.ID, core.Page{Limit: 1, Offset: 1})
	if err != nil || total != 2 || len(data) != 1 || data[0].ID != second.ID || data[0].LastEventAt != nil || data[0].SecretSealed != nil {
		t.Errorf("oldest first: %+v %d %v", data, total, err)
	}
	must3(w.PublishEvent(t.Context(), second.ID, "e", w.notification("n"), w.now))
	if got := must(w.Webhook(t.Context(), w.channel.ID, second.ID)); got.LastEventAt == nil || !got.LastEventAt.Equal(w.now) {
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
		return nil
	})
	if err != nil || !changed.UpdatedAt.After(hook.UpdatedAt) {
		t.Errorf("the version does not grow: %v, was %v (%v)", changed.UpdatedAt, hook.UpdatedAt, err)
	}
	if _, _, err := w.WebhookByAddress(t.Context(), hook.AddressHash); !core.IsCode(err, core.CodeNotFound) {
		t.Error("the old address:", err)
	}
	found, channel, err := w.WebhookByAddress(t.Context(), []byte("h2"))
	if err != nil || channel != w.channel || string(found.SecretSealed) != "new" || string(found.PreviousSealed) != "old" || !found.PreviousUntil.Equal(until) {
		t.Errorf("%+v %+v %v", found, channel, err)
	}
	if err := w.Prune(t.Context(), until); err != nil {
		t.Fatal(err)
	}
	if got := must(w.Webhook(t.Context(), w.channel.ID, hook.ID)); got.PreviousSealed != nil || got.PreviousUntil != nil || got.Name != "v" {
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
	if _, _, err := w.PublishEvent(t.Context(), hook.ID, "e", w.notification("n"), w.now); !core.IsCode(err, core.CodeNotFound) {
		t.Error("an event of a webhook that is gone:", err)
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hook := w.webhook(t, "w")
	refuse := func(id, why string) {
		t.Helper()
		w.now = w.now.Add(time.Second)
		if err := w.RefuseEvent(t.Context(), hook.ID, id, why, w.now); err != nil {
			t.Fatal(err)
		}
	}
	refuse("mended", "bad")
	refuse("bad", "worse")
	refuse("bad", "bad")
	refuse("new", "bad")
	id, creation, err := w.PublishEvent(t.Context(), hook.ID, "mended", w.notification("mended"), w.now)
	if err != nil || creation != core.Created {
		t.Fatal(creation, err)
	}
	published := w.now
	refuse("mended", "too late")
	data, total, err := w.Events(t.Context(), hook.ID, core.Page{Limit: 10})
	if err != nil || total != 3 || len(data) != 3 {
		t.Fatalf("%+v %d %v", data, total, err)
	}
	if e := data[0]; e.ID != "mended" || e.NotificationID == nil || *e.NotificationID != id || e.Detail != "" || !e.ReceivedAt.Equal(published) {
		t.Errorf("published in the end: %+v", e)
	}
	if e := data[1]; e.ID != "new" || e.NotificationID != nil || e.Detail != "bad" {
		t.Errorf("refused: %+v", e)
	}
	if e := data[2]; e.ID != "bad" || e.Detail != "bad" {
		t.Errorf("refused twice: %+v", e)
	}
	if again, creation, err := w.PublishEvent(t.Context(), hook.ID, "mended", w.notification("again"), w.now); err != nil || creation != core.Replayed || again != id {
		t.Error(again, creation, err)
	}
	if _, total, _, _ := w.Notifications(t.Context(), w.channel, core.Page{Limit: 10}, nil); total != 1 {
		t.Errorf("%d notifications", total)
	}
	if err := w.Prune(t.Context(), published.Add(core.EventsKept)); err != nil {
		t.Fatal(err)
	}
	if _, total, _ := w.Events(t.Context(), hook.ID, core.Page{Limit: 10}); total != 1 {
		t.Errorf("%d events are left, want the one of the last second", total)
	}
}
