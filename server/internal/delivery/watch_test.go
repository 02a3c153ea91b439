package delivery_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/lab/check"
)

// TestLook expects a look to find what is due, and in what time the next is: never more than the two seconds after
// which a node looks again, however far away it is.
func TestLook(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	look := func() delivery.Agenda {
		t.Helper()
		return must(delivery.Look(t.Context(), w.db, w.now))
	}
	if found := look(); found.Release || found.Find || found.Finish || found.Words || found.Next != 2 {
		t.Errorf("look of a node with nothing to do: got %+v, want nothing, and to look again in 2 s", found)
	}
	n := w.notification("a")
	n.ExpiresAt = new(time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC))
	if _, _, err := w.Publish(t.Context(), n, core.Idempotency{}); err != nil {
		t.Fatalf("publish: %v", err)
	}
	if found := look(); found.Release || found.Next != 2 || !found.Words {
		t.Errorf("look with a notification that expires in 9999: got %+v, want 2 s, and words to write", found)
	}
	n = w.notification("b")
	n.PublishedAt, n.Visible, n.ScheduledAt = nil, false, new(w.now.Add(500*time.Millisecond))
	if _, _, err := w.Publish(t.Context(), n, core.Idempotency{}); err != nil {
		t.Fatalf("schedule: %v", err)
	}
	if found := look(); found.Release || found.Next != 0.5 {
		t.Errorf("look half a second before a notification is due: got %+v, want 0.5 s", found)
	}
	w.now = w.now.Add(time.Second)
	if found := look(); !found.Release || found.Next > 0 {
		t.Errorf("look when a notification is due: got %+v, want it to be released", found)
	}
}

// TestLookForDisplays expects few displays to be folded when they are old, and many at once.
func TestLookForDisplays(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	due := func() bool { return must(delivery.Look(t.Context(), w.db, w.now)).Displays }
	display := func(n int, age string) {
		t.Helper()
		w.exec(t, `insert into new_displays (at, notification_ids, people)
			select now() - $1::interval, '{}', '{}' from generate_series(1, $2::int)`, age, n)
	}
	check.Equal(t, "with no displays", due(), false)
	display(1000, "1 minute")
	check.Equal(t, "with a thousand rows", due(), false)
	display(1, "1 minute")
	check.Equal(t, "with more", due(), true)
	w.exec(t, "delete from new_displays")
	display(1, "6 minutes")
	check.Equal(t, "with an old row", due(), true)
}
