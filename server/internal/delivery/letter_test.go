package delivery_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/eventually"
	"github.com/sininho/sininho/server/internal/pgtest"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/waitlist"
)

// post sends letters, with answers to their ids, consumed one by one.
type post struct {
	mu      sync.Mutex
	answers map[core.ID][]error
	sent    []waitlist.Letter
}

func (p *post) Send(_ context.Context, l waitlist.Letter) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a := p.answers[l.ID]; len(a) > 0 {
		p.answers[l.ID] = a[1:]
		return a[0]
	}
	p.sent = append(p.sent, l)
	return nil
}

// lockedBuffer is a log that can be read meanwhile.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestLetters sends a letter once what queued it is committed, tries again what may succeed, and gives up the rest.
func TestLetters(t *testing.T) {
	t.Parallel()
	db, log := pgtest.DB(t), &lockedBuffer{}
	sent := waitlist.Letter{ID: core.ID{1}, Kind: waitlist.Confirmation, EntryID: core.ID{9}}
	again, refused, never, rolledBack := waitlist.Letter{ID: core.ID{2}}, waitlist.Letter{ID: core.ID{3}}, waitlist.Letter{ID: core.ID{4}}, waitlist.Letter{ID: core.ID{5}}
	away := errors.New("the mail server is away")
	p := &post{answers: map[core.ID][]error{again.ID: {away}, refused.ID: {waitlist.ErrRefused}, never.ID: {away, away}}}
	d := must(delivery.NewPostman(delivery.Config{DB: db, Letters: p, Now: now, Log: slog.New(slog.NewTextHandler(log, nil))}))
	if err := d.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		if err := d.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	queue := func(l waitlist.Letter, then error) {
		err := db.InTx(t.Context(), func(_ context.Context, tx postgres.Tx) error {
			return errors.Join(d.QueueLetters(t.Context(), tx, []waitlist.Letter{l}), then)
		})
		if !errors.Is(err, then) {
			t.Fatal(err)
		}
	}
	state := func(l waitlist.Letter) (state string, wait time.Duration) {
		var at time.Time
		err := db.Pool().QueryRow(t.Context(), "select state::text, scheduled_at from river_job where args->>'id' = $1", l.ID.String()).Scan(&state, &at)
		if err != nil {
			t.Fatal(err)
		}
		return state, time.Until(at)
	}
	becomes := func(l waitlist.Letter, want string) {
		t.Helper()
		eventually.True(t, "the job of "+l.ID.String()+" to be "+want, func() bool { got, _ := state(l); return got == want })
	}
	queue(rolledBack, away)
	for _, l := range []waitlist.Letter{sent, again, refused, never} {
		queue(l, nil)
	}
	becomes(sent, "completed")
	becomes(refused, "cancelled")
	becomes(again, "retryable")
	becomes(never, "retryable")
	if _, wait := state(again); wait < time.Second || wait > time.Minute {
		t.Errorf("it is tried again in %s", wait)
	}
	if _, err := db.Pool().Exec(t.Context(), "update river_job set max_attempts = 2 where args->>'id' = $1", never.ID.String()); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Pool().Exec(t.Context(), "update river_job set scheduled_at = now(), state = 'available' where state = 'retryable'"); err != nil {
		t.Fatal(err)
	}
	becomes(again, "completed")
	becomes(never, "discarded")
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.sent) != 2 || p.sent[0] != sent || p.sent[1].ID != again.ID {
		t.Errorf("%+v", p.sent)
	}
	if n := strings.Count(log.String(), "an e-mail was given up"); n != 2 {
		t.Errorf("%d were given up: %s", n, log)
	}
}
