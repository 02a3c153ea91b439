package servertest_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

type member struct{ ID, Name, Email, Role string }

func idOf(p *servertest.Subscriber) string {
	var me struct{ ID string }
	p.Do(http.MethodGet, "/subscribers/me", nil, 200, &me)
	return me.ID
}

func TestMembers(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui, eva := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com"), s.SignIn(t, "eva@example.com")
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	const path = "/publishers/eletrico/members"
	me, other := idOf(ana), ana.Admit("eletrico", rui, "editor")

	var list page[member]
	rui.Do(http.MethodGet, path, nil, 200, &list)
	check.Equal(t, "members", list.Data, []member{
		{ID: me, Email: "ana@example.com", Role: "owner"}, {ID: other, Email: "rui@example.com", Role: "editor"},
	}, cmpopts.IgnoreFields(member{}, "Name"))
	check.Equal(t, "number of members", list.Meta.Total, 2)
	rui.Do(http.MethodDelete, path+"/"+me, nil, 403, nil)
	rui.Do(http.MethodPatch, path+"/"+other, object{"role": "owner"}, 403, nil)
	eva.Do(http.MethodGet, path, nil, 404, nil)
	eva.Do(http.MethodDelete, path+"/"+other, nil, 404, nil)
	for who, p := range map[string]*servertest.Subscriber{"ana": ana, "rui": rui, "eva": eva} {
		var auth struct{ Publishes bool }
		p.Do(http.MethodGet, "/auth", nil, 200, &auth)
		check.Equal(t, "whether "+who+" publishes", auth.Publishes, who != "eva")
	}

	for method, body := range map[string]any{http.MethodDelete: nil, http.MethodPatch: object{"role": "editor"}} {
		send(t, ana, method, path+"/"+me, body, 409, nil).wantCode("last_owner")
	}
	send(t, ana, http.MethodPatch, path+"/"+other, object{"role": "owner"}, 422, nil).wantCode("invitation_required")
	ana.Admit("eletrico", rui, "owner")
	rui.Do(http.MethodPatch, path+"/"+me, object{"role": "editor"}, 200, nil)
	ana.Do(http.MethodDelete, path+"/"+me, nil, 204, nil)
	ana.Do(http.MethodGet, path, nil, 404, nil)
	ana.Do(http.MethodPatch, "/publishers/eletrico", object{"name": "x"}, 404, nil)
	rui.Do(http.MethodDelete, path+"/"+me, nil, 404, nil)
	send(t, rui, http.MethodDelete, path+"/"+other, nil, 409, nil).wantCode("last_owner")
}

// TestNobodyIsAddedUnasked calls the operation that added members before there were invitations.
func TestNobodyIsAddedUnasked(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com")
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	const path = "/publishers/eletrico/members"
	bodies := map[string]bool{}
	for _, email := range []string{"rui@example.com", "nobody@example.com"} {
		a := send(t, ana, http.MethodPost, path, object{"email": email, "role": "owner"}, 422, nil)
		a.wantCode("invitation_required")
		var problem object
		check.Equal(t, "error of decoding the problem", json.Unmarshal(a.Body, &problem), nil)
		delete(problem, "requestId")
		rest, _ := json.Marshal(problem) // a map of what was decoded
		bodies[string(rest)] = true
	}
	check.Equal(t, "different responses to a known and an unknown address", len(bodies), 1)
	rui.Do(http.MethodGet, path, nil, 404, nil)
	id := ana.Admit("eletrico", rui, "editor")
	var got member
	ana.Do(http.MethodPost, path, object{"email": "RUI@example.com", "role": "owner"}, 200, &got)
	check.Equal(t, "member that is added again", got, member{ID: id, Name: got.Name, Email: "rui@example.com",
		Role: "editor"})
}

type invitation struct {
	ID, Email, Role, State, URL, InvitedAt, ExpiresAt string
	InvitedBy                                         *struct{ Name, Email string }
	Publisher                                         *struct{ Slug, Role string }
}

const invitations = "/publishers/eletrico/invitations"

func TestMembershipInvitations(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui, eva := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com"), s.SignIn(t, "eva@example.com")
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	var made, again invitation
	body := object{"email": "RUI@example.com", "role": "editor"}
	send(t, ana, http.MethodPost, invitations, body, 201, &made, "Idempotency-Key", "k")
	send(t, ana, http.MethodPost, invitations, body, 201, &again, "Idempotency-Key", "k").wantReplayed()
	check.Equal(t, "replayed invitation", again, made)
	check.Equal(t, "state of a new invitation", made.State, "pending")
	check.Equal(t, "address of a new invitation", made.Email, "rui@example.com")
	check.Equal(t, "page of a new invitation", made.URL, s.URL+"/invitations")
	if made.InvitedBy == nil || made.InvitedBy.Email != "ana@example.com" {
		t.Errorf("inviter: got %+v, want ana@example.com", made.InvitedBy)
	}
	ana.Do(http.MethodPost, invitations, body, 200, &again)
	check.Equal(t, "id of a renewed invitation", again.ID, made.ID)

	mail := s.Mail(t, "rui@example.com", 0)
	check.Equal(t, "link in the email", mail.Link(), s.URL+"/invitations")
	if strings.Contains(mail.Text+mail.HTML+mail.Subject, "Elétrico") {
		t.Errorf("email: got %s, want no name that a stranger chose", mail.Text)
	}

	var list page[invitation]
	eva.Do(http.MethodGet, "/subscribers/invitations", nil, 200, &list)
	check.Equal(t, "invitations that another person receives", list.Meta.Total, 0)
	rui.Do(http.MethodGet, "/subscribers/invitations", nil, 200, &list)
	if len(list.Data) != 1 || list.Data[0].Publisher == nil || list.Data[0].Publisher.Slug != "eletrico" ||
		list.Data[0].InvitedBy == nil || list.Data[0].InvitedBy.Email != "ana@example.com" {
		t.Errorf("received invitations: got %+v, want the one to eletrico by ana", list.Data)
	}
	answer := func(p *servertest.Subscriber, what string, want int) response {
		t.Helper()
		return send(t, p, http.MethodPost, "/subscribers/invitations/"+made.ID+"/"+what, nil, want, nil)
	}
	answer(eva, "accept", 404)
	answer(eva, "decline", 404)
	answer(ana, "accept", 404)
	answer(rui, "decline", 204)
	answer(rui, "accept", 409).wantCode("invitation_ended")
	ana.Do(http.MethodGet, invitations, nil, 200, &list)
	check.Equal(t, "state after declining", list.Data[0].State, "declined")
	ana.Do(http.MethodPost, invitations, body, 201, &made)
	ana.Do(http.MethodDelete, invitations+"/"+made.ID, nil, 204, nil)
	answer(rui, "accept", 409).wantCode("invitation_ended")
	ana.Do(http.MethodPost, invitations, body, 201, &made)
	for range 2 {
		answer(rui, "accept", 200)
	}
	send(t, ana, http.MethodPost, invitations, body, 409, nil).wantCode("already_member")
	send(t, ana, http.MethodDelete, invitations+"/"+made.ID, nil, 409, nil).wantCode("invitation_accepted")
	rui.Do(http.MethodPost, invitations, object{"email": "eva@example.com", "role": "owner"}, 403, nil)
	rui.Do(http.MethodGet, invitations, nil, 403, nil)
	eva.Do(http.MethodPost, invitations, body, 404, nil)
	ana.Do(http.MethodPost, invitations, object{"email": "eva@example.com", "role": "king"}, 422, nil)
	ana.Do(http.MethodPost, invitations, object{"email": "eva@exâmple.com", "role": "editor"}, 422, nil)
}

// TestInvitationsRevealNoAccounts compares what owners see of an address with an account and of one without.
func TestInvitationsRevealNoAccounts(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com")
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	seen := func(body []byte, email string) string {
		t.Helper()
		var inv map[string]any
		if err := json.Unmarshal(body, &inv); err != nil {
			t.Fatalf("decode the invitation: %v", err)
		}
		for _, own := range []string{"id", "invitedAt", "expiresAt"} {
			delete(inv, own)
		}
		rest, err := json.Marshal(inv)
		if err != nil {
			t.Fatalf("encode the invitation: %v", err)
		}
		return strings.ReplaceAll(string(rest), email, "…")
	}
	look := func(status int) (known, unknown []string) {
		t.Helper()
		for email, list := range map[string]*[]string{"rui@example.com": &known, "nobody@example.com": &unknown} {
			a := send(t, ana, http.MethodPost, invitations, object{"email": email, "role": "editor"}, status, nil)
			*list = append(*list, seen(a.Body, email))
		}
		var all page[json.RawMessage]
		ana.Do(http.MethodGet, invitations, nil, 200, &all)
		for _, inv := range all.Data {
			if strings.Contains(string(inv), "rui@") {
				known = append(known, seen(inv, "rui@example.com"))
			} else {
				unknown = append(unknown, seen(inv, "nobody@example.com"))
			}
		}
		var members page[member]
		ana.Do(http.MethodGet, "/publishers/eletrico/members", nil, 200, &members)
		check.Equal(t, "members before anyone accepts", members.Meta.Total, 1)
		return known, unknown
	}
	for _, status := range []int{201, 200} {
		known, unknown := look(status)
		check.Equal(t, "what an owner sees of an account's address", known, unknown)
	}
	rui.Do(http.MethodDelete, "/subscribers/me", nil, 204, nil)
	known, unknown := look(200)
	check.Equal(t, "what an owner sees of a deleted account's address", known, unknown)
}

// TestInvitationBeforeTheAccount invites somebody who signs up afterwards.
func TestInvitationBeforeTheAccount(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.With("SMTP_URL", ""))
	ana := s.SignIn(t, "ana@example.com")
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	ana.Do(http.MethodPost, invitations, object{"email": "bia@example.com", "role": "editor"}, 201, nil)
	bia := s.SignIn(t, "Bia@Example.com")
	var list page[invitation]
	bia.Do(http.MethodGet, "/subscribers/invitations", nil, 200, &list)
	check.Equal(t, "invitations of a new account", len(list.Data), 1)
	var joined struct{ Slug, Role string }
	bia.Do(http.MethodPost, "/subscribers/invitations/"+list.Data[0].ID+"/accept", nil, 200, &joined)
	check.Equal(t, "publisher after accepting", joined, struct{ Slug, Role string }{"eletrico", "editor"})
	bia.Do(http.MethodGet, "/publishers/eletrico/members", nil, 200, nil)
}

func TestInvitationsAreLimited(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.With("LIMIT_INVITATIONS_PER_DAY", "2"),
		servertest.Limited())
	ana := s.SignIn(t, "ana@example.com")
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	for _, email := range []string{"a@example.com", "b@example.com"} {
		ana.Do(http.MethodPost, invitations, object{"email": email, "role": "editor"}, 201, nil)
	}
	a := send(t, ana, http.MethodPost, invitations, object{"email": "c@example.com", "role": "editor"}, 429, nil)
	a.wantCode("too_many_invitations")
	if a.Header.Get("Retry-After") == "" {
		t.Error("response to too many invitations: got no Retry-After, want one")
	}
}

// TestLeaving has members of all kinds leave and delete their accounts.
func TestLeaving(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com")
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	const path = "/publishers/eletrico/members"
	rui.Do(http.MethodDelete, path+"/"+ana.Admit("eletrico", rui, "editor"), nil, 204, nil)
	rui.Do(http.MethodGet, path, nil, 404, nil)

	ana.Admit("eletrico", rui, "editor")
	send(t, ana, http.MethodDelete, path+"/"+idOf(ana), nil, 409, nil).wantCode("last_owner")
	a := send(t, ana, http.MethodDelete, "/subscribers/me", nil, 409, nil)
	a.wantCode("last_owner")
	if !strings.Contains(string(a.Body), "eletrico") {
		t.Errorf("problem of the last owner: got %s, want it to name eletrico", a.Body)
	}
	ana.Admit("eletrico", rui, "owner") // hands it over
	ana.Do(http.MethodDelete, "/subscribers/me", nil, 204, nil)
	var list page[member]
	rui.Do(http.MethodGet, path, nil, 200, &list)
	check.Equal(t, "members after handing over", len(list.Data), 1)
	rui.Do(http.MethodDelete, "/subscribers/me", nil, 204, nil) // with the publisher, which is empty
	s.SignIn(t, "eva@example.com").Do(http.MethodGet, "/publishers/eletrico", nil, 404, nil)
}

// TestAcceptingAtOnce accepts one invitation in many requests at the same time.
func TestAcceptingAtOnce(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com")
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	var made invitation
	ana.Do(http.MethodPost, invitations, object{"email": "rui@example.com", "role": "owner"}, 201, &made)
	statuses := make([]int, 8)
	var all sync.WaitGroup
	for i := range statuses {
		all.Go(func() {
			res, err := http.DefaultClient.Do(
				rui.Request(http.MethodPost, "/subscribers/invitations/"+made.ID+"/accept", nil))
			if err == nil {
				statuses[i] = res.StatusCode
				_ = res.Body.Close()
			}
		})
	}
	all.Wait()
	if slices.ContainsFunc(statuses, func(status int) bool { return status != http.StatusOK }) {
		t.Errorf("responses to accepting at once: got %v, want 200 to all", statuses)
	}
	var list page[member]
	rui.Do(http.MethodGet, "/publishers/eletrico/members", nil, 200, &list)
	check.Equal(t, "members after accepting at once", list.Meta.Total, 2)
}
