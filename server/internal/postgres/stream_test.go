package postgres_test

import (
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

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
