package postgres_test

import (
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

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
