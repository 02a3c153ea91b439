package delivery_test

import (
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

// TestAWebhookThatIsBeingDeleted refuses an event at once instead of waiting for the deletion under the stream's lock.
func TestAWebhookThatIsBeingDeleted(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	hook := core.NewID()
	w.exec(t, `insert into webhooks (id, channel_id, name, address_hash, address_sealed)
		values ($1, $2, 'w', '\x01', '\x01')`, hook, w.channel.ID)
	tx := must(w.db.Pool().Begin(t.Context()))
	if _, err := tx.Exec(t.Context(), "delete from webhooks where id = $1", hook); err != nil {
		t.Fatalf("delete the webhook: %v", err)
	}
	event := core.ReceivedEvent{ID: "e", Outcome: core.OutcomePublished, ReceivedAt: w.now}
	_, _, err := w.PublishEvent(t.Context(), hook, event, w.notification("by webhook"))
	if !core.IsCode(err, core.CodeUnavailable) {
		t.Errorf("event while the webhook is being deleted: got %v, want CodeUnavailable", err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatalf("commit: %v", err)
	}
	_, _, err = w.PublishEvent(t.Context(), hook, event, w.notification("by webhook"))
	if !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("event after the webhook was deleted: got %v, want CodeNotFound", err)
	}
	if n := scan[int](t, w, "select count(*) from notifications"); n != 0 {
		t.Errorf("notifications: got %d, want 0", n)
	}
}
