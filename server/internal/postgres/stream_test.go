package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

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

// TestChangesOfARowThatFailsToScan breaks a row in the middle: its position comes after its data.
func TestChangesOfARowThatFailsToScan(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "a")
	w.claim(t)
	if _, err := w.Pool().Exec(t.Context(), `update notifications set data = '[1]'`); err != nil {
		t.Fatal(err)
	}
	changes, err := w.Changes(t.Context(), 0, 10, nil)
	if err == nil {
		t.Error("changes of a row that cannot be scanned: got no error")
	}
	if len(changes) != 0 {
		t.Errorf("changes of a row that cannot be scanned: got %+v, want none", changes)
	}
}

// TestChangesCancelledWhileScanning cancels ever later, until everything is read in time.
func TestChangesCancelledWhileScanning(t *testing.T) {
	t.Parallel()
	const rows = 500
	w := newWorld(t)
	if _, err := w.Pool().Exec(t.Context(), `
		insert into notifications (id, channel_id, title, body, importance, visible, pending, published_at)
		select gen_random_uuid(), $1, 'x', repeat('😀', 20000), 'normal', true, true, now() from generate_series(1, $2::int)`,
		w.channel.ID, rows); err != nil {
		t.Fatal(err)
	}
	noJobs := func(context.Context, pgx.Tx, []core.Claimed) error { return nil }
	if _, err := w.Claim(t.Context(), rows, w.now, noJobs); err != nil {
		t.Fatal(err)
	}
	for patience := time.Millisecond; ; patience += patience / 4 {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		changes, err := w.Changes(ctx, 0, rows, nil)
		cancel()
		if err == nil {
			if len(changes) != rows {
				t.Errorf("changes after %s: got %d, want %d", patience, len(changes), rows)
			}
			return
		}
		if len(changes) != 0 {
			t.Fatalf("changes after %s: got %d with the error %v, want none", patience, len(changes), err)
		}
	}
}
