package postgres_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// followers signs people up who follow the channel.
func (w *world) followers(t *testing.T, n int) (ids []core.ID) {
	t.Helper()
	for i := range n {
		id := w.other(t, fmt.Sprint("follower ", i))
		must(w.Subscribe(t.Context(), id, w.channel.ID, w.now))
		ids = append(ids, id)
	}
	return ids
}

// TestReceiptsOfManyAtOnce makes different changes for many people at once, each several. Everyone gets their own.
func TestReceiptsOfManyAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	people := w.followers(t, 12)
	var published []core.Notification
	for i := range 4 {
		published = append(published, w.publish(t, fmt.Sprint(i)))
	}
	changes := []struct {
		core.ReceiptPatch
		read     bool
		archived int64
	}{
		{core.ReceiptPatch{Read: new(true)}, true, 0},
		{core.ReceiptPatch{Read: new(false)}, false, 0},
		{core.ReceiptPatch{Archived: new(true)}, false, 1},
		{core.ReceiptPatch{Read: new(true), Archived: new(true)}, true, 1},
	}
	var all sync.WaitGroup
	for i, person := range people {
		for j, n := range published {
			change := changes[(i+j)%len(changes)]
			at := w.now.Add(time.Duration(i*len(published)+j) * time.Second)
			all.Go(func() {
				got, err := w.UpdateReceipt(t.Context(), person, n.ID, change.ReceiptPatch, at)
				if err != nil {
					t.Errorf("change %d of person %d: %v", j, i, err)
				}
				if got.ID != n.ID || (got.ReadAt != nil) != change.read {
					t.Errorf("change %d of person %d: got %q, read at %v; want %q, read: %t",
						j, i, got.Title, got.ReadAt, n.Title, change.read)
				}
				if got.ReadAt != nil && !got.ReadAt.Equal(at) {
					t.Errorf("change %d of person %d, time of reading: got %s, want %s", j, i, got.ReadAt, at)
				}
			})
		}
		all.Go(func() {
			_, err := w.UpdateReceipt(t.Context(), person, core.NewID(), changes[0].ReceiptPatch, w.now)
			if !core.IsCode(err, core.CodeNotFound) {
				t.Errorf("change of no notification by person %d: got %v, want CodeNotFound", i, err)
			}
		})
	}
	all.Wait()
	for i, person := range people {
		for j, n := range published {
			got := scan[int64](t, w, "select count(archived_at) from receipts where subscriber_id = $1 and "+
				"notification_id = $2", person, n.ID)
			if want := changes[(i+j)%len(changes)].archived; got != want {
				t.Errorf("archived by change %d of person %d: got %d, want %d", j, i, got, want)
			}
		}
	}
}

// TestArchivingWhatCompletes archives a notification that is read, and before which nothing is unread any more because
// it was withdrawn: the next mark as read moves the position, but this is none.
func TestArchivingWhatCompletes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	first, second := w.publish(t, "first"), w.publish(t, "second")
	must(w.UpdateReceipt(t.Context(), w.subscriber, second.ID, core.ReceiptPatch{Read: new(true)}, w.now))
	succeed(t, "withdraw", w.WithdrawAny(t.Context(), first.ID, "r"))
	_, err := w.UpdateReceipt(t.Context(), w.subscriber, second.ID, core.ReceiptPatch{Archived: new(true)}, w.now)
	succeed(t, "archive", err)
	if _, total, unread := w.feed(t); total != 0 || unread != 0 {
		t.Errorf("feed after archiving all: got %d and %d unread, want none", total, unread)
	}
}

// TestReceiptThatIsHeld wants the changes of others to succeed while one cannot be made.
func TestReceiptThatIsHeld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	people := w.followers(t, 12)
	n := w.publish(t, "for all")
	must(w.UpdateReceipt(t.Context(), people[0], n.ID, core.ReceiptPatch{Read: new(false)}, w.now))
	release := w.hold(t, "select from receipts where subscriber_id = $1 for update", people[0])
	defer release()
	var all sync.WaitGroup
	for i, person := range people {
		all.Go(func() {
			_, err := w.UpdateReceipt(t.Context(), person, n.ID, core.ReceiptPatch{Read: new(true)}, w.now)
			if want := i > 0; (err == nil) != want {
				t.Errorf("read mark of person %d, of whom 0 is held: got %v, want success: %t", i, err, want)
			}
			if i == 0 && !core.IsCode(err, core.CodeUnavailable) {
				t.Errorf("read mark that is held: got %v, want CodeUnavailable", err)
			}
		})
	}
	all.Wait()
}
