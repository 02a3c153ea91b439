package servertest_test

import (
	"net/http"
	"testing"

	"github.com/sininho/sininho/server/servertest"
)

type member struct{ ID, Name, Email, Role string }

func TestMembers(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui, eva := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com"), s.SignIn(t, "eva@example.com")
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	const path = "/publishers/eletrico/members"
	var me struct{ ID string }
	ana.Do(http.MethodGet, "/subscribers/me", nil, 200, &me)

	var added, again member
	body := object{"email": "RUI@example.com", "role": "editor"}
	a := asks(t, ana, http.MethodPost, path, body, 201, &added, "Idempotency-Key", "k")
	if added.Email != "rui@example.com" || added.Role != "editor" || added.Name == "" || a.Header.Get("Location") != "/api/v1"+path+"/"+added.ID {
		t.Errorf("%+v %v", added, a.Header)
	}
	if a := asks(t, ana, http.MethodPost, path, body, 201, &again, "Idempotency-Key", "k"); again != added || a.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("repeated: %+v %v", again, a.Header)
	}
	if a := asks(t, ana, http.MethodPost, path, object{"email": "rui@example.com", "role": "owner"}, 200, &again); again != added || a.Header.Get("Idempotency-Replayed") != "" {
		t.Errorf("again: %+v %v", again, a.Header)
	}
	ana.Do(http.MethodPost, path, object{"email": "nobody@example.com", "role": "editor"}, 422, nil)
	ana.Do(http.MethodPost, path, object{"email": "rui@example.com", "role": "king"}, 422, nil)

	var list page[member]
	rui.Do(http.MethodGet, path, nil, 200, &list)
	if list.Meta.Total != 2 || list.Data[0].ID != me.ID || list.Data[0].Role != "owner" || list.Data[1] != added {
		t.Errorf("%+v", list)
	}
	rui.Do(http.MethodPost, path, object{"email": "eva@example.com", "role": "editor"}, 403, nil)
	rui.Do(http.MethodDelete, path+"/"+me.ID, nil, 403, nil)
	rui.Do(http.MethodPatch, path+"/"+added.ID, object{"role": "owner"}, 403, nil)
	eva.Do(http.MethodGet, path, nil, 404, nil)
	eva.Do(http.MethodDelete, path+"/"+added.ID, nil, 404, nil)

	for method, body := range map[string]any{http.MethodDelete: nil, http.MethodPatch: object{"role": "editor"}} {
		if a := asks(t, ana, method, path+"/"+me.ID, body, 409, nil); a.Code != "last_owner" {
			t.Errorf("%s: %s", method, a.Code)
		}
	}
	ana.Do(http.MethodPatch, path+"/"+added.ID, object{"role": "owner"}, 200, &again)
	if again.ID != added.ID || again.Role != "owner" {
		t.Errorf("handed over: %+v", again)
	}
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
	ana.Do(http.MethodPost, "/publishers/eletrico/members", object{"email": "rui@example.com", "role": "editor"}, 201, &added)
	rui.Do(http.MethodDelete, "/publishers/eletrico/members/"+added.ID, nil, 204, nil)
	rui.Do(http.MethodGet, "/publishers/eletrico/members", nil, 404, nil)
}
