package waitlist

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
	"github.com/sininho/sininho/server/lab/jobstest"
)

func (w *world) list(queue emails.Jobs) *Waitlist {
	w.t.Helper()
	list, err := New(Config{DB: w.db, Subscribers: w.subscribers, Jobs: queue, SecretKey: make([]byte, 32),
		PublicURL: "https://sininho.example", Open: true, Now: func() time.Time { return w.now }})
	if err != nil {
		w.t.Fatalf("create a waiting list: %v", err)
	}
	return list
}

// TestJoiningDoesTheSameForEveryAddress expects that a request to join reads and writes nothing that depends on whether
// the address has an account or an entry: the time that it takes would show it.
func TestJoiningDoesTheSameForEveryAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustWait("waiting@x.com", "")
	w.expectEmails("before the requests", emails.Confirmation)
	list := w.list(w.queue)
	for _, table := range []string{"waitlist_entries", "waitlist_email_times", "waitlist_mailboxes", "subscribers"} {
		// a request that touches a table waits for its lock until the context ends
		tx, err := w.db.Pool().Begin(t.Context())
		if err != nil {
			t.Fatalf("begin: %v", err)
		}
		if _, err := tx.Exec(t.Context(), "lock table "+table+" in access exclusive mode"); err != nil {
			t.Fatalf("lock %s: %v", table, err)
		}
		for _, email := range []string{"ana@example.com", "waiting@x.com", "new@x.com"} {
			in := Input{Email: email, Locale: "pt"}
			if err := list.Join(t.Context(), in); err != nil {
				t.Errorf("join as %s while %s is locked: %v", email, table, err)
			}
			want := []joinArgs{{Input: in, At: w.now}}
			if diff := cmp.Diff(want, w.queue.joins); diff != "" {
				t.Errorf("jobs of joining as %s (-want +got):\n%s", email, diff)
			}
			w.queue.joins = nil
		}
		if err := tx.Rollback(t.Context()); err != nil {
			t.Fatalf("roll back: %v", err)
		}
	}
	w.expectEmails("by the requests alone")
}

// TestOneNetworkJoinsSeldom joins with other addresses in other networks of one /48, as one stranger may have. They
// used up the emails of the installation.
func TestOneNetworkJoinsSeldom(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	list := w.list(w.queue)
	list.perNetwork = 3
	join := func(i int, network string) error {
		ctx := core.WithOrigin(t.Context(), func() core.Origin { return core.Origin{Network: network} })
		return list.Join(ctx, Input{Email: fmt.Sprintf("a%d@example.com", i), Locale: "pt"})
	}
	joined := 0
	for i := range 10 {
		if err := join(i, fmt.Sprintf("2001:db8:1:%x::/64", i)); err == nil {
			joined++
		} else if !core.IsCode(err, core.CodeRateLimited) {
			t.Errorf("join: got %v, want %s", err, core.CodeRateLimited)
		}
	}
	if joined != 3 || len(w.queue.joins) != 3 {
		t.Errorf("joined in one /48: got %d, and %d jobs, want 3", joined, len(w.queue.joins))
	}
	if err := join(10, "192.0.2.1"); err != nil {
		t.Errorf("join in another network: %v", err)
	}
}

// TestJoinJobs joins by a running node: the entry and its email come after the request.
func TestJoinJobs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	joining, err := Joining(w.db, make([]byte, 32))
	if err != nil {
		t.Fatalf("create the jobs of joining: %v", err)
	}
	client := jobstest.Start(t, w.db, joining, emails.RescueOnly())
	if err := w.list(client).Join(t.Context(), Input{Email: "rui@x.com", Name: "Rui", Locale: "en"}); err != nil {
		t.Fatalf("join: %v", err)
	}
	var entries []Entry
	eventually.True(t, "the entry to exist", func() bool {
		entries, _, err = w.entries(t.Context(), Filter{}, core.Page{Limit: 10})
		return err == nil && len(entries) == 1
	})
	got := entries[0]
	if got.Email != "rui@x.com" || got.Name != "Rui" || got.Locale != "en" || !got.CreatedAt.Equal(w.now) {
		t.Errorf("entry: got %+v, want rui@x.com, Rui, en, of %s", got, w.now)
	}
	if _, _, err := w.place(t.Context(), core.HashSecret(w.tokens.entry(got.ID))); err != nil {
		t.Errorf("find the entry by its token: %v", err)
	}
	count := func(where string) (n int) {
		row := w.db.Pool().QueryRow(t.Context(), "select count(*) from river_job where "+where)
		if err := row.Scan(&n); err != nil {
			t.Fatalf("count jobs: %v", err)
		}
		return n
	}
	completed := func() bool { return count("kind = 'waitlist_join' and state = 'completed'") == 1 }
	eventually.True(t, "the job to be completed", completed)
	if got := count("kind = 'email'"); got != 1 {
		t.Errorf("jobs of emails after joining: got %d, want 1", got)
	}
	w.execute(`update river_job set state = 'available', finalized_at = null, attempt = 0, scheduled_at = now()
		where kind = 'waitlist_join'`)
	eventually.True(t, "the repeated job to be completed", completed)
	if got := count("kind = 'email'"); got != 1 {
		t.Errorf("jobs of emails after the job has run again: got %d, want 1", got)
	}
}

// TestJoiningWithoutAQueue expects an error when the job cannot be queued.
func TestJoiningWithoutAQueue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.queue.broken = errors.New("the queue is broken")
	err := w.list(w.queue).Join(t.Context(), Input{Email: "rui@x.com", Locale: "pt"})
	if !errors.Is(err, w.queue.broken) {
		t.Errorf("join without a queue: got error %v, want %v", err, w.queue.broken)
	}
}
