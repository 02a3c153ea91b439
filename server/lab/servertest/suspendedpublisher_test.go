package servertest_test

import (
	"net/http"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// TestSuspendedPublisherReachesNobody suspends a publisher that has invited somebody and has an event endpoint to
// confirm: it reaches no stranger by an invitation, and no address by a challenge.
func TestSuspendedPublisherReachesNobody(t *testing.T) {
	t.Parallel()
	m := newModerated(t)
	bia := m.SignIn(t, "bia@example.com")
	invited := m.do("/publishers/p/invitations", object{"email": "bia@example.com", "role": "editor"}, 201).ID
	endpoint := m.newEndpoint()
	m.owner.Do(http.MethodPatch, "/channels/p/c", object{"visibility": "private"}, 200, nil)
	var received page[struct{ ID string }]
	bia.Do(http.MethodGet, "/subscribers/invitations", nil, 200, &received)
	check.Equal(t, "invitations before the suspension", received.Meta.Total, 1)
	m.sign["bia"] = bia.Sign

	m.operator.Do(http.MethodPut, "/admin/publishers/p/suspension", suspending, 200, nil)
	m.refused("owner", http.MethodPost, "/publishers/p/invitations", object{"email": "rui@example.com", "role": "editor"},
		403)
	m.refused("owner", http.MethodPost, "/channels/p/c/invitations", object{"email": "rui@example.com"}, 403)
	m.refused("owner", http.MethodPost, endpoint+"/challenge", nil, 403)
	bia.Do(http.MethodGet, "/subscribers/invitations", nil, 200, &received)
	check.Equal(t, "invitations during the suspension", received.Meta.Total, 0)
	accept := "/subscribers/invitations/" + invited + "/accept"
	m.refused("bia", http.MethodPost, accept, nil, 404)

	m.operator.Do(http.MethodDelete, "/admin/publishers/p/suspension", nil, 204, nil)
	bia.Do(http.MethodPost, accept, nil, 200, nil)
}

// TestSuspendedPublisherOutlivesItsOwner deletes the account of its only owner. Its name is not free afterwards, and
// the audit log says which publisher without a suspension went with the account.
func TestSuspendedPublisherOutlivesItsOwner(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.With("OPERATOR_EMAILS", "operator@example.com"))
	owner, operator := s.SignIn(t, "owner@example.com"), s.SignIn(t, "operator@example.com")
	create := func(p *servertest.Subscriber, slug string, want int) {
		t.Helper()
		p.Do(http.MethodPost, "/publishers", object{"slug": slug, "name": slug}, want, nil)
	}
	create(owner, "fraude", 201)
	create(owner, "honesto", 201)
	operator.Do(http.MethodPut, "/admin/publishers/fraude/suspension", suspending, 200, nil)
	owner.Do(http.MethodDelete, "/subscribers/me", nil, 204, nil)
	again := s.SignIn(t, "owner@example.com")
	create(again, "fraude", 409)
	create(again, "honesto", 201)
	check.Equal(t, "deleted publishers in the audit log", count(t, s, `select count(*) from audit_log
		where action = 'deleteMe' and object_name = 'honesto'`), 1)
}
