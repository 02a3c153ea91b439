package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

const many = 1_000 // invitations a day

// inviting invites an address and reports whether it is to be emailed.
func (w *world) inviting(
	publisher, inviter core.ID, email string, role core.Role, perDay int,
) (inv core.MembershipInvitation, creation core.Creation, emailed bool, err error) {
	in := core.MembershipInvitation{ID: core.NewID(), PublisherID: publisher, Email: email, Role: role,
		State: core.InvitationPending, InvitedBy: &core.Inviter{ID: inviter}, InvitedAt: w.now,
		ExpiresAt: w.now.Add(core.MembershipInvitationLife)}
	ctx := core.WithOrigin(context.Background(), func() core.Origin { return core.Origin{Network: "192.0.2.1"} })
	inv, creation, err = w.Invite(ctx, in, perDay, core.Idempotency{},
		func(context.Context, postgres.Tx, core.ID) error { emailed = true; return nil })
	return inv, creation, emailed, err
}

func (w *world) invite(
	t *testing.T, publisher, inviter core.ID, email string, role core.Role,
) core.MembershipInvitation {
	t.Helper()
	inv, _, _, err := w.inviting(publisher, inviter, email, role, many)
	succeed(t, "invite "+email, err)
	return inv
}

// invited returns the states of a publisher's invitations by address.
func (w *world) invited(t *testing.T, publisher core.ID) map[string]core.InvitationState {
	t.Helper()
	list, _, err := w.MembershipInvitations(t.Context(), publisher, core.Page{Limit: 100}, w.now)
	succeed(t, "list the invitations", err)
	states := map[string]core.InvitationState{}
	for _, inv := range list {
		states[inv.Email] = inv.State
	}
	return states
}

func (w *world) received(t *testing.T, person core.ID) []core.ReceivedInvitation {
	t.Helper()
	list, total, err := w.ReceivedInvitations(t.Context(), person, core.Page{Limit: 100}, w.now)
	succeed(t, "list the received invitations", err)
	equal(t, "number of received invitations", total, int64(len(list)))
	return list
}

func isEnded(err error) bool {
	var e *core.Error
	return errors.As(err, &e) && e.Code == core.CodeConflict && e.Reason == "invitation_ended"
}

func TestAcceptInvitation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, rui, eva := w.publisher(t, "metro", "Metro", w.subscriber), w.other(t, "rui"), w.other(t, "eva")
	first, creation, emailed, err := w.inviting(p.ID, w.subscriber, "rui@example.com", core.RoleOwner, many)
	succeed(t, "invite", err)
	equal(t, "result of inviting", creation, core.Created)
	equal(t, "a first invitation is emailed", emailed, true)
	w.now = w.now.Add(time.Hour)
	inv, creation, emailed, err := w.inviting(p.ID, w.subscriber, "rui@example.com", core.RoleEditor, many)
	succeed(t, "invite again", err)
	equal(t, "result of inviting again", creation, core.Existing)
	equal(t, "an invitation is emailed again within a day", emailed, false)
	wantCode(t, "accepting a role that is no longer offered",
		second(w.AcceptInvitation(t.Context(), rui, first.ID, w.now)), core.CodeNotFound)
	again, _, _, err := w.inviting(p.ID, w.subscriber, "rui@example.com", core.RoleEditor, many)
	succeed(t, "renew the invitation", err)
	equal(t, "id of a renewed invitation to the same role", again.ID, inv.ID)
	want := core.MembershipInvitation{ID: inv.ID, PublisherID: p.ID, Email: "rui@example.com", Role: core.RoleEditor,
		State: core.InvitationPending, InvitedAt: w.now, ExpiresAt: w.now.Add(core.MembershipInvitationLife),
		InvitedBy: &core.Inviter{ID: w.subscriber, Name: "Ana", Email: "ana@example.com"}}
	equalTimes := cmpopts.EquateApproxTime(0)
	if diff := cmp.Diff(want, inv, equalTimes); diff != "" {
		t.Errorf("renewed invitation (-want +got):\n%s", diff)
	}
	received := w.received(t, rui)
	if len(received) != 1 || received[0].Publisher.Slug != "metro" || received[0].Publisher.Role != "" ||
		!cmp.Equal(want, received[0].MembershipInvitation, equalTimes) {
		t.Errorf("received invitations: got %+v, want the one to metro", received)
	}
	equal(t, "invitations that another person receives", len(w.received(t, eva)), 0)
	wantCode(t, "accepting another person's invitation", second(w.AcceptInvitation(t.Context(), eva, inv.ID, w.now)),
		core.CodeNotFound)
	wantCode(t, "declining another person's invitation", w.DeclineInvitation(t.Context(), eva, inv.ID, w.now),
		core.CodeNotFound)
	for range 2 {
		accepted, err := w.AcceptInvitation(t.Context(), rui, inv.ID, w.now)
		if err != nil || accepted.Slug != "metro" || accepted.Role != core.RoleEditor {
			t.Errorf("accepting: got %+v and error %v, want metro as an editor", accepted, err)
		}
	}
	equal(t, "states after accepting", w.invited(t, p.ID),
		map[string]core.InvitationState{"rui@example.com": core.InvitationAccepted})
	equal(t, "received invitations after accepting", len(w.received(t, rui)), 0)
	must(w.RemoveMember(t.Context(), p.ID, rui, unchanged, false, w.now))
	if _, err := w.AcceptInvitation(t.Context(), rui, inv.ID, w.now); !isEnded(err) {
		t.Errorf("accepting again after having been removed: got %v, want invitation_ended", err)
	}
}

func TestEndedInvitations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rui := w.other(t, "rui")
	for name, end := range map[string]func(p, id core.ID){
		"declined": func(_, id core.ID) {
			for range 2 {
				succeed(t, "decline", w.DeclineInvitation(t.Context(), rui, id, w.now))
			}
		},
		"withdrawn": func(p, id core.ID) {
			for range 2 {
				succeed(t, "withdraw", w.WithdrawInvitation(t.Context(), p, id))
			}
		},
		"expired": func(core.ID, core.ID) { w.now = w.now.Add(core.MembershipInvitationLife) },
	} {
		p := w.publisher(t, name, "P", w.subscriber)
		inv := w.invite(t, p.ID, w.subscriber, "rui@example.com", core.RoleEditor)
		end(p.ID, inv.ID)
		if _, err := w.AcceptInvitation(t.Context(), rui, inv.ID, w.now); !isEnded(err) {
			t.Errorf("accepting an invitation that is %s: got %v, want invitation_ended", name, err)
		}
		if err := w.DeclineInvitation(t.Context(), rui, inv.ID, w.now); (name == "declined") != (err == nil) ||
			err != nil && !isEnded(err) {
			t.Errorf("declining an invitation that is %s: got %v", name, err)
		}
		equal(t, "state of the invitation", w.invited(t, p.ID)["rui@example.com"], core.InvitationState(name))
		again, creation, _, err := w.inviting(p.ID, w.subscriber, "rui@example.com", core.RoleEditor, many)
		if err != nil || creation != core.Created {
			t.Errorf("inviting again after %s: got %v and error %v, want %v", name, creation, err, core.Created)
		}
		equal(t, "received invitations after another one", len(w.received(t, rui)), 1)
		must(w.AcceptInvitation(t.Context(), rui, again.ID, w.now))
		wantCode(t, "withdrawing an accepted invitation", w.WithdrawInvitation(t.Context(), p.ID, inv.ID),
			core.CodeConflict)
		if err := w.DeclineInvitation(t.Context(), rui, inv.ID, w.now); !isEnded(err) {
			t.Errorf("declining an accepted invitation: got %v, want invitation_ended", err)
		}
	}
	other := w.publisher(t, "outro", "Outro", w.subscriber)
	inv := w.invite(t, w.publisher(t, "terceiro", "T", w.subscriber).ID, w.subscriber, "rui@example.com",
		core.RoleEditor)
	wantCode(t, "withdrawing another publisher's invitation", w.WithdrawInvitation(t.Context(), other.ID, inv.ID),
		core.CodeNotFound)
}

func TestInviteMembers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, rui := w.publisher(t, "metro", "Metro", w.subscriber), w.other(t, "rui")
	w.join(t, "metro", rui, core.RoleEditor)
	for email, role := range map[string]core.Role{"ana@example.com": core.RoleEditor, "rui@example.com": core.RoleEditor} {
		_, _, _, err := w.inviting(p.ID, w.subscriber, email, role, many)
		wantCode(t, "inviting a member with this role or more, "+email, err, core.CodeConflict)
	}
	_, _, _, err := w.inviting(p.ID, rui, "eva@example.com", core.RoleEditor, many)
	wantCode(t, "invitation by an editor", err, core.CodeNotFound)
	inv := w.invite(t, p.ID, w.subscriber, "rui@example.com", core.RoleOwner)
	must(w.AcceptInvitation(t.Context(), rui, inv.ID, w.now))
	// The same person is invited as an editor at another address, which they have from now on.
	inv = w.invite(t, p.ID, w.subscriber, "rui2@example.com", core.RoleEditor)
	w.execute(t, "update subscribers set email = 'rui2@example.com' where id = $1", rui)
	accepted, err := w.AcceptInvitation(t.Context(), rui, inv.ID, w.now)
	if err != nil || accepted.Role != core.RoleOwner {
		t.Errorf("owner who accepts to be an editor: got role %q and error %v, want to stay an owner", accepted.Role, err)
	}
}

// TestAddressesOfInvitations checks whose the invitations to an address are.
func TestAddressesOfInvitations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.publisher(t, "metro", "Metro", w.subscriber)
	inv := w.invite(t, p.ID, w.subscriber, "kim@example.com", core.RoleOwner)
	signIn := func(subject, email string) core.ID {
		w.now = w.now.Add(time.Second)
		return must(w.SignIn(t.Context(), core.Profile{Subject: subject, Email: email, Name: "Kim", Locale: "pt"},
			core.SignUp{Open: true}, w.now)).ID
	}
	lookAlike := signIn("1k", "\u212aim@example.com") // a Kelvin sign
	equal(t, "invitations to a look-alike of the address", len(w.received(t, lookAlike)), 0)
	before := signIn("2k", "KIM@Example.com")
	equal(t, "invitations to the address in capital letters", len(w.received(t, before)), 1)
	now := signIn("3k", "kim@example.com")
	equal(t, "invitations to somebody whose address has gone to another person", len(w.received(t, before)), 0)
	wantCode(t, "accepting with an address that has gone to another person",
		second(w.AcceptInvitation(t.Context(), before, inv.ID, w.now)), core.CodeNotFound)
	signIn("2k", "KIM@Example.com")
	equal(t, "invitations to somebody whose address is theirs again", len(w.received(t, before)), 1)
	equal(t, "invitations to who had it meanwhile", len(w.received(t, now)), 0)
	signIn("3k", "kim@example.com")
	must(w.AcceptInvitation(t.Context(), now, inv.ID, w.now))
}

func TestLimitsOfInvitations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, rui := w.publisher(t, "metro", "Metro", w.subscriber), w.other(t, "rui")
	w.join(t, "metro", rui, core.RoleOwner)
	limited := func(what string, publisher, inviter core.ID, email string, want core.Code) {
		t.Helper()
		_, _, _, err := w.inviting(publisher, inviter, email, core.RoleEditor, 3)
		wantCode(t, what, err, want)
		var e *core.Error
		if errors.As(err, &e) && (e.RetryAfter <= 0 || e.RetryAfter > core.InvitationDay) {
			t.Errorf("%s: got %s to wait, want at most a day", what, e.RetryAfter)
		}
	}
	for i := range 3 {
		limited("invitation within the limit", p.ID, w.subscriber, fmt.Sprintf("%d@example.com", i), "")
		w.now = w.now.Add(time.Minute)
	}
	limited("renewal at the limit", p.ID, w.subscriber, "0@example.com", "")
	limited("invitation beyond the limit of the publisher", p.ID, rui, "3@example.com", core.CodeRateLimited)
	other := w.publisher(t, "outro", "Outro", w.subscriber)
	limited("invitation beyond the limit of the person", other.ID, w.subscriber, "3@example.com", core.CodeRateLimited)
	equal(t, "invitations that were refused", len(w.invited(t, other.ID)), 0)
	must(w.RemoveMember(t.Context(), p.ID, rui, unchanged, false, w.now))
	succeed(t, "delete the publisher", w.DeletePublisher(t.Context(), p.ID, nil))
	limited("invitation after the publisher was deleted", other.ID, w.subscriber, "3@example.com", core.CodeRateLimited)
	succeed(t, "prune", w.Prune(t.Context(), w.now))
	limited("invitation after pruning", other.ID, w.subscriber, "3@example.com", core.CodeRateLimited)
	w.now = w.now.Add(core.InvitationDay)
	limited("invitation on the next day", other.ID, w.subscriber, "3@example.com", "")
	succeed(t, "prune", w.Prune(t.Context(), w.now))
	equal(t, "times that are kept for more than a day", w.count(t, "select count(*) from invitation_times"), 1)
}

// TestInvitingAtOnce has a person invite for two publishers at the same time, of whom the limit allows one.
func TestInvitingAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var both sync.WaitGroup
	errs := make([]error, 2)
	publishers := []core.ID{w.publisher(t, "a", "A", w.subscriber).ID, w.publisher(t, "b", "B", w.subscriber).ID}
	release := w.hold(t, "select from subscribers where id = $1 for update", w.subscriber)
	for i, p := range publishers {
		both.Go(func() { _, _, _, errs[i] = w.inviting(p, w.subscriber, "rui@example.com", core.RoleEditor, 1) })
	}
	w.waiting(t, 2)
	release()
	both.Wait()
	if (errs[0] == nil) == (errs[1] == nil) {
		t.Errorf("two invitations at once where one is allowed: got %v", errs)
	}
}

func TestEmailsOfInvitations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, rui := w.publisher(t, "metro", "Metro", w.subscriber), w.other(t, "rui")
	emails := func(what string, publisher core.ID, want bool) core.MembershipInvitation {
		t.Helper()
		inv, _, emailed, err := w.inviting(publisher, w.subscriber, "rui@example.com", core.RoleEditor, many)
		succeed(t, what, err)
		equal(t, what+" is emailed", emailed, want)
		return inv
	}
	inv := emails("first invitation", p.ID, true)
	succeed(t, "withdraw", w.WithdrawInvitation(t.Context(), p.ID, inv.ID))
	emails("invitation after it was withdrawn", p.ID, false)
	w.now = w.now.Add(core.InvitationDay)
	emails("renewal on the next day", p.ID, true)
	succeed(t, "decline", w.DeclineInvitation(t.Context(), rui, inv.ID, w.now))
	for range 2 {
		w.now = w.now.Add(core.InvitationDay)
		emails("invitation after it was declined", p.ID, false)
	}
	for i := range 6 { // each counts, and the one that was declined too
		slug := fmt.Sprint("p", i)
		emails("invitation of "+slug, w.publisher(t, slug, "P", w.subscriber).ID, i < 4)
	}
}

// TestInvitationsOfOneNetwork has two people of one network invite, who together may ask for three emails.
func TestInvitationsOfOneNetwork(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.EmailsPerNetwork = 3
	rui := w.other(t, "rui")
	for i := range 5 {
		inviter := []core.ID{w.subscriber, rui}[i%2]
		p := w.publisher(t, fmt.Sprint("p", i), "P", inviter)
		_, _, emailed, err := w.inviting(p.ID, inviter, fmt.Sprintf("a%d@example.com", i), core.RoleEditor, many)
		if i < 3 {
			succeed(t, "invite", err)
			equal(t, "emailed", emailed, true)
			continue
		}
		wantCode(t, "an invitation too many", err, core.CodeRateLimited)
	}
}

// TestEmailsToOneMailbox invites addresses that lead to the same mailbox.
func TestEmailsToOneMailbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.publisher(t, "metro", "Metro", w.subscriber)
	for i := range 8 {
		_, _, emailed, err := w.inviting(p.ID, w.subscriber, fmt.Sprintf("rui+%d@example.com", i), core.RoleEditor, many)
		succeed(t, "invite", err)
		equal(t, fmt.Sprintf("invitation %d is emailed", i), emailed, i < 5)
	}
}

// TestAFormerOwnersInvitations expects the invitations by somebody who no longer owns the publisher to end, so that
// nobody can prepare to come back.
func TestAFormerOwnersInvitations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	eva := w.other(t, "eva")
	for name, leave := range map[string]func(p, id core.ID) error{
		"removed": func(p, id core.ID) error {
			return second(w.RemoveMember(t.Context(), p, id, unchanged, false, w.now))
		},
		"demoted": func(p, id core.ID) error {
			return second(w.UpdateMember(t.Context(), p, id, core.RoleEditor))
		},
		"deleted": func(_, id core.ID) error { return second(w.DeleteSubscriber(t.Context(), id, unchanged, w.now)) },
	} {
		p, rui := w.publisher(t, name, "P", w.subscriber), w.other(t, name)
		w.join(t, name, rui, core.RoleOwner)
		inv := w.invite(t, p.ID, rui, "eva@example.com", core.RoleOwner)
		w.invite(t, p.ID, w.subscriber, "lia@example.com", core.RoleOwner)
		elsewhere := w.publisher(t, name+"-2", "P", w.subscriber)
		w.join(t, name+"-2", rui, core.RoleOwner)
		w.invite(t, elsewhere.ID, rui, "lia@example.com", core.RoleOwner)
		succeed(t, "an owner is "+name, leave(p.ID, rui))
		equal(t, "states after an owner is "+name, w.invited(t, p.ID), map[string]core.InvitationState{
			"eva@example.com": core.InvitationWithdrawn, "lia@example.com": core.InvitationPending})
		if _, err := w.AcceptInvitation(t.Context(), eva, inv.ID, w.now); !isEnded(err) {
			t.Errorf("accepting after the inviter was %s: got %v, want invitation_ended", name, err)
		}
		want := core.InvitationPending
		if name == "deleted" {
			want = core.InvitationWithdrawn
		}
		equal(t, "state at another publisher after an owner is "+name, w.invited(t, elsewhere.ID)["lia@example.com"], want)
	}
}

// TestInvitingWhileBeingRemoved removes an owner while they invite.
func TestInvitingWhileBeingRemoved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, rui := w.publisher(t, "metro", "Metro", w.subscriber), w.other(t, "rui")
	w.join(t, "metro", rui, core.RoleOwner)
	release := w.hold(t, "select from publishers where id = $1 for update", p.ID)
	removed, invited := make(chan error, 1), make(chan error, 1)
	go func() { removed <- second(w.RemoveMember(context.Background(), p.ID, rui, unchanged, false, w.now)) }()
	w.waiting(t, 1)
	go func() {
		_, _, _, err := w.inviting(p.ID, rui, "eva@example.com", core.RoleOwner, many)
		invited <- err
	}()
	w.waiting(t, 2)
	release()
	succeed(t, "remove the owner", <-removed)
	wantCode(t, "inviting while being removed", <-invited, core.CodeNotFound)
	equal(t, "invitations by the removed owner", len(w.invited(t, p.ID)), 0)
}

// TestAnswersAtOnce gives two answers to an invitation at the same time.
func TestAnswersAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	accept := func(_, person, id core.ID) error {
		return second(w.AcceptInvitation(context.Background(), person, id, w.now))
	}
	for name, other := range map[string]func(p, person, id core.ID) error{
		"accepted": accept,
		"declined": func(_, person, id core.ID) error {
			return w.DeclineInvitation(context.Background(), person, id, w.now)
		},
		"withdrawn": func(p, _, id core.ID) error { return w.WithdrawInvitation(context.Background(), p, id) },
	} {
		p, rui := w.publisher(t, name, "P", w.subscriber), w.other(t, name)
		inv := w.invite(t, p.ID, w.subscriber, name+"@example.com", core.RoleOwner)
		release := w.hold(t, "select from publishers where id = $1 for update", p.ID)
		errs := make([]error, 2)
		var both sync.WaitGroup
		both.Go(func() { errs[0] = accept(p.ID, rui, inv.ID) })
		both.Go(func() { errs[1] = other(p.ID, rui, inv.ID) })
		w.waiting(t, 2)
		release()
		both.Wait()
		members := w.count(t, "select count(*) from publisher_members where publisher_id = $1 and subscriber_id = $2",
			p.ID, rui)
		equal(t, "memberships of one who accepted", members == 1, errs[0] == nil)
		switch state := w.invited(t, p.ID)[name+"@example.com"]; {
		case name == "accepted":
			equal(t, "errors of accepting twice at once", errs, []error{nil, nil})
		case (errs[0] == nil) == (errs[1] == nil), (state == core.InvitationAccepted) != (errs[0] == nil):
			t.Errorf("accepting and %s at once: got errors %v and state %s, want one to succeed", name, errs, state)
		}
	}
}

// TestDeletedAccountsAndInvitations expects what waits for an address to stay when its account is deleted, because its
// disappearance would reveal that there was one, and what the person answered to go.
func TestDeletedAccountsAndInvitations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, rui := w.publisher(t, "metro", "Metro", w.subscriber), w.other(t, "rui")
	q := w.publisher(t, "outro", "Outro", w.subscriber)
	w.invite(t, p.ID, w.subscriber, "rui@example.com", core.RoleEditor)
	declined := w.invite(t, q.ID, w.subscriber, "rui@example.com", core.RoleEditor)
	succeed(t, "decline", w.DeclineInvitation(t.Context(), rui, declined.ID, w.now))
	e := must(w.Export(t.Context(), rui, w.now))
	states := map[string]core.InvitationState{}
	for _, inv := range e.Invitations {
		states[inv.Publisher.Slug] = inv.State
	}
	equal(t, "exported invitations", states, map[string]core.InvitationState{
		"metro": core.InvitationPending, "outro": core.InvitationDeclined})
	must(w.DeleteSubscriber(t.Context(), rui, unchanged, w.now))
	equal(t, "waiting invitation after the account was deleted", w.invited(t, p.ID),
		map[string]core.InvitationState{"rui@example.com": core.InvitationPending})
	equal(t, "declined invitations after the account was deleted", len(w.invited(t, q.ID)), 0)
	succeed(t, "delete the publisher", w.DeletePublisher(t.Context(), p.ID, nil))
	equal(t, "invitations of a deleted publisher", w.count(t, "select count(*) from membership_invitations"), 0)
}

func TestPruneInvitations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.publisher(t, "metro", "Metro", w.subscriber)
	inv := w.invite(t, p.ID, w.subscriber, "rui@example.com", core.RoleEditor)
	succeed(t, "prune", w.Prune(t.Context(), inv.ExpiresAt.Add(core.InvitationsKept)))
	equal(t, "invitations before the end of their time", w.count(t, "select count(*) from membership_invitations"), 1)
	succeed(t, "prune", w.Prune(t.Context(), inv.ExpiresAt.Add(core.InvitationsKept+time.Second)))
	equal(t, "invitations after their time", w.count(t, "select count(*) from membership_invitations"), 0)
}
