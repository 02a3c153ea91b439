package delivery_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/lab/writertest"
)

// TestAReaderMissesNothing has two nodes publish, correct and release at once, while a reader follows the stream: it
// must see every position, and each only once.
func TestAReaderMissesNothing(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	const writers, rounds = 8, 40
	nodes := []*delivery.Writer{w.Writer, writertest.New(t, w.db, now)}
	ctx, stop := context.WithCancel(t.Context())
	seen, done := map[int64]bool{}, make(chan struct{})
	go func() {
		defer close(done)
		last, ended := int64(0), false
		for !ended {
			ended = ctx.Err() != nil // once more after the last commit
			last = w.follow(t, last, seen)
		}
	}()
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() { w.write(t, nodes[i%len(nodes)], rounds) })
	}
	all.Wait()
	stop()
	<-done
	for _, p := range must(positions(t, w)) {
		if !seen[p] {
			t.Errorf("position %d: got none, want it seen", p)
		}
	}
	gaps := scan[int](t, w, "select max(ordinal) - count(ordinal) from notifications")
	if gaps != 0 {
		t.Errorf("gaps in the numbers of the channel's publications: got %d, want 0", gaps)
	}
	wrong := scan[int](t, w, `select count(*) from channel_heads h cross join lateral (
			select max(ordinal) as ordinal, count(*) filter (where visible) as visible,
				coalesce(max(ordinal) filter (where not visible), 0) as hidden
			from notifications n where n.channel_id = h.channel_id) n
		where h.ordinal <> n.ordinal or h.visible <> n.visible or h.hidden < n.hidden`)
	if wrong != 0 {
		t.Errorf("channels with wrong counts: got %d, want 0", wrong)
	}
}

// write publishes and corrects, and lets some notifications fall due and expire.
func (w *steps) write(t *testing.T, writer *delivery.Writer, rounds int) {
	for i := range rounds {
		at := now()
		n := core.Notification{ID: core.NewID(), Channel: w.channel, Title: fmt.Sprint(i), Importance: core.Normal,
			PublishedAt: &at, Visible: true}
		switch rand.IntN(4) {
		case 0:
			n.PublishedAt, n.Visible, n.ScheduledAt = nil, false, &at
		case 1:
			n.ExpiresAt = new(at.Add(time.Millisecond))
		}
		if _, _, err := writer.Publish(t.Context(), n, core.Idempotency{}); err != nil {
			t.Errorf("publish: %v", err)
		}
		_, err := writer.Correct(t.Context(), w.channel.ID, n.ID, func(n *core.Notification) error {
			n.Title += ", corrected"
			return nil
		})
		if err != nil {
			t.Errorf("correct: %v", err)
		}
		if _, err := writer.Release(t.Context()); err != nil {
			t.Errorf("release: %v", err)
		}
	}
}

// follow reads the positions after last in order, and keeps them in seen.
func (w *steps) follow(t *testing.T, last int64, seen map[int64]bool) int64 {
	positions, err := w.Positions(context.Background(), last, 1_000)
	if err != nil {
		t.Errorf("read the stream: %v", err)
	}
	for _, p := range positions {
		if seen[p.Position] {
			t.Errorf("position %d: got it twice", p.Position)
		}
		seen[p.Position] = true
		last = p.Position
	}
	return last
}

// positions are those of the latest change of every notification.
func positions(t *testing.T, w *steps) (all []int64, err error) {
	rows, err := w.db.Pool().Query(t.Context(),
		"select stream_position from notifications where stream_position is not null")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var p int64
		if err := rows.Scan(&p); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, rows.Err()
}
