package delivery

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/check"
)

// TestOneBadPublishFailsAlone publishes to a channel that does not exist, in a group with others.
func TestOneBadPublishFailsAlone(t *testing.T) {
	t.Parallel()
	w := newGroups(t)
	bad := w.notification("bad")
	bad.Channel.ID = core.NewID()
	results := w.together(request{n: w.notification("a")}, request{n: bad},
		request{n: w.notification("b"), key: newKey("k")})
	if !core.IsCode(results[1].err, core.CodeNotFound) {
		t.Errorf("publish to no channel: got %v, want CodeNotFound", results[1].err)
	}
	for _, i := range []int{0, 2} {
		if results[i].err != nil || results[i].creation != core.Created {
			t.Errorf("publish %d: got creation %v and error %v, want a new one", i, results[i].creation, results[i].err)
		}
	}
	check.Equal(t, "visible notifications of the channel", scanOne[int](w, "select visible from channel_heads"), 2)
}

// TestAKeyHeldElsewhere has another transaction hold a key for longer than the stream's lock is held for it.
func TestAKeyHeldElsewhere(t *testing.T) {
	t.Parallel()
	w := newGroups(t)
	key := newKey("held")
	err := w.DB.InTx(t.Context(), func(ctx context.Context, tx postgres.Tx) error {
		_, err := tx.NewRaw(`insert into idempotency_keys (id, body_hash) values (?, ?)`,
			postgres.KeyID(key), key.BodyHash).Exec(ctx)
		if err != nil {
			return err
		}
		results := w.together(request{n: w.notification("a")}, request{n: w.notification("held"), key: key},
			request{n: w.notification("b"), key: newKey("free")})
		if !core.IsCode(results[1].err, core.CodeInFlight) {
			t.Errorf("publish with the key: got %v, want CodeInFlight", results[1].err)
		}
		for _, i := range []int{0, 2} {
			if results[i].err != nil {
				t.Errorf("publish %d beside it: %v", i, results[i].err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatalf("hold the key: %v", err)
	}
}

// TestALockedTable has another transaction lock the table of notifications: that is not the fault of any key, and not
// every publish of the group waits for it in turn.
func TestALockedTable(t *testing.T) {
	t.Parallel()
	w := newGroups(t)
	publishes := make([]request, 50)
	for i := range publishes {
		publishes[i] = request{n: w.notification(fmt.Sprint(i)), key: newKey(fmt.Sprint(i))}
	}
	goOn := w.holdUp()
	results := w.queue(publishes...)
	tx, err := w.DB.Pool().Begin(t.Context())
	if err != nil {
		t.Fatalf("begin: %v", err)
	}
	defer func() { _ = tx.Rollback(context.Background()) }()
	if _, err := tx.Exec(t.Context(), "lock table notifications in share mode"); err != nil {
		t.Fatalf("lock the table: %v", err)
	}
	goOn()
	for i, r := range results() {
		if !core.IsCode(r.err, core.CodeUnavailable) {
			t.Errorf("publish %d: got %v, want CodeUnavailable", i, r.err)
		}
	}
}

// TestNoConnection expects a publish whose connection ends to fail, and those that wait behind it to be written.
func TestNoConnection(t *testing.T) {
	t.Parallel()
	w := newGroups(t)
	unlock := w.lock()
	results := make([]result, 3)
	var all sync.WaitGroup
	for i := range results {
		all.Go(func() {
			_, _, results[i].err = w.Publish(context.Background(), w.notification(fmt.Sprint(i)), core.Idempotency{})
		})
		if i == 0 {
			eventually.True(t, "a publish to wait for the lock",
				func() bool { return scanOne[int](w, waitingForLock) == 1 })
			continue
		}
		w.wait(i)
	}
	scanOne[bool](w, `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and not granted
		and database = (select oid from pg_database where datname = current_database())`)
	eventually.True(t, "the next group to wait for the lock", func() bool { return w.waiting.Load() == 0 })
	unlock()
	all.Wait()
	if !core.IsCode(results[0].err, core.CodeUnavailable) {
		t.Errorf("publish whose connection ended: got %v, want CodeUnavailable", results[0].err)
	}
	for _, r := range results[1:] {
		if r.err != nil {
			t.Errorf("publish behind it: %v", r.err)
		}
	}
}

// TestARestThatFails locks a channel that has no head yet: what is published to it fails, and is not waited for long,
// and what was stored before is not tried again.
func TestARestThatFails(t *testing.T) {
	t.Parallel()
	w := newGroups(t)
	w.together(request{n: w.notification("makes the head")})
	other := w.newChannel("outro")
	tx, err := w.DB.Pool().Begin(t.Context())
	if err != nil {
		t.Fatalf("begin: %v", err)
	}
	defer func() { _ = tx.Rollback(context.Background()) }()
	if _, err := tx.Exec(t.Context(), "select from channels where id = $1 for update", other.ID); err != nil {
		t.Fatalf("lock the channel: %v", err)
	}
	late := w.notification("to the locked channel")
	late.Channel = other
	began := time.Now()
	results := w.together(request{n: w.notification("a")}, request{n: late}, request{n: w.notification("b")})
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("wait for the locked channel: got %s, want less than its patience of 5s", took)
	}
	for i, r := range results {
		if i == 1 {
			if !core.IsCode(r.err, core.CodeUnavailable) {
				t.Errorf("publish to the locked channel: got %v, want CodeUnavailable", r.err)
			}
		} else if r.err != nil || r.creation != core.Created {
			t.Errorf("publish %d: got creation %v and error %v, want a new one", i, r.creation, r.err)
		}
	}
	check.Equal(t, "notifications", scanOne[int](w, "select count(*) from notifications"), 3)
}

// TestAFullStorage publishes when the storage is used up, whether the look-up of the channel has said so or not: only
// what is nothing new gets a notification.
func TestAFullStorage(t *testing.T) {
	t.Parallel()
	w := newGroups(t)
	w.StorageQuota = 1_100 // the channel takes a kilobyte
	first := w.notification("first")
	first.ExternalID = "e"
	if _, _, err := w.Publish(t.Context(), first, newKey("k")); err != nil {
		t.Fatalf("publish while there is any room: %v", err)
	}
	for _, known := range []bool{false, true} {
		w.channel.Full = known
		repeated, existing, refused := w.notification("first"), w.notification("other"), w.notification("new")
		repeated.ExternalID, existing.ExternalID = "e", "e"
		var results []result
		for _, q := range []request{{repeated, newKey("k")}, {n: existing}, {n: refused}, {refused, newKey("l")}} {
			n, creation, err := w.Publish(t.Context(), q.n, q.key)
			results = append(results, result{n, creation, err})
		}
		for i, want := range []core.Creation{core.Replayed, core.Existing} {
			if r := results[i]; r.err != nil || r.creation != want || r.n.ID != first.ID {
				t.Errorf("known %t, publish %d: got %s, creation %v and error %v, want %s and %v", known, i, r.n.ID,
					r.creation, r.err, first.ID, want)
			}
		}
		for i, r := range results[2:] {
			if !core.IsQuotaExceeded(r.err) {
				t.Errorf("known %t, new publish %d: got %v, want quota_exceeded", known, i, r.err)
			}
		}
	}
	check.Equal(t, "notifications", scanOne[int](w, "select count(*) from notifications"), 1)
	check.Equal(t, "keys", scanOne[int](w, "select count(*) from idempotency_keys"), 1)
}
