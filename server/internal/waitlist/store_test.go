package waitlist

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
)

func TestPlaces(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second := w.mustWait("a@x.com", ""), w.mustWait("b@x.com", "")
	third := w.mustWait("c@x.com", "")
	w.mustJoin("nobody@x.com", "codeb@x.com")
	w.expectOrder("while nobody has brought anyone who confirmed", "a", "b", "c")
	friend := w.mustWait("d@x.com", "codec@x.com")
	w.mustWait("e@x.com", "unknown")
	w.expectOrder("after c has brought d", "c", "a", "b", "d", "e")
	for i, hash := range [][]byte{third, first, second, friend} {
		e := w.mustPlace(hash)
		if e.Position != int64(i)+1 {
			t.Errorf("position of %s by its token: got %d, want %d", e.Email, e.Position, i+1)
		}
		if e.Status != Waiting {
			t.Errorf("status of %s: got %s, want %s", e.Email, e.Status, Waiting)
		}
	}
	if got := w.mustPlace(friend).ReferredBy; got != "c@x.com" {
		t.Errorf("referrer of d: got %q, want c@x.com", got)
	}
	if _, waiting, err := w.place(t.Context(), friend); err != nil || waiting != 5 {
		t.Errorf("people who wait: got %d, %v; want 5", waiting, err)
	}
}

func TestConfirmingAgainCountsOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	referrer := w.mustWait("a@x.com", "")
	friend := w.mustWait("b@x.com", "codea@x.com")
	confirmed := *w.mustPlace(friend).ConfirmedAt
	w.now = w.now.Add(time.Hour)
	w.mustConfirm(friend)
	if got := w.mustPlace(referrer).Referrals; got != 1 {
		t.Errorf("referrals after a friend has confirmed twice: got %d, want 1", got)
	}
	if got := *w.mustPlace(friend).ConfirmedAt; !got.Equal(confirmed) {
		t.Errorf("time of the confirmation after the second one: got %s, want %s", got, confirmed)
	}
}

func TestLeaving(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	referrer, other := w.mustWait("a@x.com", ""), w.mustWait("b@x.com", "")
	friend := w.mustWait("c@x.com", "codea@x.com")
	unconfirmed := w.mustJoin("d@x.com", "codea@x.com")
	for name, hash := range map[string][]byte{
		"a friend":              friend,
		"another":               other,
		"an unconfirmed friend": unconfirmed,
	} {
		if err := w.leave(t.Context(), hash); err != nil {
			t.Fatalf("%s leaves: %v", name, err)
		}
		expectNotFound(t, name+" leaves again", w.leave(t.Context(), hash))
		expectNotFound(t, name+" confirms after leaving", w.confirm(t.Context(), hash, w.now))
	}
	if got := w.mustPlace(referrer).Referrals; got != 0 {
		t.Errorf("referrals after the friends have left: got %d, want 0", got)
	}
	w.expectOrder("after all others have left", "a")
}

func TestEmailsOfJoining(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hash := w.mustJoin("Rui@x.com", "")
	w.mustJoin("rui@X.com", "")
	w.expectEmails("after joining twice at once", emails.Confirmation)
	later := func() { w.now = w.now.Add(emailsApart) }
	later()
	w.mustJoin("rui@x.com", "")
	w.expectEmails("after joining again later", emails.Confirmation)
	w.mustConfirm(hash)
	later()
	w.mustJoin("rui@x.com", "")
	w.expectEmails("after joining with a confirmed address", emails.Position)
	w.mustJoin("ANA@example.com", "")
	w.expectEmails("after joining with an account's address", emails.Account)
	later()
	w.mustInviteNext(1)
	w.expectEmails("after an invitation", emails.Invitation)
	w.mustJoin("rui@x.com", "")
	w.expectEmails("after joining with an invited address", emails.Invitation)
	if _, total, err := w.entries(t.Context(), Filter{}, core.Page{Limit: 1}); err != nil || total != 1 {
		t.Errorf("entries after all that: got %d, %v; want 1", total, err)
	}
}

// TestNothingIsStoredWithoutItsEmail breaks the queue of emails.
func TestNothingIsStoredWithoutItsEmail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustWait("a@x.com", "")
	broken := errors.New("the queue is broken")
	w.queue.broken = broken
	if err := w.join(t.Context(), w.entry("b@x.com", ""), w.now); !errors.Is(err, broken) {
		t.Errorf("join without a queue: got error %v, want %v", err, broken)
	}
	key := core.Idempotency{Caller: "c", Key: "k", Route: "r", BodyHash: []byte{1}}
	if _, _, err := w.inviteNext(t.Context(), 1, w.now, key); !errors.Is(err, broken) {
		t.Errorf("invite without a queue: got error %v, want %v", err, broken)
	}
	data, total, err := w.entries(t.Context(), Filter{}, core.Page{Limit: 10})
	if err != nil || total != 1 {
		t.Fatalf("entries after the failures: got %d, %v; want 1", total, err)
	}
	if data[0].Status != Waiting {
		t.Errorf("status after the failures: got %s, want %s", data[0].Status, Waiting)
	}
	w.queue.broken = nil
	w.mustJoin("b@x.com", "")
}

// TestJoiningAgain expects what was entered first to stay: anyone can enter another's address, with a name and a
// referral code of their choice.
func TestJoiningAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustWait("a@x.com", "")
	w.mustWait("c@x.com", "")
	for _, referredBy := range []string{"", "codec@x.com"} {
		e := w.entry("b"+referredBy, referredBy)
		e.Email, e.Name, e.Locale = "b"+e.ID.String()+"@x.com", "Bia", "en"
		w.mustJoinAs(e)
		first := w.mustPlace(e.TokenHash)
		w.now = w.now.Add(time.Hour)
		again := w.entry(e.Email, "codea@x.com")
		again.Name = "Someone else"
		w.mustJoinAs(again)
		want := first
		want.CreatedAt = w.now
		if diff := cmp.Diff(want, w.mustPlace(e.TokenHash)); diff != "" {
			t.Errorf("unconfirmed entry with referrer %q after joining again (-want +got):\n%s", first.ReferredBy, diff)
		}
		w.mustConfirm(e.TokenHash)
		confirmed := w.mustPlace(e.TokenHash)
		w.now = w.now.Add(time.Hour)
		w.mustJoinAs(again)
		if diff := cmp.Diff(confirmed, w.mustPlace(e.TokenHash)); diff != "" {
			t.Errorf("confirmed entry after joining again (-want +got):\n%s", diff)
		}
		_, _, err := w.place(t.Context(), again.TokenHash)
		expectNotFound(t, "the token of a repeated form", err)
	}
}

// TestOneMailboxCountsOnce confirms several addresses of one mailbox, which anyone can create without end.
func TestOneMailboxCountsOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	referrer, other := w.mustWait("a@x.com", ""), w.mustWait("other@x.com", "")
	expect := func(when string, want, wantOther int64) {
		t.Helper()
		if got := w.mustPlace(referrer).Referrals; got != want {
			t.Errorf("referrals %s: got %d, want %d", when, got, want)
		}
		if got := w.mustPlace(other).Referrals; got != wantOther {
			t.Errorf("referrals of the other %s: got %d, want %d", when, got, wantOther)
		}
	}
	leave := func(hash []byte) {
		t.Helper()
		if err := w.leave(t.Context(), hash); err != nil {
			t.Fatalf("leave: %v", err)
		}
	}
	w.mustWait("A+1@X.com", "codea@x.com")
	expect("after confirming one's own address with a tag", 0, 0)
	first := w.mustWait("b+1@x.com", "codea@x.com")
	second := w.mustWait("B+2@x.com", "codea@x.com")
	w.mustWait("b@x.com", "codeother@x.com")
	w.mustWait("b.c@gmail.com", "codeother@x.com")
	w.mustWait("bc+x@googlemail.com", "codeother@x.com")
	expect("after confirming five addresses of two mailboxes", 1, 1)
	leave(second)
	expect("after an address that did not count has left", 1, 1)
	leave(first)
	expect("after the address that counted has left", 0, 1)
	w.mustWait("b+3@x.com", "codea@x.com")
	expect("after confirming one more address of the mailbox", 1, 1)
	w.mustWait("ba@x.com", "codea@x.com")
	w.mustWait("ba@y.com", "codea@x.com")
	w.mustWait("+@x.com", "codea@x.com")
	w.mustWait("+1@x.com", "codea@x.com")
	expect("after confirming four other mailboxes", 5, 1)
}

// TestConfirmingOneMailboxAtOnce confirms several addresses of one mailbox in concurrent transactions.
func TestConfirmingOneMailboxAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	referrer := w.mustWait("a@x.com", "")
	var all sync.WaitGroup
	for i := range 8 {
		hash := w.mustJoin(fmt.Sprintf("b+%d@x.com", i), "codea@x.com")
		all.Go(func() {
			if err := w.confirm(t.Context(), hash, w.now); err != nil {
				t.Errorf("confirm address %d: %v", i, err)
			}
		})
	}
	all.Wait()
	if got := w.mustPlace(referrer).Referrals; got != 1 {
		t.Errorf("referrals after confirming eight addresses of a mailbox at once: got %d, want 1", got)
	}
}

func TestNobodyBringsThemselves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	self := w.entry("s@x.com", "")
	w.mustJoinAs(self)
	w.mustJoin("s@x.com", self.ReferralCode)
	w.mustConfirm(self.TokenHash)
	got := w.mustPlace(self.TokenHash)
	if got.Referrals != 0 {
		t.Errorf("referrals after joining by one's own link: got %d, want 0", got.Referrals)
	}
	if got.ReferredBy != "" {
		t.Errorf("referrer after joining by one's own link: got %q, want none", got.ReferredBy)
	}
}

func TestPrune(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	old := w.mustJoin("old@x.com", "")
	kept := w.mustWait("kept@x.com", "codeold@x.com")
	w.now = w.now.Add(unconfirmedKept)
	young := w.mustJoin("young@x.com", "")
	if err := prune(t.Context(), w.db, w.now.Add(time.Second)); err != nil {
		t.Fatalf("prune: %v", err)
	}
	_, _, err := w.place(t.Context(), old)
	expectNotFound(t, "an old unconfirmed entry after pruning", err)
	if got := w.mustPlace(kept).ReferredBy; got != "" {
		t.Errorf("referrer of an entry after the referrer was pruned: got %q, want none", got)
	}
	if got := w.mustPlace(young).Status; got != Unconfirmed {
		t.Errorf("status of a young entry after pruning: got %s, want %s", got, Unconfirmed)
	}
	times, err := w.db.NewSelect().Model((*emailTimeRow)(nil)).Count(t.Context())
	if err != nil || times != 1 {
		t.Errorf("times of emails after pruning: got %d, %v; want the young entry's", times, err)
	}
}
