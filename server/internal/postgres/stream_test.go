package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/check"
)

func (w *world) correct(t *testing.T, id core.ID, change func(*core.Notification)) {
	t.Helper()
	must(w.Correct(t.Context(), w.channel.ID, id, func(n *core.Notification) error { change(n); return nil }))
}

// changes lists what happened after a position, as "position kind title". Nothing happens in other channels, so that
// looking for the places first must lead to the same.
func (w *world) changes(t *testing.T, after int64, limit int) (out []string) {
	t.Helper()
	changes := must(w.Changes(t.Context(), after, limit, 1<<20, []core.ID{w.channel.ID}))
	var ids []core.ID
	var want, got []int64
	for _, c := range changes {
		out = append(out, fmt.Sprintf("%d %s %s", c.Position, c.Kind, c.Notification.Title))
		want = append(want, c.Position)
	}
	for _, p := range must(w.Positions(t.Context(), after, limit)) {
		got, ids = append(got, p.Position), append(ids, p.NotificationID)
		check.Equal(t, "channel of a place", p.ChannelID, w.channel.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("places after %d: got %v, want %v", after, got, want)
	}
	of := must(w.ChangesOf(t.Context(), after, ids))
	if diff := cmp.Diff(changes, of[:len(changes)]); diff != "" {
		t.Errorf("changes after %d of the notifications at these places (-want +got):\n%s", after, diff)
	}
	return out
}

func TestChangesReplay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.publish(t, "a")
	w.publish(t, "b")
	w.correct(t, a.ID, func(n *core.Notification) { n.Title = "a2" })
	for after, want := range [][]string{
		{"1 notification a2", "2 notification b", "3 corrected a2"},
		{"2 notification b", "3 corrected a2"},
		{"3 corrected a2"},
		nil,
	} {
		if got := w.changes(t, int64(after), 10); !slices.Equal(got, want) {
			t.Errorf("changes after %d: got %q, want %q", after, got, want)
		}
	}
	if got, want := w.changes(t, 0, 2), []string{"1 notification a2", "2 notification b"}; !slices.Equal(got, want) {
		t.Errorf("first two changes: got %q, want %q", got, want)
	}
	if got := must(w.StreamPosition(t.Context())); got != 3 {
		t.Errorf("stream position: got %d, want 3", got)
	}
}

// TestChangesOfANotificationThatComesBack expires a notification and then lets it expire later.
func TestChangesOfANotificationThatComesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.publish(t, "a")
	steps := []struct {
		name   string
		change func(*core.Notification)
		want   []string
	}{
		{"published", nil, []string{"1 notification a"}},
		{
			"corrected", func(n *core.Notification) { n.Title = "a2" },
			[]string{"1 notification a2", "2 corrected a2"},
		},
		{"expired", func(n *core.Notification) { n.Visible = false }, []string{"3 withdrawn a2"}},
		{"visible again", func(n *core.Notification) { n.Visible = true }, []string{"4 notification a2"}},
		{"corrected again", func(n *core.Notification) { n.Title = "a3" },
			[]string{"4 notification a3", "5 corrected a3"}},
		{"withdrawn", func(n *core.Notification) { n.Visible = false }, []string{"6 withdrawn a3"}},
	}
	const revisions = "select count(*) from turns where kind = 'revise'"
	for i, s := range steps {
		if s.change != nil {
			w.correct(t, a.ID, s.change)
		}
		if got, want := w.count(t, revisions), int64(2*i); got != want { // two for each change
			t.Errorf("%s: jobs that push the change: got %d, want %d", s.name, got, want)
		}
		if got := w.changes(t, 0, 10); !slices.Equal(got, s.want) {
			t.Errorf("%s: changes: got %q, want %q", s.name, got, s.want)
		}
	}
}

// TestChangesOfARowThatFailsToScan breaks a row in the middle: its position comes after its data.
func TestChangesOfARowThatFailsToScan(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "a")
	w.exec(t, `alter table notifications disable trigger notifications_corrected`)
	w.exec(t, `update notifications set data = '[1]'`)
	changes, err := w.Changes(t.Context(), 0, 10, 1<<20, []core.ID{w.channel.ID})
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
	if _, err := w.db.Pool().Exec(t.Context(), `
		insert into notifications (id, channel_id, title, body, importance, visible, published_at, position,
			stream_position, ordinal)
		select gen_random_uuid(), $1, 'x', repeat('😀', 20000), 'normal', true, now(), i, i, i
		from generate_series(1, $2::int) i`,
		w.channel.ID, rows); err != nil {
		t.Fatalf("insert large notifications: %v", err)
	}
	for patience := time.Millisecond; ; patience += patience / 4 {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		changes, err := w.Changes(ctx, 0, rows, 1<<30, []core.ID{w.channel.ID})
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

// TestNotifyKeepsTheLastOfEqualSignals archives, restores and archives again: the last one must arrive last.
func TestNotifyKeepsTheLastOfEqualSignals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	yes, no, id := true, false, core.NewID()
	archived := core.Signal{Reader: &id, Read: &core.ReadEvent{NotificationID: &id, Archived: &yes}}
	restored := core.Signal{Reader: &id, Read: &core.ReadEvent{NotificationID: &id, Archived: &no}}
	deleted := core.Signal{Reset: &id}
	heard := make(chan core.Signal, 10)
	ctx, stop := context.WithCancel(t.Context())
	ready, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		_ = postgres.Listen(ctx, w.db.Pool().Config().ConnString(), func() { close(ready) },
			func(s core.Signal) { heard <- s })
	}()
	t.Cleanup(func() { stop(); <-ended })
	<-ready
	if err := w.Notify(t.Context(), []core.Signal{archived, restored, archived, deleted}); err != nil {
		t.Fatalf("notify: %v", err)
	}
	for _, want := range []core.Signal{restored, archived, deleted} {
		if diff := cmp.Diff(want, <-heard); diff != "" {
			t.Errorf("signal (-want +got):\n%s", diff)
		}
	}
	if err := w.Notify(t.Context(), nil); err != nil {
		t.Errorf("notify of nothing: got %v", err)
	}
}
