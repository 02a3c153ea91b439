package waitlist

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
)

func TestInviteNext(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustWait("a@x.com", "")
	w.mustWait("b@x.com", "")
	w.mustWait("c@x.com", "codeb@x.com")
	w.queue.kinds()
	key := core.Idempotency{Caller: "subscriber:1", Key: "k", Route: "POST /x", BodyHash: []byte{1}}
	for _, want := range []core.Creation{core.Created, core.Replayed} {
		invited, creation, err := w.inviteNext(t.Context(), 2, w.now, key)
		if err != nil || creation != want {
			t.Fatalf("invite the next 2: got creation %d, %v; want %d", creation, err, want)
		}
		if got := emailsOf(invited); !slices.Equal(got, []string{"b@x.com", "a@x.com"}) {
			t.Errorf("invited: got %v, want b and a", got)
		}
		for _, e := range invited {
			if e.Status != Invited || e.Position != 0 {
				t.Errorf("%s after the invitation: got %s at position %d, want invited at 0",
					e.Email, e.Status, e.Position)
			}
		}
	}
	w.expectOrder("after inviting the next 2", "c")
	w.expectEmails("after inviting the next 2 twice with one key", emails.Invitation, emails.Invitation)
	if got := emailsOf(w.mustInviteNext(5)); !slices.Equal(got, []string{"c@x.com"}) {
		t.Errorf("invited of one who waits: got %v, want c", got)
	}
	if got := w.mustInviteNext(5); len(got) != 0 {
		t.Errorf("invited when nobody waits: got %v, want nobody", emailsOf(got))
	}
	w.expectEmails("after inviting the last one", emails.Invitation)
}

func TestInviteChosen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustWait("a@x.com", "")
	b := w.mustWait("b@x.com", "")
	w.mustWait("c@x.com", "codeb@x.com")
	w.mustInvite("a@x.com", "b@x.com")
	first := w.now
	w.mustSignIn("b", "b@x.com", core.SignUp{})
	w.queue.kinds()
	w.now = w.now.Add(time.Hour)
	invited := w.mustInvite("new@x.com", "B@x.com", "NEW@x.com", "A@x.com")
	if got := emailsOf(invited); !slices.Equal(got, []string{"new@x.com", "b@x.com", "a@x.com"}) {
		t.Fatalf("invited: got %v, want each address once in the order given", got)
	}
	if got := invited[1].Status; got != Joined {
		t.Errorf("status of a person who has joined: got %s, want %s", got, Joined)
	}
	if got := *invited[2].InvitedAt; !got.Equal(first) {
		t.Errorf("time of the invitation after a second one: got %s, want %s", got, first)
	}
	w.expectEmails("to all who have not joined", emails.Invitation, emails.Invitation)
	if got := w.mustPlace(b); got.Status != Joined || got.Referrals != 1 {
		t.Errorf("b: got %s with %d referrals, want joined with 1", got.Status, got.Referrals)
	}
}

// TestOperatorsInviteAtOnce expects each of those who wait to be invited by one operator.
func TestOperatorsInviteAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const operators, each = 4, 3
	for i := range operators * each {
		w.mustWait(fmt.Sprintf("p%d@x.com", i), "")
	}
	w.queue.kinds()
	seen := map[string]bool{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for range operators {
		all.Go(func() {
			invited, _, err := w.inviteNext(context.Background(), each, w.now, core.Idempotency{})
			mu.Lock()
			defer mu.Unlock()
			if err != nil || len(invited) != each {
				t.Errorf("invite the next %d: got %d, %v", each, len(invited), err)
			}
			for _, e := range invited {
				seen[e.Email] = true
			}
		})
	}
	all.Wait()
	if len(seen) != operators*each {
		t.Errorf("people invited: got %d, want %d", len(seen), operators*each)
	}
	if got := len(w.queue.kinds()); got != operators*each {
		t.Errorf("emails queued: got %d, want %d", got, operators*each)
	}
}

func isUninvited(err error) bool {
	e, ok := errors.AsType[*core.Error](err)
	return ok && e.Reason == "uninvited"
}

func TestSigningUpNeedsAnInvitation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.entry("a@x.com", "")
	w.mustJoinAs(e)
	w.mustInvite("b@x.com", "k@x.com")
	for name, c := range map[string]struct {
		email string
		up    core.SignUp
	}{
		"a stranger":                    {"x@x.com", core.SignUp{}},
		"a person who waits":            {"a@x.com", core.SignUp{}},
		"an invitation before its time": {"x@x.com", core.SignUp{InvitationHash: e.InvitationHash}},
		"the token of the entry":        {"x@x.com", core.SignUp{InvitationHash: e.TokenHash}},
		"a look-alike of k@x.com":       {"\u212a@x.com", core.SignUp{}},
	} {
		if _, err := w.signIn(name, c.email, c.up); !isUninvited(err) {
			t.Errorf("sign up with %s: got error %v, want uninvited", name, err)
		}
	}
	if _, err := w.signIn("b", "B@x.com", core.SignUp{}); err != nil {
		t.Errorf("sign up with an invited address: %v", err)
	}
}

func TestAnInvitationLetsInOnePerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.entry("a@x.com", "")
	w.mustInviteAs(e)
	by := core.SignUp{InvitationHash: e.InvitationHash}
	if _, err := w.signIn("1", "ana@example.com", by); err != nil {
		t.Errorf("sign in to an account by an invitation: %v", err)
	}
	if got := w.mustPlace(e.TokenHash).Status; got != Invited {
		t.Errorf("status after somebody with an account followed the link: got %s, want %s", got, Invited)
	}
	var in, out int
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 5 {
		all.Go(func() {
			_, err := w.signIn(fmt.Sprint("p", i), fmt.Sprintf("p%d@x.com", i), by)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				in++
			} else if isUninvited(err) {
				out++
			}
		})
	}
	all.Wait()
	if in != 1 || out != 4 {
		t.Errorf("five people with one invitation: got %d in and %d refused, want 1 and 4", in, out)
	}
	if got := w.mustPlace(e.TokenHash).Status; got != Joined {
		t.Errorf("status after the sign-up: got %s, want %s", got, Joined)
	}
	expectNotFound(t, "leave after joining", w.leave(t.Context(), e.TokenHash))
	if _, err := w.signIn("1", "ana@example.com", core.SignUp{}); err != nil {
		t.Errorf("sign in to an account: %v", err)
	}
}

// TestSigningUpJoins expects an entry to leave the queue when its address signs up, and to be deleted with the account.
func TestSigningUpJoins(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hash := w.mustWait("bia@x.com", "")
	id := w.mustSignIn("b", "Bia@x.com", core.SignUp{Open: true})
	if e := w.mustPlace(hash); e.Status != Joined || e.Position != 0 {
		t.Errorf("after the sign-up: got %s at position %d, want joined at 0", e.Status, e.Position)
	}
	export, err := w.subscribers.Export(t.Context(), id, w.now)
	if err != nil {
		t.Fatalf("export the account: %v", err)
	}
	if len(export.Waitlist) != 1 {
		t.Fatalf("entries in the export: got %d, want 1", len(export.Waitlist))
	}
	if got := export.Waitlist[0]; got.Email != "bia@x.com" || got.JoinedAt == nil {
		t.Errorf("entry in the export: got %s, joined at %v", got.Email, got.JoinedAt)
	}
	if _, err := w.subscribers.DeleteSubscriber(t.Context(), id, nil, w.now); err != nil {
		t.Fatalf("delete the account: %v", err)
	}
	_, _, err = w.place(t.Context(), hash)
	expectNotFound(t, "the entry of a deleted account", err)
}
