package waitlist

import (
	"errors"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
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
	w.expectEmails("after joining twice at once", Confirmation)
	later := func() { w.now = w.now.Add(emailsApart) }
	later()
	w.mustJoin("rui@x.com", "")
	w.expectEmails("after joining again later", Confirmation)
	w.mustConfirm(hash)
	later()
	w.mustJoin("rui@x.com", "")
	w.expectEmails("after joining with a confirmed address", Position)
	w.mustJoin("ANA@example.com", "")
	w.expectEmails("after joining with an account's address", Account)
	later()
	w.mustInviteNext(1)
	w.expectEmails("after an invitation", Invitation)
	w.mustJoin("rui@x.com", "")
	w.expectEmails("after joining with an invited address", Invitation)
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

func TestJoiningAgainReplacesAnUnconfirmedEntry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustWait("a@x.com", "")
	e := w.entry("b@x.com", "")
	e.Name, e.Locale = "Bia", "en"
	w.mustJoinAs(e)
	w.now = w.now.Add(time.Hour)
	second := w.now
	again := w.entry("b@x.com", "codea@x.com")
	w.mustJoinAs(again)
	got := w.mustPlace(e.TokenHash)
	if got.Name != "Bia" {
		t.Errorf("name after joining again without one: got %q, want Bia", got.Name)
	}
	if got.Locale != "pt" {
		t.Errorf("locale after joining again: got %q, want pt", got.Locale)
	}
	if got.ReferredBy != "a@x.com" {
		t.Errorf("referrer after joining again: got %q, want a@x.com", got.ReferredBy)
	}
	if !got.CreatedAt.Equal(second) {
		t.Errorf("time of joining after joining again: got %s, want %s", got.CreatedAt, second)
	}
	w.mustConfirm(e.TokenHash)
	w.now = w.now.Add(time.Hour)
	again.Name = "Someone else"
	w.mustJoinAs(again)
	got = w.mustPlace(e.TokenHash)
	if got.Name != "Bia" {
		t.Errorf("name of a confirmed entry after joining again: got %q, want Bia", got.Name)
	}
	if !got.CreatedAt.Equal(second) {
		t.Errorf("time of joining of a confirmed entry: got %s, want %s", got.CreatedAt, second)
	}
	_, _, err := w.place(t.Context(), again.TokenHash)
	expectNotFound(t, "the token of a repeated form", err)
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
