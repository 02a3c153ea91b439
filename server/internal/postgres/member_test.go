package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sininho/sininho/server/internal/core"
)

func isLastOwner(err error) bool {
	var e *core.Error
	return errors.As(err, &e) && e.Code == core.CodeConflict && e.Reason == "last_owner"
}

func TestAddMember(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.publisher(t, "metro", "Metro", w.subscriber)
	w.other(t, "rui")
	// The address has gone to someone else since.
	w.now = w.now.Add(1)
	latest := must(
		w.SignIn(t.Context(), core.Profile{
			Subject: "2", Email: "Rui@Example.com", Name: "Rui", Avatar: "https://example.com/r.png", Locale: "pt",
		}, core.SignUp{Open: true}, w.now.Add(1e9)),
	).ID
	rui := core.Member{ID: latest, Name: "Rui", Email: "Rui@Example.com", Avatar: "https://example.com/r.png",
		Role: core.RoleEditor}
	key := core.Idempotency{Caller: "subscriber:1", Key: "k", Route: "POST /members", BodyHash: []byte{1}}
	for i, want := range []core.Creation{core.Created, core.Replayed} {
		m, creation, err := w.AddMember(t.Context(), p.ID, "rUI@example.COM", core.RoleEditor, w.now, key)
		if err != nil || creation != want {
			t.Errorf("request %d: got creation %v and error %v, want %v", i, creation, err, want)
		}
		if diff := cmp.Diff(rui, m, cmpopts.IgnoreFields(rui, "CreatedAt")); diff != "" {
			t.Errorf("member of request %d (-want +got):\n%s", i, diff)
		}
	}
	m, creation, err := w.AddMember(t.Context(), p.ID, "rui@example.com", core.RoleOwner, w.now, core.Idempotency{})
	if err != nil || creation != core.Existing {
		t.Errorf("adding a member: got creation %v and error %v, want %v", creation, err, core.Existing)
	}
	if m.ID != latest || m.Role != core.RoleEditor {
		t.Errorf("adding a member: got %+v, want %s as editor", m, latest)
	}
	_, _, err = w.AddMember(t.Context(), p.ID, "eva@example.com", core.RoleEditor, w.now, core.Idempotency{})
	var e *core.Error
	if !errors.As(err, &e) || e.Code != core.CodeInvalid {
		t.Fatalf("adding an unknown person: got %v, want CodeInvalid", err)
	}
	if f := e.Fields[0]; f.Pointer != "#/email" || f.Code != "unknown" {
		t.Errorf("fault of an unknown person: got %+v, want unknown at #/email", f)
	}
	if _, _, err := w.AddMember(t.Context(), core.NewID(), "rui@example.com", core.RoleEditor, w.now,
		core.Idempotency{}); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("adding to no publisher: got %v, want CodeNotFound", err)
	}
	list, total, err := w.Members(t.Context(), p.ID, core.Page{Limit: 1, Offset: 1})
	if err != nil || total != 2 {
		t.Errorf("members: got a list of %d and error %v, want 2", total, err)
	}
	if len(list) != 1 || list[0].ID != latest {
		t.Errorf("second page of the members: got %+v, want %s", list, latest)
	}
}

func TestHandOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, rui := w.publisher(t, "metro", "Metro", w.subscriber), w.other(t, "rui")
	w.join(t, "metro", rui, core.RoleEditor)
	if err := w.RemoveMember(t.Context(), p.ID, w.subscriber); !isLastOwner(err) {
		t.Errorf("removal of the only owner: got %v, want last_owner", err)
	}
	if _, err := w.UpdateMember(t.Context(), p.ID, w.subscriber, core.RoleEditor); !isLastOwner(err) {
		t.Errorf("only owner becomes editor: got %v, want last_owner", err)
	}
	if m, err := w.UpdateMember(t.Context(), p.ID, w.subscriber, core.RoleOwner); err != nil ||
		m.Role != core.RoleOwner {
		t.Errorf("only owner stays owner: got %+v and error %v", m, err)
	}
	if m, err := w.UpdateMember(t.Context(), p.ID, rui, core.RoleOwner); err != nil || m.ID != rui ||
		m.Role != core.RoleOwner {
		t.Errorf("editor becomes owner: got %+v and error %v", m, err)
	}
	if m, err := w.UpdateMember(t.Context(), p.ID, w.subscriber, core.RoleEditor); err != nil ||
		m.Role != core.RoleEditor {
		t.Errorf("one of two owners becomes editor: got %+v and error %v", m, err)
	}
	if err := w.RemoveMember(t.Context(), p.ID, w.subscriber); err != nil {
		t.Errorf("removal of an editor: %v", err)
	}
	if err := w.RemoveMember(t.Context(), p.ID, w.subscriber); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("second removal: got %v, want CodeNotFound", err)
	}
	if _, err := w.UpdateMember(t.Context(), p.ID, w.subscriber, core.RoleOwner); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("update of no member: got %v, want CodeNotFound", err)
	}
	if err := w.RemoveMember(t.Context(), p.ID, rui); !isLastOwner(err) {
		t.Errorf("removal of the new only owner: got %v, want last_owner", err)
	}
}

// TestTwoOwnersCannotGoAtOnce has two owners leave, step down or delete their accounts at the same time.
func TestTwoOwnersCannotGoAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ways := []func(publisher, id core.ID) error{
		func(publisher, id core.ID) error { return w.RemoveMember(context.Background(), publisher, id) },
		func(publisher, id core.ID) error {
			_, err := w.UpdateMember(context.Background(), publisher, id, core.RoleEditor)
			return err
		},
		func(_, id core.ID) error {
			_, err := w.DeleteSubscriber(context.Background(), id)
			return err
		},
	}
	for i := range 3 * len(ways) {
		slug := fmt.Sprint("p", i)
		first, second := w.other(t, slug+"a"), w.other(t, slug+"b")
		p := w.publisher(t, slug, "P", first)
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

// TestHandOverToADeletedAccount makes a person the owner while their account is deleted.
func TestHandOverToADeletedAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, rui := w.publisher(t, "metro", "Metro", w.subscriber), w.other(t, "rui")
	w.join(t, "metro", rui, core.RoleEditor)
	w.session(t, rui)
	release := w.hold(t, "select from sessions where subscriber_id = $1 for update",
		rui) // where the deletion has seen that they own nothing
	deleted, handed := make(chan error, 1), make(chan error, 1)
	go func() { deleted <- second(w.DeleteSubscriber(context.Background(), rui)) }()
	w.waiting(t, 1)
	go func() { handed <- second(w.UpdateMember(context.Background(), p.ID, rui, core.RoleOwner)) }()
	for len(handed) == 0 && w.count(t,
		"select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") < 2 {
		runtime.Gosched()
	}
	release()
	if err := <-deleted; err != nil {
		t.Errorf("deletion of the account: %v", err)
	}
	if err := <-handed; !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("making the deleted account an owner: got %v, want CodeNotFound", err)
	}
	if _, _, err := w.AddMember(t.Context(), p.ID, "rui@example.com", core.RoleOwner, w.now,
		core.Idempotency{}); !core.IsCode(err, core.CodeInvalid) {
		t.Errorf("adding the deleted account: got %v, want CodeInvalid", err)
	}
}
