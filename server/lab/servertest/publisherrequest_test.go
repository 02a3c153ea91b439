package servertest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

type publisherRequest struct {
	ID, Slug, Name, Reason, Status, Answer string
	Asker                                  struct{ Email string }
}

const requestPath = "/subscribers/publisher-request"

// TestPublisherRequests has a person ask, be refused, ask again and publish, where operators approve publishers.
func TestPublisherRequests(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.With("PUBLISHERS", "request"))
	operator, ana := s.SignIn(t, servertest.Operator), s.SignIn(t, "ana@example.com")
	escola := object{"slug": "escola", "name": "Escola", "reason": "Avisos aos pais"}
	send(t, ana, http.MethodPost, "/publishers", object{"slug": "escola", "name": "Escola"}, 403, nil).
		wantCode("request_required")
	send(t, operator, http.MethodPut, requestPath, escola, 409, nil).wantCode("request_not_needed")
	send(t, s.SignInAnonymously(t), http.MethodPut, requestPath, escola, 403, nil)
	ana.Do(http.MethodGet, requestPath, nil, 404, nil)
	var asked, same, mine publisherRequest
	ana.Do(http.MethodPut, requestPath, escola, 200, &asked)
	ana.Do(http.MethodPut, requestPath, escola, 200, &same)
	check.Equal(t, "the same request again", same, asked)
	pending := func() (list page[publisherRequest]) {
		operator.Do(http.MethodGet, "/admin/publisher-requests", nil, 200, &list)
		return list
	}
	check.Equal(t, "pending requests", pending().Data, []publisherRequest{asked})
	check.Equal(t, "request", asked, publisherRequest{ID: asked.ID, Slug: "escola", Name: "Escola",
		Reason: "Avisos aos pais", Status: "pending", Asker: struct{ Email string }{"ana@example.com"}})

	answer := func(id string, body object) {
		t.Helper()
		operator.Do(http.MethodPatch, "/admin/publisher-requests/"+id, body, 200, nil)
	}
	answer(asked.ID, object{"status": "refused", "answer": "Escreva-nos primeiro"})
	ana.Do(http.MethodGet, requestPath, nil, 200, &mine)
	check.Equal(t, "answer", mine.Status+" "+mine.Answer, "refused Escreva-nos primeiro")
	email := s.Mail(t, "ana@example.com", 0)
	if !strings.Contains(email.Text, "Escreva-nos primeiro") {
		t.Errorf("email of a refusal: got %q, want the answer", email.Text)
	}
	ana.Do(http.MethodPut, requestPath, escola, 200, &asked)
	answer(asked.ID, object{"status": "approved"})
	answer(asked.ID, object{"status": "refused"})
	if text := s.Mail(t, "ana@example.com", email.Seq).Text; !strings.Contains(text, "/new") {
		t.Errorf("email of an approval: got %q, want the page to begin a channel", text)
	}
	check.Equal(t, "pending requests afterwards", len(pending().Data), 0)
	var p publisher
	ana.Do(http.MethodGet, "/publishers/escola", nil, 200, &p)
	check.Equal(t, "publisher", p.Name+" "+p.Role, "Escola owner")
	entries, _ := auditLog(ana, "/publishers/escola/audit-log")
	check.Equal(t, "entry of the approval", []string{entries[0].Action, entries[0].Actor.Kind, entries[0].Detail["status"]},
		[]string{"answerPublisherRequest", "operator", "approved"})
	send(t, ana, http.MethodPost, "/publishers", object{"slug": "outra", "name": "Outra"}, 403, nil).
		wantCode("request_required")
}

// TestPublisherRequestsElsewhere asks where nobody needs to ask, or nobody can.
func TestPublisherRequestsElsewhere(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string]struct {
		status int
		code   string
	}{"open": {409, "request_not_needed"}, "invitation": {403, "operator_required"}} {
		s := servertest.Start(t, servertest.With("PUBLISHERS", setting))
		ana := s.SignIn(t, "ana@example.com")
		send(t, ana, http.MethodPut, requestPath, object{"slug": "escola", "name": "Escola"}, want.status, nil).
			wantCode(want.code)
	}
}
