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

// notifications fails unless the channel has that many.
func (w *world) notifications(t *testing.T, want int64) {
	t.Helper()
	_, total, _, err := w.Notifications(t.Context(), w.channel, core.Page{Limit: 10}, nil)
	if err != nil {
		t.Fatalf("list of the channel: %v", err)
	}
	if total != want {
		t.Errorf("notifications of the channel: got %d, want %d", total, want)
	}
}
