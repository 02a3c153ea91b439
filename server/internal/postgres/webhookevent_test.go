package postgres_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
)

func TestWebhookEventOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hook := w.webhook(t, "w")
	first, creation, err := w.PublishEvent(t.Context(), hook.ID, w.event("e1"), w.notification("one"))
	if err != nil || creation != core.Created {
		t.Fatalf("first webhook event: got creation %v and error %v, want %v", creation, err, core.Created)
	}
	again, creation, err := w.PublishEvent(t.Context(), hook.ID, w.event("e1"), w.notification("two"))
	if err != nil || creation != core.Replayed {
		t.Fatalf("repeated webhook event: got creation %v and error %v, want %v", creation, err, core.Replayed)
	}
	if diff := cmp.Diff(first.NotificationID, again.NotificationID); diff != "" {
		t.Errorf("notification of a repeated webhook event (-want +got):\n%s", diff)
	}
	w.notifications(t, 1)
}

// TestWebhookBodyOnce sends a published body again under other ids, as anyone can who has seen it.
func TestWebhookBodyOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hook, other := w.webhook(t, "w"), w.webhook(t, "other")
	e := func(id string) core.ReceivedEvent {
		e := w.event(id)
		e.BodyHash = []byte("hash of the body")
		return e
	}
	refused := e("refused")
	refused.Outcome = core.OutcomeRefused
	must3(w.KeepEvent(t.Context(), hook.ID, refused)) // what was not published may be sent again
	first := must3(w.PublishEvent(t.Context(), hook.ID, e("e1"), w.notification("one")))
	for _, id := range []string{"e2", "refused", "e1"} {
		again, creation, err := w.PublishEvent(t.Context(), hook.ID, e(id), w.notification("two"))
		if err != nil || creation != core.Replayed {
			t.Fatalf("published body as event %s: got creation %v and error %v, want %v", id, creation, err,
				core.Replayed)
		}
		if diff := cmp.Diff(first.NotificationID, again.NotificationID); diff != "" {
			t.Errorf("notification of the published body as event %s (-want +got):\n%s", id, diff)
		}
	}
	w.notifications(t, 1)
	if _, creation, err := w.PublishEvent(t.Context(), other.ID, e("e2"), w.notification("two")); err != nil ||
		creation != core.Created {
		t.Errorf("body at another webhook: got creation %v and error %v, want %v", creation, err, core.Created)
	}
}

// notifications fails unless the channel has that many.
func (w *world) notifications(t *testing.T, want int64) {
	t.Helper()
	_, total, _, err := listOf(t.Context(), w.Store, w.channel, core.Page{Limit: 10}, nil)
	if err != nil {
		t.Fatalf("list of the channel: %v", err)
	}
	if total != want {
		t.Errorf("notifications of the channel: got %d, want %d", total, want)
	}
}
