package emails

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/mail"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/jobstest"
	"github.com/sininho/sininho/server/lab/pgtest"
)

// mailServer returns the errors of an email's id, one after another, and then accepts it.
type mailServer struct {
	mu     sync.Mutex
	errors map[core.ID][]error
	sent   []core.ID
}

func (s *mailServer) Send(_ context.Context, m mail.Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if rest := s.errors[m.ID]; len(rest) > 0 {
		s.errors[m.ID] = rest[1:]
		return rest[0]
	}
	s.sent = append(s.sent, m.ID)
	return nil
}

// lockedBuffer is a log that can be read while it is written.
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

// node runs the jobs of emails.
type node struct {
	t      *testing.T
	db     *postgres.DB
	client *jobs.Client
}

func startNode(t *testing.T, db *postgres.DB, parts ...jobs.Part) *node {
	t.Helper()
	return &node{t, db, jobstest.Start(t, db, parts...)}
}

// queue queues an email to a person with an account in a transaction that fails with err.
func (n *node) queue(id core.ID, err error) {
	n.t.Helper()
	n.queueAll(err, Email{ID: id, Kind: Account, About: core.ID{1}})
}

func (n *node) queueAll(err error, emails ...Email) {
	n.t.Helper()
	got := n.db.InTx(n.t.Context(), func(ctx context.Context, tx postgres.Tx) error {
		return errors.Join(Queue(ctx, tx, n.client, emails...), err)
	})
	if !errors.Is(got, err) {
		n.t.Fatalf("queue an email: got error %v, want %v", got, err)
	}
}

// job returns the state of an email's job, and when it runs next.
func (n *node) job(id core.ID) (state string, at time.Time) {
	n.t.Helper()
	row := n.db.Pool().QueryRow(n.t.Context(),
		"select state::text, scheduled_at from river_job where args->>'id' = $1", id.String())
	if err := row.Scan(&state, &at); err != nil {
		n.t.Fatalf("read the job of the email %s: %v", id, err)
	}
	return state, at
}

func (n *node) waitFor(id core.ID, want string) {
	n.t.Helper()
	eventually.True(n.t, "the job of the email "+id.String()+" to be "+want, func() bool {
		state, _ := n.job(id)
		return state == want
	})
}

func (n *node) execute(sql string, args ...any) {
	n.t.Helper()
	if _, err := n.db.Pool().Exec(n.t.Context(), sql, args...); err != nil {
		n.t.Fatalf("%s: %v", sql, err)
	}
}

// TestEmailJobs sends an email once the transaction that queued it is committed, retries temporary failures and cancels
// or discards the others.
func TestEmailJobs(t *testing.T) {
	t.Parallel()
	ids := []core.ID{{1}, {2}, {3}, {4}, {5}}
	sent := ids[0]
	again := ids[1]
	refused := ids[2]
	never, rolledBack := ids[3], ids[4]
	down := errors.New("the mail server is down")
	server := &mailServer{errors: map[core.ID][]error{again: {down}, refused: {mail.ErrRefused}, never: {down, down}}}
	log := &lockedBuffer{}
	db := pgtest.DB(t)
	sender, _ := newSender(t, facts{}, nil)
	sender.Server, sender.Log = server, slog.New(slog.NewTextHandler(log, nil))
	n := startNode(t, db, sender.Jobs())
	n.queue(rolledBack, down)
	for _, id := range []core.ID{sent, again, refused, never} {
		n.queue(id, nil)
	}
	n.waitFor(sent, "completed")
	n.waitFor(refused, "cancelled")
	n.waitFor(again, "retryable")
	n.waitFor(never, "retryable")
	if _, at := n.job(again); time.Until(at) < time.Second || time.Until(at) > time.Minute {
		t.Errorf("wait before the second attempt: got %s, want between a second and a minute", time.Until(at))
	}
	n.execute("update river_job set max_attempts = 2 where args->>'id' = $1", never.String())
	n.execute("update river_job set scheduled_at = now(), state = 'available' where state = 'retryable'")
	n.waitFor(again, "completed")
	n.waitFor(never, "discarded")
	server.mu.Lock()
	defer server.mu.Unlock()
	if len(server.sent) != 2 || server.sent[0] != sent || server.sent[1] != again {
		t.Errorf("emails sent: got %v, want %v", server.sent, []core.ID{sent, again})
	}
	if got := strings.Count(log.String(), "email not sent, no further attempts"); got != 2 {
		t.Errorf("emails logged as not sent: got %d, want 2: %s", got, log)
	}
}

// deadNode returns a node that queues emails and sends none.
func deadNode(t *testing.T, db *postgres.DB) *node {
	t.Helper()
	client, err := jobs.New(db, slog.New(slog.DiscardHandler), RescueOnly())
	if err != nil {
		t.Fatalf("create the job client: %v", err)
	}
	return &node{t, db, client}
}

// TestCodesAreSentFirst queues a code behind many invitations, before there is a node that sends emails.
func TestCodesAreSentFirst(t *testing.T) {
	t.Parallel()
	db := pgtest.DB(t)
	all := make([]Email, 40, 41)
	for i := range all {
		all[i] = Email{ID: core.NewID(), Kind: Invitation}
	}
	deadNode(t, db).queueAll(nil, append(all, Email{ID: core.NewID(), Kind: Code})...)
	var mu sync.Mutex
	var sent []Kind
	send := func(_ context.Context, e Email) error {
		mu.Lock()
		defer mu.Unlock()
		sent = append(sent, e.Kind)
		return nil
	}
	startNode(t, db, partOf(newWorker(send, slog.New(slog.DiscardHandler))))
	eventually.True(t, "all emails to be sent", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(sent) == 41
	})
	if place := slices.Index(sent, Code); place < 0 || place >= workers {
		t.Errorf("place of the code among the emails sent: got %d, want one of the first %d", place, workers)
	}
}

// TestEmailsOfADeadNodeAreRescued checks that an email whose node died while it sent it is rescued by a node without a
// mail server.
func TestEmailsOfADeadNodeAreRescued(t *testing.T) {
	t.Parallel()
	db, id := pgtest.DB(t), core.ID{1}
	dead := deadNode(t, db)
	dead.queue(id, nil)
	dead.execute("update river_job set state = 'running', attempt = 1, attempted_at = now() - interval '1 hour'")
	others := jobs.Part{Queues: map[string]river.QueueConfig{"others": {MaxWorkers: 1}}}
	n := startNode(t, db, others, RescueOnly())
	eventually.True(t, "the email to be rescued", func() bool {
		state, _ := n.job(id)
		return state != "running"
	})
	// A job is retryable for about a second, and available from then on.
	if state, _ := n.job(id); state != "retryable" && state != "available" {
		t.Errorf("state of the rescued job: got %s, want retryable or available", state)
	}
}
