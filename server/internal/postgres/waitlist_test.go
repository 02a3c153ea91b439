package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/waitlist"
)

// waiting is the waiting list of a world, and the letters that it has queued.
type waiting struct {
	*world
	list   *postgres.Waitlist
	t      *testing.T
	tokens waitlist.Tokens
	mu     sync.Mutex
	queued []waitlist.Letter
	broken error
}

func newWaiting(t *testing.T) *waiting {
	t.Helper()
	w := &waiting{world: newWorld(t), t: t, tokens: must(waitlist.NewTokens(make([]byte, 32)))}
	w.list = &postgres.Waitlist{Store: w.world.Store, Queue: func(ctx context.Context, tx postgres.Tx, letters []waitlist.Letter) error {
		if err := tx.NewRaw("select 1").Scan(ctx, new(int)); err != nil {
			return err
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.queued = append(w.queued, letters...)
		return w.broken
	}}
	return w
}

func (w *waiting) entry(email, referredBy string) waitlist.NewEntry {
	id := core.NewID()
	return waitlist.NewEntry{ID: id, Email: email, Locale: "pt", ReferralCode: "code" + email, ReferredBy: referredBy,
		TokenHash: core.HashSecret(w.tokens.Entry(id)), InvitationHash: core.HashSecret(w.tokens.Invitation(id))}
}

// join joins and answers the hash of the token.
func (w *waiting) join(email, referredBy string) []byte {
	w.t.Helper()
	e := w.entry(email, referredBy)
	if err := w.list.Join(w.t.Context(), e, w.now); err != nil {
		w.t.Fatal(err)
	}
	return e.TokenHash
}

// confirmed joins and confirms, a second after the one before.
func (w *waiting) confirmed(email, referredBy string) []byte {
	w.t.Helper()
	hash := w.join(email, referredBy)
	w.now = w.now.Add(time.Second)
	if err := w.list.Confirm(w.t.Context(), hash, w.now); err != nil {
		w.t.Fatal(err)
	}
	return hash
}

func (w *waiting) place(hash []byte) waitlist.Entry {
	w.t.Helper()
	e, _, err := w.list.Place(w.t.Context(), hash)
	if err != nil {
		w.t.Fatal(err)
	}
	return e
}

// order lists those who wait, the first first.
func (w *waiting) order() (emails []string) {
	w.t.Helper()
	data, _, err := w.list.Entries(w.t.Context(), waitlist.Filter{Status: waitlist.Waiting}, core.Page{Limit: 100})
	if err != nil {
		w.t.Fatal(err)
	}
	for i, e := range data {
		if e.Position != int64(i)+1 {
			w.t.Errorf("%s has the position %d, but comes as number %d", e.Email, e.Position, i+1)
		}
		name, _, _ := strings.Cut(e.Email, "@")
		emails = append(emails, name)
	}
	return emails
}

func (w *waiting) kinds() (kinds []waitlist.LetterKind) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, l := range w.queued {
		kinds = append(kinds, l.Kind)
	}
	w.queued = nil
	return kinds
}

func TestPlaceInTheWaitlist(t *testing.T) {
	t.Parallel()
	w := newWaiting(t)
	first, second := w.confirmed("a@x.com", ""), w.confirmed("b@x.com", "")
	third := w.confirmed("c@x.com", "")
	w.join("nobody@x.com", "codeb@x.com")
	if got := w.order(); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("%v", got)
	}
	friend := w.confirmed("d@x.com", "codec@x.com")
	w.confirmed("e@x.com", "unknown")
	if got := w.order(); !slices.Equal(got, []string{"c", "a", "b", "d", "e"}) {
		t.Errorf("%v", got)
	}
	for i, hash := range [][]byte{third, first, second, friend} {
		if e := w.place(hash); e.Position != int64(i)+1 || e.Status != waitlist.Waiting {
			t.Errorf("%d: %+v", i, e)
		}
	}
	if e := w.place(friend); e.ReferredBy != "c@x.com" {
		t.Errorf("%+v", e)
	}
	if err := w.list.Confirm(t.Context(), friend, w.now); err != nil {
		t.Fatal(err)
	}
	for _, leave := range [][]byte{friend, second} {
		if err := w.Leave(t.Context(), leave); err != nil {
			t.Fatal(err)
		}
	}
	if e := w.place(third); e.Referrals != 0 || !slices.Equal(w.order(), []string{"a", "c", "e"}) {
		t.Errorf("after the friend has left: %+v, %v", e, w.order())
	}
	for _, err := range []error{w.Leave(t.Context(), friend), w.list.Confirm(t.Context(), friend, w.now)} {
		if !core.IsCode(err, core.CodeNotFound) {
			t.Errorf("who has left: %v", err)
		}
	}
}

func TestLettersOfJoining(t *testing.T) {
	t.Parallel()
	w := newWaiting(t)
	hash := w.join("Rui@x.com", "")
	w.join("rui@X.com", "") // within ten minutes
	if got := w.kinds(); !slices.Equal(got, []waitlist.LetterKind{waitlist.Confirmation}) {
		t.Errorf("%v", got)
	}
	later := func() { w.now = w.now.Add(waitlist.LettersApart) }
	later()
	w.join("rui@x.com", "")
	must(0, w.list.Confirm(t.Context(), hash, w.now))
	later()
	w.join("rui@x.com", "")
	w.join("ANA@example.com", "") // who has an account
	later()
	must2(w.list.InviteNext(t.Context(), 1, w.now, core.Idempotency{}))
	w.join("rui@x.com", "")
	want := []waitlist.LetterKind{waitlist.Confirmation, waitlist.Position, waitlist.Account, waitlist.Invitation, waitlist.Invitation}
	if got := w.kinds(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if _, total, _ := w.list.Entries(t.Context(), waitlist.Filter{}, core.Page{Limit: 1}); total != 1 {
		t.Errorf("%d entries", total)
	}
}

func must2[T, U any](v T, u U, err error) (T, U) {
	if err != nil {
		panic(err)
	}
	return v, u
}

// TestWhatIsNotQueuedIsNotKept has the letter and what it tells stand or fall together.
func TestWhatIsNotQueuedIsNotKept(t *testing.T) {
	t.Parallel()
	w := newWaiting(t)
	w.confirmed("a@x.com", "")
	w.broken = errors.New("the queue is away")
	if err := w.list.Join(t.Context(), w.entry("b@x.com", ""), w.now); !errors.Is(err, w.broken) {
		t.Error(err)
	}
	if _, _, err := w.list.InviteNext(t.Context(), 1, w.now, core.Idempotency{Caller: "c", Key: "k", Route: "r", BodyHash: []byte{1}}); !errors.Is(err, w.broken) {
		t.Error(err)
	}
	data, total, err := w.list.Entries(t.Context(), waitlist.Filter{}, core.Page{Limit: 10})
	if err != nil || total != 1 || data[0].Status != waitlist.Waiting {
		t.Errorf("%v %+v", err, data)
	}
	w.broken = nil
	if err := w.list.Join(t.Context(), w.entry("b@x.com", ""), w.now); err != nil {
		t.Error(err)
	}
}

func TestWhoHasNotConfirmedJoinsAnew(t *testing.T) {
	t.Parallel()
	w := newWaiting(t)
	w.confirmed("a@x.com", "")
	e := w.entry("b@x.com", "")
	e.Name, e.Locale = "Bia", "en"
	must(0, w.list.Join(t.Context(), e, w.now))
	again := w.entry("b@x.com", "codea@x.com")
	must(0, w.list.Join(t.Context(), again, w.now.Add(time.Hour)))
	if got := w.place(e.TokenHash); got.Name != "Bia" || got.Locale != "pt" || got.ReferredBy != "a@x.com" || !got.CreatedAt.Equal(w.now.Add(time.Hour)) {
		t.Errorf("%+v", got)
	}
	must(0, w.list.Confirm(t.Context(), e.TokenHash, w.now))
	again.Name = "Someone else"
	must(0, w.list.Join(t.Context(), again, w.now.Add(2*time.Hour)))
	if got := w.place(e.TokenHash); got.Name != "Bia" || !got.CreatedAt.Equal(w.now.Add(time.Hour)) {
		t.Errorf("%+v", got)
	}
	if _, _, err := w.list.Place(t.Context(), again.TokenHash); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("the other token: %v", err)
	}
	self := w.entry("s@x.com", "")
	must(0, w.list.Join(t.Context(), self, w.now))
	must(0, w.list.Join(t.Context(), w.entry("s@x.com", self.ReferralCode), w.now))
	must(0, w.list.Confirm(t.Context(), self.TokenHash, w.now))
	if got := w.place(self.TokenHash); got.Referrals != 0 || got.ReferredBy != "" {
		t.Errorf("who brings themselves: %+v", got)
	}
}

func TestInvite(t *testing.T) {
	t.Parallel()
	w := newWaiting(t)
	w.confirmed("a@x.com", "")
	b := w.confirmed("b@x.com", "")
	w.confirmed("c@x.com", "codeb@x.com")
	w.kinds()
	key := core.Idempotency{Caller: "subscriber:1", Key: "k", Route: "POST /x", BodyHash: []byte{1}}
	for _, want := range []core.Creation{core.Created, core.Replayed} {
		invited, creation, err := w.list.InviteNext(t.Context(), 2, w.now, key)
		if err != nil || creation != want || len(invited) != 2 || invited[0].Email != "b@x.com" || invited[1].Email != "a@x.com" || invited[0].Status != waitlist.Invited || invited[0].Position != 0 {
			t.Errorf("%v %v %+v", err, creation, invited)
		}
	}
	if got := w.order(); !slices.Equal(got, []string{"c"}) || len(w.kinds()) != 2 {
		t.Errorf("%v", got)
	}
	must(0, second(w.SignIn(t.Context(), core.Profile{Subject: "b", Email: "b@x.com", Locale: "pt"}, core.SignUp{}, w.now)))
	chosen := []waitlist.NewEntry{w.entry("new@x.com", ""), w.entry("B@x.com", ""), w.entry("NEW@x.com", ""), w.entry("A@x.com", "")}
	invited, _, err := w.list.InviteChosen(t.Context(), chosen, w.now.Add(time.Hour), core.Idempotency{})
	if err != nil || len(invited) != 3 || invited[0].Email != "new@x.com" || invited[1].Status != waitlist.Joined || invited[2].Email != "a@x.com" || !invited[2].InvitedAt.Equal(w.now) {
		t.Errorf("%v %+v", err, invited)
	}
	if got := w.kinds(); len(got) != 2 { // not to who has joined
		t.Errorf("%v", got)
	}
	if e := w.place(b); e.Status != waitlist.Joined || e.Referrals != 1 {
		t.Errorf("%+v", e)
	}
	if none, _, err := w.list.InviteNext(t.Context(), 5, w.now, core.Idempotency{}); err != nil || len(none) != 1 {
		t.Errorf("%v %+v", err, none)
	}
	if none, _, err := w.list.InviteNext(t.Context(), 5, w.now, core.Idempotency{}); err != nil || len(none) != 0 || len(w.kinds()) != 1 {
		t.Errorf("%v %+v", err, none)
	}
}

// TestOperatorsInviteAtOnce has each of those who wait invited by one of them.
func TestOperatorsInviteAtOnce(t *testing.T) {
	t.Parallel()
	w := newWaiting(t)
	const operators, each = 4, 3
	for i := range operators * each {
		w.confirmed(fmt.Sprintf("p%d@x.com", i), "")
	}
	w.kinds()
	seen := map[string]bool{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for range operators {
		all.Go(func() {
			invited, _, err := w.list.InviteNext(context.Background(), each, w.now, core.Idempotency{})
			mu.Lock()
			defer mu.Unlock()
			if err != nil || len(invited) != each {
				t.Errorf("%v, %d invited", err, len(invited))
			}
			for _, e := range invited {
				seen[e.Email] = true
			}
		})
	}
	all.Wait()
	if len(seen) != operators*each || len(w.kinds()) != operators*each {
		t.Errorf("%d of %d were invited", len(seen), operators*each)
	}
}

func TestSignUpByInvitation(t *testing.T) {
	t.Parallel()
	w := newWaiting(t)
	signIn := func(subject, email string, up core.SignUp) error {
		return second(w.SignIn(t.Context(), core.Profile{Subject: subject, Email: email, Locale: "pt"}, up, w.now))
	}
	uninvited := func(err error) bool {
		var e *core.Error
		return errors.As(err, &e) && e.Reason == "uninvited"
	}
	e := w.entry("a@x.com", "")
	must(0, w.list.Join(t.Context(), e, w.now))
	by := core.SignUp{InvitationHash: e.InvitationHash}
	for what, err := range map[string]error{"a stranger": signIn("x", "x@x.com", core.SignUp{}), "who waits": signIn("a", "a@x.com", core.SignUp{}),
		"an invitation before its time": signIn("x", "x@x.com", by), "the entry's own token": signIn("x", "x@x.com", core.SignUp{InvitationHash: e.TokenHash})} {
		if !uninvited(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
	must2(w.list.InviteChosen(t.Context(), []waitlist.NewEntry{w.entry("a@x.com", ""), w.entry("b@x.com", ""), w.entry("k@x.com", "")}, w.now, core.Idempotency{}))
	if err := signIn("b", "B@x.com", core.SignUp{}); err != nil {
		t.Errorf("whose address is invited: %v", err)
	}
	if err := signIn("1", "ana@example.com", by); err != nil { // an account that follows another's link takes nothing up
		t.Errorf("who has an account: %v", err)
	}
	if err := signIn("look-alike", "\u212a@x.com", core.SignUp{}); !uninvited(err) {
		t.Errorf("a look-alike: %v", err)
	}
	var in, out int
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 5 {
		all.Go(func() {
			err := signIn(fmt.Sprint("p", i), fmt.Sprintf("p%d@x.com", i), by)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				in++
			} else if uninvited(err) {
				out++
			}
		})
	}
	all.Wait()
	if in != 1 || out != 4 {
		t.Errorf("one invitation let in %d, and refused %d", in, out)
	}
	if got := w.place(e.TokenHash); got.Status != waitlist.Joined || !core.IsCode(w.Leave(t.Context(), e.TokenHash), core.CodeNotFound) {
		t.Errorf("%+v", got)
	}
	if err := signIn("1", "ana@example.com", core.SignUp{}); err != nil {
		t.Errorf("who has an account: %v", err)
	}
}

// TestWhoSignsUpHasJoined has an entry leave the queue when its address signs up, and go with the account.
func TestWhoSignsUpHasJoined(t *testing.T) {
	t.Parallel()
	w := newWaiting(t)
	hash := w.confirmed("bia@x.com", "")
	id := must(w.SignIn(t.Context(), core.Profile{Subject: "b", Email: "Bia@x.com", Locale: "pt"}, core.SignUp{Open: true}, w.now)).ID
	if e := w.place(hash); e.Status != waitlist.Joined || e.Position != 0 {
		t.Errorf("%+v", e)
	}
	if x := must(w.Export(t.Context(), id)); len(x.Waitlist) != 1 || x.Waitlist[0].Email != "bia@x.com" || x.Waitlist[0].JoinedAt == nil {
		t.Errorf("%+v", x.Waitlist)
	}
	must(w.DeleteSubscriber(t.Context(), id))
	if _, _, err := w.list.Place(t.Context(), hash); !core.IsCode(err, core.CodeNotFound) {
		t.Error(err)
	}
}

func TestEntriesOfTheWaitlist(t *testing.T) {
	t.Parallel()
	w := newWaiting(t)
	w.confirmed("first@x.com", "")
	w.confirmed("second@x.com", "codefirst@x.com")
	w.join("old@x.com", "")
	w.now = w.now.Add(time.Second)
	w.join("young_%@x.com", "")
	must2(w.list.InviteChosen(t.Context(), []waitlist.NewEntry{w.entry("invited@x.com", "")}, w.now, core.Idempotency{}))
	list := func(f waitlist.Filter, p core.Page) (emails []string) {
		data, total, err := w.list.Entries(t.Context(), f, p)
		if err != nil || p.Limit == 100 && total != int64(len(data)) {
			t.Fatalf("%v, %d of %d", err, len(data), total)
		}
		for _, e := range data {
			emails = append(emails, e.Email)
		}
		return emails
	}
	all := []string{"first@x.com", "second@x.com", "young_%@x.com", "old@x.com", "invited@x.com"}
	whole := core.Page{Limit: 100}
	for name, c := range map[string]struct {
		filter waitlist.Filter
		page   core.Page
		want   []string
	}{
		"all":       {waitlist.Filter{}, whole, all},
		"a page":    {waitlist.Filter{}, core.Page{Limit: 2, Offset: 1}, all[1:3]},
		"by status": {waitlist.Filter{Status: waitlist.Unconfirmed}, whole, all[2:4]},
		"by text":   {waitlist.Filter{Search: "SECOND"}, whole, all[1:2]},
		"literally": {waitlist.Filter{Search: "_%"}, whole, all[2:3]},
		"by both":   {waitlist.Filter{Search: "o", Status: waitlist.Invited}, whole, all[4:]},
	} {
		if got := list(c.filter, c.page); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	var each []string
	err := w.EachEntry(t.Context(), waitlist.Filter{}, func(e waitlist.Entry) error {
		each = append(each, e.Email)
		if e.Email == "second@x.com" && e.ReferredBy != "first@x.com" {
			t.Errorf("%+v", e)
		}
		return nil
	})
	if err != nil || !slices.Equal(each, all) {
		t.Errorf("%v %v", err, each)
	}
	full := errors.New("full")
	if err := w.EachEntry(t.Context(), waitlist.Filter{}, func(waitlist.Entry) error { return full }); !errors.Is(err, full) {
		t.Error(err)
	}
}

func TestPruneWaitlist(t *testing.T) {
	t.Parallel()
	w := newWaiting(t)
	old := w.join("old@x.com", "")
	kept := w.confirmed("kept@x.com", "codeold@x.com")
	w.now = w.now.Add(waitlist.UnconfirmedKept)
	young := w.join("young@x.com", "")
	must(0, w.Prune(t.Context(), w.now.Add(time.Second)))
	if _, _, err := w.list.Place(t.Context(), old); !core.IsCode(err, core.CodeNotFound) {
		t.Error(err)
	}
	if e := w.place(kept); e.ReferredBy != "" || w.place(young).Status != waitlist.Unconfirmed {
		t.Errorf("%+v", e)
	}
}
