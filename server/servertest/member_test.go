package servertest_test

import (
	"net/http"
	"testing"

	"github.com/sininho/sininho/server/internal/check"
	"github.com/sininho/sininho/server/servertest"
)

type member struct{ ID, Name, Email, Role string }

func TestMembers(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	rui := s.SignIn(t, "rui@example.com")
	eva := s.SignIn(t, "eva@example.com")
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	const path = "/publishers/eletrico/members"
	var me struct{ ID string }
	ana.Do(http.MethodGet, "/subscribers/me", nil, 200, &me)

	var added, again member
	body := object{"email": "RUI@example.com", "role": "editor"}
	a := send(t, ana, http.MethodPost, path, body, 201, &added, "Idempotency-Key", "k")
	a.wantHeader("Location", "/api/v1"+path+"/"+added.ID)
	check.Equal(t, "new member", added,
		member{ID: added.ID, Name: added.Name, Email: "rui@example.com", Role: "editor"})
	if added.Name == "" {
		t.Error("the new member has no name")
	}
	send(t, ana, http.MethodPost, path, body, 201, &again, "Idempotency-Key", "k").wantReplayed()
	check.Equal(t, "replayed member", again, added)
	asOwner := object{"email": "rui@example.com", "role": "owner"}
	send(t, ana, http.MethodPost, path, asOwner, 200, &again).wantHeader("Idempotency-Replayed", "")
	check.Equal(t, "member that was added again", again, added)
	ana.Do(http.MethodPost, path, object{"email": "nobody@example.com", "role": "editor"}, 422, nil)
	ana.Do(http.MethodPost, path, object{"email": "rui@example.com", "role": "king"}, 422, nil)

	var list page[member]
	rui.Do(http.MethodGet, path, nil, 200, &list)
	owner := member{ID: me.ID, Name: list.Data[0].Name, Email: "ana@example.com", Role: "owner"}
	check.Equal(t, "members", list.Data, []member{owner, added})
	check.Equal(t, "number of members", list.Meta.Total, 2)
	rui.Do(http.MethodPost, path, object{"email": "eva@example.com", "role": "editor"}, 403, nil)
	rui.Do(http.MethodDelete, path+"/"+me.ID, nil, 403, nil)
	rui.Do(http.MethodPatch, path+"/"+added.ID, object{"role": "owner"}, 403, nil)
	eva.Do(http.MethodGet, path, nil, 404, nil)
	eva.Do(http.MethodDelete, path+"/"+added.ID, nil, 404, nil)

	for method, body := range map[string]any{http.MethodDelete: nil, http.MethodPatch: object{"role": "editor"}} {
		send(t, ana, method, path+"/"+me.ID, body, 409, nil).wantCode("last_owner")
	}
	ana.Do(http.MethodPatch, path+"/"+added.ID, object{"role": "owner"}, 200, &again)
	added.Role = "owner"
	check.Equal(t, "member that became an owner", again, added)
	ana.Do(http.MethodDelete, path+"/"+me.ID, nil, 204, nil)
	ana.Do(http.MethodGet, path, nil, 404, nil)
	ana.Do(http.MethodPost, path, body, 404, nil)
	ana.Do(http.MethodPatch, "/publishers/eletrico", object{"name": "x"}, 404, nil)
	rui.Do(http.MethodDelete, path+"/"+me.ID, nil, 404, nil)
}

func TestAnEditorLeaves(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com")
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	var added member
	ana.Do(http.MethodPost, "/publishers/eletrico/members",
		object{"email": "rui@example.com", "role": "editor"}, 201, &added)
	rui.Do(http.MethodDelete, "/publishers/eletrico/members/"+added.ID, nil, 204, nil)
	rui.Do(http.MethodGet, "/publishers/eletrico/members", nil, 404, nil)
}
