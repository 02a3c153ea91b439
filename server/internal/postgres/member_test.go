package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"

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
	latest := must(w.SignIn(t.Context(), core.Profile{Subject: "2", Email: "Rui@Example.com", Name: "Rui", Avatar: "https://example.com/r.png", Locale: "pt"}, core.SignUp{Open: true}, w.now.Add(1e9))).ID
	key := core.Idempotency{Caller: "subscriber:1", Key: "k", Route: "POST /members", BodyHash: []byte{1}}
	for i, want := range []core.Creation{core.Created, core.Replayed} {
		m, creation, err := w.AddMember(t.Context(), p.ID, "rUI@example.COM", core.RoleEditor, w.now, key)
		if err != nil || creation != want || m.ID != latest || m.Name != "Rui" || m.Email != "Rui@Example.com" || m.Avatar == "" || m.Role != core.RoleEditor {
			t.Errorf("%d: %+v %v %v", i, m, creation, err)
		}
	}
	m, creation, err := w.AddMember(t.Context(), p.ID, "rui@example.com", core.RoleOwner, w.now, core.Idempotency{})
	if err != nil || creation != core.Existing || m.ID != latest || m.Role != core.RoleEditor {
		t.Errorf("again: %+v %v %v", m, creation, err)
	}
	_, _, err = w.AddMember(t.Context(), p.ID, "eva@example.com", core.RoleEditor, w.now, core.Idempotency{})
	var e *core.Error
	if !errors.As(err, &e) || e.Code != core.CodeInvalid || e.Fields[0].Pointer != "#/email" || e.Fields[0].Code != "unknown" {
		t.Errorf("unknown: %v", err)
	}
	if _, _, err := w.AddMember(t.Context(), core.NewID(), "rui@example.com", core.RoleEditor, w.now, core.Idempotency{}); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("of no publisher: %v", err)
	}
	list, total, err := w.Members(t.Context(), p.ID, core.Page{Limit: 1, Offset: 1})
	if err != nil || total != 2 || len(list) != 1 || list[0].ID != latest {
		t.Errorf("%+v of %d: %v", list, total, err)
	}
}

func TestHandOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, rui := w.publisher(t, "metro", "Metro", w.subscriber), w.other(t, "rui")
	w.join(t, "metro", rui, core.RoleEditor)
	if err := w.RemoveMember(t.Context(), p.ID, w.subscriber); !isLastOwner(err) {
		t.Errorf("leaving: %v", err)
	}
	if _, err := w.UpdateMember(t.Context(), p.ID, w.subscriber, core.RoleEditor); !isLastOwner(err) {
		t.Errorf("stepping down: %v", err)
	}
	if m, err := w.UpdateMember(t.Context(), p.ID, w.subscriber, core.RoleOwner); err != nil || m.Role != core.RoleOwner {
		t.Errorf("staying: %+v %v", m, err)
	}
	if m, err := w.UpdateMember(t.Context(), p.ID, rui, core.RoleOwner); err != nil || m.ID != rui || m.Role != core.RoleOwner {
		t.Errorf("%+v %v", m, err)
	}
	if m, err := w.UpdateMember(t.Context(), p.ID, w.subscriber, core.RoleEditor); err != nil || m.Role != core.RoleEditor {
		t.Errorf("%+v %v", m, err)
	}
	for _, want := range []core.Code{"", core.CodeNotFound} {
		if err := w.RemoveMember(t.Context(), p.ID, w.subscriber); want == "" && err != nil || want != "" && !core.IsCode(err, want) {
			t.Errorf("leaving: %v, want %q", err, want)
		}
	}
	if _, err := w.UpdateMember(t.Context(), p.ID, w.subscriber, core.RoleOwner); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("no member: %v", err)
	}
	if err := w.RemoveMember(t.Context(), p.ID, rui); !isLastOwner(err) {
		t.Errorf("the other: %v", err)
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
		if (errs[0] == nil) == (errs[1] == nil) || errs[0] != nil && !isLastOwner(errs[0]) || errs[1] != nil && !isLastOwner(errs[1]) {
			t.Errorf("%d and %d: %v", i%len(ways), i/len(ways), errs)
		}
		if n := w.count(t, "select count(*) from publisher_members where publisher_id = $1 and role = 'owner'", p.ID); n != 1 {
			t.Errorf("%d owners", n)
		}
	}
}

// TestNobodyIsHandedWhoIsLeaving makes a person the owner while their account is deleted.
func TestNobodyIsHandedWhoIsLeaving(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, rui := w.publisher(t, "metro", "Metro", w.subscriber), w.other(t, "rui")
	w.join(t, "metro", rui, core.RoleEditor)
	w.session(t, rui)
	release := w.hold(t, "select from sessions where subscriber_id = $1 for update", rui) // where the deletion has seen that they own nothing
	deleted, handed := make(chan error, 1), make(chan error, 1)
	go func() { deleted <- second(w.DeleteSubscriber(context.Background(), rui)) }()
	w.waiting(t, 1)
	go func() { handed <- second(w.UpdateMember(context.Background(), p.ID, rui, core.RoleOwner)) }()
	for len(handed) == 0 && w.count(t, "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") < 2 {
		runtime.Gosched()
	}
	release()
	if err := <-deleted; err != nil {
		t.Error(err)
	}
	if err := <-handed; !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("handed over: %v", err)
	}
	if _, _, err := w.AddMember(t.Context(), p.ID, "rui@example.com", core.RoleOwner, w.now, core.Idempotency{}); !core.IsCode(err, core.CodeInvalid) {
		t.Errorf("added: %v", err)
	}
}
