package waitlist

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// world is a waiting list in a database with one account, ana@example.com, and the emails that it has queued.
type world struct {
	*store
	subscribers *postgres.Store
	t           *testing.T
	tokens      tokens
	ana         core.ID
	now         time.Time
	queue       *queue
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db, queue := pgtest.DB(t), &queue{}
	tokens, err := newTokens(make([]byte, 32))
	if err != nil {
		t.Fatalf("derive the key of tokens: %v", err)
	}
	w := &world{store: &store{reader: reader{db}, jobs: queue}, subscribers: postgres.NewStore(db), t: t,
		tokens: tokens, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), queue: queue}
	w.ana = w.mustSignIn("1", "ana@example.com", core.SignUp{Open: true})
	return w
}

// queue keeps the emails and the joins of inserted jobs.
type queue struct {
	mu     sync.Mutex
	emails []emails.Email
	joins  []joinArgs
	broken error
}

func (q *queue) Insert(ctx context.Context, tx postgres.Tx, jobs []river.InsertManyParams) error {
	if err := tx.NewRaw("select 1").Scan(ctx, new(int)); err != nil { // the transaction is still open
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range jobs {
		switch args := j.Args.(type) {
		case emails.Job:
			q.emails = append(q.emails, args.Email)
		case joinArgs:
			q.joins = append(q.joins, args)
		}
	}
	return q.broken
}

// Direct works the jobs that join people at once, and drops their emails.
type Direct struct{ DB *postgres.DB }

// Insert implements emails.Jobs.
func (d Direct) Insert(ctx context.Context, _ postgres.Tx, jobs []river.InsertManyParams) error {
	tokens, err := newTokens(make([]byte, 32))
	for _, j := range jobs {
		if args, ok := j.Args.(joinArgs); ok && err == nil {
			s := &store{reader: reader{d.DB}, jobs: d}
			err = s.join(ctx, tokens.newEntry(args.Input), args.At)
		}
	}
	return err
}

// kinds returns the kinds of the queued emails, and empties the queue.
func (q *queue) kinds() []emails.Kind {
	q.mu.Lock()
	defer q.mu.Unlock()
	var kinds []emails.Kind
	for _, e := range q.emails {
		kinds = append(kinds, e.Kind)
	}
	q.emails = nil
	return kinds
}

func (w *world) expectEmails(when string, want ...emails.Kind) {
	w.t.Helper()
	if got := w.queue.kinds(); !slices.Equal(got, want) {
		w.t.Errorf("emails queued %s: got %v, want %v", when, got, want)
	}
}

func (w *world) signIn(subject, email string, up core.SignUp) (core.ID, error) {
	profile := core.Profile{Subject: subject, Email: email, Name: subject, Locale: "pt"}
	s, err := w.subscribers.SignIn(w.t.Context(), profile, up, w.now)
	return s.ID, err
}

func (w *world) mustSignIn(subject, email string, up core.SignUp) core.ID {
	w.t.Helper()
	id, err := w.signIn(subject, email, up)
	if err != nil {
		w.t.Fatalf("sign in as %s: %v", email, err)
	}
	return id
}

// entry returns a new entry whose referral code is "code" followed by the address.
func (w *world) entry(email, referredBy string) newEntry {
	id := core.NewID()
	return newEntry{ID: id, Email: email, Locale: "pt", ReferralCode: "code" + email, ReferredBy: referredBy,
		TokenHash: core.HashSecret(w.tokens.entry(id)), InvitationHash: core.HashSecret(w.tokens.invitation(id))}
}

func (w *world) mustJoinAs(e newEntry) {
	w.t.Helper()
	if err := w.join(w.t.Context(), e, w.now); err != nil {
		w.t.Fatalf("join as %s: %v", e.Email, err)
	}
}

// mustJoin joins and returns the hash of the token.
func (w *world) mustJoin(email, referredBy string) []byte {
	w.t.Helper()
	e := w.entry(email, referredBy)
	w.mustJoinAs(e)
	return e.TokenHash
}

func (w *world) mustConfirm(hash []byte) {
	w.t.Helper()
	if err := w.confirm(w.t.Context(), hash, w.now); err != nil {
		w.t.Fatalf("confirm an address: %v", err)
	}
}

// mustWait joins and confirms, a second after the one before.
func (w *world) mustWait(email, referredBy string) []byte {
	w.t.Helper()
	hash := w.mustJoin(email, referredBy)
	w.now = w.now.Add(time.Second)
	w.mustConfirm(hash)
	return hash
}

func (w *world) mustPlace(hash []byte) Entry {
	w.t.Helper()
	e, _, err := w.place(w.t.Context(), hash)
	if err != nil {
		w.t.Fatalf("find an entry by its token: %v", err)
	}
	return e
}

func (w *world) mustInvite(addresses ...string) []Entry {
	w.t.Helper()
	entries := make([]newEntry, len(addresses))
	for i, email := range addresses {
		entries[i] = w.entry(email, "")
	}
	return w.mustInviteAs(entries...)
}

func (w *world) mustInviteAs(entries ...newEntry) []Entry {
	w.t.Helper()
	invited, _, err := w.inviteChosen(w.t.Context(), entries, w.now, core.Idempotency{})
	if err != nil {
		w.t.Fatalf("invite %d people: %v", len(entries), err)
	}
	return invited
}

func (w *world) mustInviteNext(n int) []Entry {
	w.t.Helper()
	invited, _, err := w.inviteNext(w.t.Context(), n, w.now, core.Idempotency{})
	if err != nil {
		w.t.Fatalf("invite the next %d: %v", n, err)
	}
	return invited
}

func emailsOf(entries []Entry) []string {
	var addresses []string
	for _, e := range entries {
		addresses = append(addresses, e.Email)
	}
	return addresses
}

// expectOrder expects the names of those who wait, the first one first, with their positions.
func (w *world) expectOrder(when string, want ...string) {
	w.t.Helper()
	data, _, err := w.entries(w.t.Context(), Filter{Status: Waiting}, core.Page{Limit: 100})
	if err != nil {
		w.t.Fatalf("list those who wait: %v", err)
	}
	var names []string
	for i, e := range data {
		if e.Position != int64(i)+1 {
			w.t.Errorf("position of %s %s: got %d, want %d", e.Email, when, e.Position, i+1)
		}
		name, _, _ := strings.Cut(e.Email, "@")
		names = append(names, name)
	}
	if !slices.Equal(names, want) {
		w.t.Errorf("order %s: got %v, want %v", when, names, want)
	}
}

func expectNotFound(t *testing.T, what string, err error) {
	t.Helper()
	if !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("%s: got error %v, want not found", what, err)
	}
}

func (w *world) execute(sql string, args ...any) {
	w.t.Helper()
	if _, err := w.db.Pool().Exec(w.t.Context(), sql, args...); err != nil {
		w.t.Fatalf("%s: %v", sql, err)
	}
}
