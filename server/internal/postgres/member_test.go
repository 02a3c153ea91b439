package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sininho/sininho/server/internal/core"
)

// unchanged is the Renewal of tests that are not about webhooks.
func unchanged(*core.SealedWebhook) {}

func isLastOwner(err error) bool {
	var e *core.Error
	return errors.As(err, &e) && e.Code == core.CodeConflict && e.Reason == "last_owner"
}

func TestMembers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, rui := w.publisher(t, "metro", "Metro", w.subscriber), w.other(t, "rui")
	w.join(t, "metro", rui, core.RoleEditor)
	m, err := w.MemberByEmail(t.Context(), p.ID, "rUI@example.COM")
	want := core.Member{ID: rui, Name: "rui", Email: "rui@example.com", Role: core.RoleEditor}
	if diff := cmp.Diff(want, m, cmpopts.IgnoreFields(want, "CreatedAt")); err != nil || diff != "" {
		t.Errorf("member with an address: got error %v; (-want +got):\n%s", err, diff)
	}
	w.other(t, "eva")
	for _, email := range []string{"eva@example.com", "nobody@example.com"} {
		_, err := w.MemberByEmail(t.Context(), p.ID, email)
		wantCode(t, "member with the address "+email, err, core.CodeNotFound)
	}
	list, total, err := w.Members(t.Context(), p.ID, core.Page{Limit: 1, Offset: 1})
	if err != nil || total != 2 {
		t.Errorf("members: got a list of %d and error %v, want 2", total, err)
	}
	if len(list) != 1 || list[0].ID != rui {
		t.Errorf("second page of the members: got %+v, want %s", list, rui)
	}
}

func TestHandOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, rui := w.publisher(t, "metro", "Metro", w.subscriber), w.other(t, "rui")
	w.join(t, "metro", rui, core.RoleEditor)
	if _, err := w.RemoveMember(t.Context(), p.ID, w.subscriber, unchanged, false, w.now); !isLastOwner(err) {
		t.Errorf("removal of the only owner: got %v, want last_owner", err)
	}
	if _, err := w.UpdateMember(t.Context(), p.ID, w.subscriber, core.RoleEditor); !isLastOwner(err) {
		t.Errorf("only owner becomes editor: got %v, want last_owner", err)
	}
	if m, err := w.UpdateMember(t.Context(), p.ID, w.subscriber, core.RoleOwner); err != nil ||
		m.Role != core.RoleOwner {
		t.Errorf("only owner stays owner: got %+v and error %v", m, err)
	}
	_, err := w.UpdateMember(t.Context(), p.ID, rui, core.RoleOwner)
	wantCode(t, "editor becomes owner without being asked", err, core.CodeInvalid)
	inv := w.invite(t, p.ID, w.subscriber, "rui@example.com", core.RoleOwner)
	if _, err := w.AcceptInvitation(t.Context(), rui, inv.ID, w.now); err != nil {
		t.Errorf("editor accepts to be an owner: %v", err)
	}
	if m, err := w.UpdateMember(t.Context(), p.ID, w.subscriber, core.RoleEditor); err != nil ||
		m.Role != core.RoleEditor {
		t.Errorf("one of two owners becomes editor: got %+v and error %v", m, err)
	}
	if _, err := w.RemoveMember(t.Context(), p.ID, w.subscriber, unchanged, false, w.now); err != nil {
		t.Errorf("removal of an editor: %v", err)
	}
	_, err = w.RemoveMember(t.Context(), p.ID, w.subscriber, unchanged, false, w.now)
	wantCode(t, "second removal", err, core.CodeNotFound)
	if _, err := w.UpdateMember(t.Context(), p.ID, w.subscriber, core.RoleOwner); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("update of no member: got %v, want CodeNotFound", err)
	}
	if _, err := w.RemoveMember(t.Context(), p.ID, rui, unchanged, false, w.now); !isLastOwner(err) {
		t.Errorf("removal of the new only owner: got %v, want last_owner", err)
	}
}

// TestTwoOwnersCannotGoAtOnce has two owners leave, step down or delete their accounts at the same time.
func TestTwoOwnersCannotGoAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ways := []func(publisher, id core.ID) error{
		func(publisher, id core.ID) error {
			_, err := w.RemoveMember(context.Background(), publisher, id, unchanged, false, w.now)
			return err
		},
		func(publisher, id core.ID) error {
			_, err := w.UpdateMember(context.Background(), publisher, id, core.RoleEditor)
			return err
		},
		func(_, id core.ID) error {
			_, err := w.DeleteSubscriber(context.Background(), id, unchanged, w.now)
			return err
		},
	}
	for i := range 3 * len(ways) {
		slug := fmt.Sprint("p", i)
		first, second := w.other(t, slug+"a"), w.other(t, slug+"b")
		p := w.publisher(t, slug, "P", first)
		w.anyChannel(t, p.ID)
		w.join(t, slug, second, core.RoleOwner)
		errs := make([]error, 2)
		release := w.hold(t, "select from publishers where id = $1 for update", p.ID)
		var both sync.WaitGroup
		both.Go(func() { errs[0] = ways[i%len(ways)](p.ID, first) })
		both.Go(func() { errs[1] = ways[i/len(ways)](p.ID, second) })
		w.waiting(t, 2)
		release()
		both.Wait()
		if (errs[0] == nil) == (errs[1] == nil) || errs[0] != nil && !isLastOwner(errs[0]) ||
			errs[1] != nil && !isLastOwner(errs[1]) {
			t.Errorf("ways %d and %d of leaving: got %v, want one to fail with last_owner", i%len(ways),
				i/len(ways), errs)
		}
		if n := w.count(t, "select count(*) from publisher_members where publisher_id = $1 and role = 'owner'",
			p.ID); n != 1 {
			t.Errorf("owners left: got %d, want 1", n)
		}
	}
}

// TestHandOverToADeletedAccount has a person accept to be the owner while their account is deleted.
func TestHandOverToADeletedAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, rui := w.publisher(t, "metro", "Metro", w.subscriber), w.other(t, "rui")
	w.join(t, "metro", rui, core.RoleEditor)
	inv := w.invite(t, p.ID, w.subscriber, "rui@example.com", core.RoleOwner)
	w.session(t, rui)
	release := w.hold(t, "select from sessions where subscriber_id = $1 for update",
		rui) // where the deletion has seen that they own nothing
	deleted, accepted := make(chan error, 1), make(chan error, 1)
	go func() { deleted <- second(w.DeleteSubscriber(context.Background(), rui, unchanged, w.now)) }()
	w.waiting(t, 1)
	go func() { accepted <- second(w.AcceptInvitation(context.Background(), rui, inv.ID, w.now)) }()
	w.waiting(t, 2)
	release()
	if err := <-deleted; err != nil {
		t.Errorf("deletion of the account: %v", err)
	}
	wantCode(t, "accepting with the deleted account", <-accepted, core.CodeNotFound)
	if n := w.count(t, "select count(*) from publisher_members where publisher_id = $1", p.ID); n != 1 {
		t.Errorf("members left: got %d, want the owner alone", n)
	}
}
