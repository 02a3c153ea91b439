package servertest_test

import (
	"net/http"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

type publisher struct {
	ID, Slug, Name, Description, Website, Role string
	ChannelCount                               int
}

// TestPublishersByInvitation has an operator create a publisher and hand it over, where nobody else may create any.
func TestPublishersByInvitation(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.With("PUBLISHERS", "invitation"))
	operator, ana := s.SignIn(t, servertest.Operator), s.SignIn(t, "ana@example.com")
	body := object{"slug": "padaria", "name": "Padaria"}
	send(t, ana, http.MethodPost, "/publishers", body, 403, nil).wantCode("operator_required")
	operator.Do(http.MethodPost, "/publishers", body, 201, nil)

	operator.Do(http.MethodPost, "/publishers/padaria/invitations",
		object{"email": "ana@example.com", "role": "owner"}, 201, nil)
	var invited page[struct{ ID string }]
	ana.Do(http.MethodGet, "/subscribers/invitations", nil, 200, &invited)
	ana.Do(http.MethodPost, "/subscribers/invitations/"+invited.Data[0].ID+"/accept", nil, 200, nil)
	var me struct{ ID string }
	operator.Do(http.MethodGet, "/subscribers/me", nil, 200, &me)
	operator.Do(http.MethodDelete, "/publishers/padaria/members/"+me.ID, nil, 204, nil)

	var categories page[struct{ ID string }]
	ana.Do(http.MethodGet, "/categories", nil, 200, &categories)
	ana.Do(http.MethodPost, "/channels", object{
		"publisherSlug": "padaria", "slug": "avisos", "name": "Avisos", "categoryId": categories.Data[0].ID,
	}, 201, nil)
	send(t, ana, http.MethodPost, "/publishers", object{"slug": "outra", "name": "Outra"}, 403, nil).
		wantCode("operator_required")
}

func TestPublisherLife(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com")
	body := object{"slug": "eletrico", "name": "Elétrico", "website": "https://example.com"}
	var made, again, is publisher
	a := send(t, ana, http.MethodPost, "/publishers", body, 201, &made, "Idempotency-Key", "k")
	version := a.wantNewVersion("")
	a.wantHeader("Location", "/api/v1/publishers/eletrico")
	check.Equal(t, "new publisher", made, publisher{ID: made.ID, Slug: "eletrico", Name: "Elétrico",
		Website: "https://example.com", Role: "owner"})
	a = send(t, ana, http.MethodPost, "/publishers", body, 201, &again, "Idempotency-Key", "k")
	a.wantReplayed()
	a.wantHeader("ETag", version)
	check.Equal(t, "replayed publisher", again, made)
	for _, taken := range []string{"eletrico", "demo"} {
		in := object{"slug": taken, "name": "M"}
		send(t, rui, http.MethodPost, "/publishers", in, 409, nil).wantCode("slug_taken")
	}
	for _, bad := range []object{
		{"slug": "Elétrico", "name": "M"}, {"slug": "m", "name": " "}, {"slug": "m"},
		{"slug": "m", "name": "M", "website": "http://example.com"}, {"slug": "api", "name": "M"},
		{"slug": "m", "name": "Sininho"},
	} {
		rui.Do(http.MethodPost, "/publishers", bad, 422, nil)
	}

	change := object{"name": "Elétricos", "website": nil}
	a = send(t, ana, http.MethodPatch, "/publishers/eletrico", change, 200, &is, "If-Match", version)
	newVersion := a.wantNewVersion(version)
	check.Equal(t, "changed publisher", is, publisher{ID: made.ID, Slug: "eletrico", Name: "Elétricos", Role: "owner"})
	send(t, ana, http.MethodPatch, "/publishers/eletrico", object{"name": "Tarde"}, 412, nil, "If-Match", version)
	send(t, ana, http.MethodDelete, "/publishers/eletrico", nil, 412, nil, "If-Match", version)
	is = publisher{}
	send(t, rui, http.MethodGet, "/publishers/eletrico", nil, 200, &is).wantHeader("ETag", newVersion)
	check.Equal(t, "role of a person who is no member", is.Role, "")
	rui.Do(http.MethodPatch, "/publishers/eletrico", object{"name": "x"}, 404, nil)
	rui.Do(http.MethodGet, "/publishers/none", nil, 404, nil)

	var categories page[struct{ ID string }]
	ana.Do(http.MethodGet, "/categories", nil, 200, &categories)
	lines := object{
		"publisherSlug": "eletrico", "slug": "linhas", "name": "Linhas", "categoryId": categories.Data[0].ID,
	}
	ana.Do(http.MethodPost, "/channels", lines, 201, nil)
	ana.Do(http.MethodGet, "/publishers/eletrico", nil, 200, &is)
	check.Equal(t, "number of the publisher's channels", is.ChannelCount, 1)
	send(t, ana, http.MethodDelete, "/publishers/eletrico", nil, 409, nil).wantCode("in_use")
	var key credential
	ana.Do(http.MethodPost, "/publishers/eletrico/api-keys",
		object{"name": "CI", "scopes": []string{"read"}}, 201, &key)
	ana.Do(http.MethodDelete, "/channels/eletrico/linhas", nil, 204, nil)
	ana.Do(http.MethodDelete, "/publishers/eletrico", nil, 204, nil)
	ana.Do(http.MethodGet, "/publishers/eletrico", nil, 404, nil)
	call(t, ana.Request(http.MethodGet, "/auth", nil), key.Secret, 401, nil)
	rui.Do(http.MethodPost, "/publishers", body, 201, nil) // its slug is free again
}

func TestListPublishers(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	ana.Do(http.MethodPost, "/publishers", object{"slug": "zz-a", "name": "zz Ana"}, 201, nil)
	ana.Do(http.MethodPost, "/publishers",
		object{"slug": "zz-b", "name": "ZZ Banda", "description": "Música"}, 201, nil)
	list := func(query, bearer string) (slugs []string, link string) {
		t.Helper()
		var list page[publisher]
		req := ana.Request(http.MethodGet, "/publishers?"+query, nil)
		if bearer == "visitor" {
			req.Header.Del("Cookie")
			bearer = ""
		}
		a := call(t, req, bearer, 200, &list)
		for _, p := range list.Data {
			slugs = append(slugs, p.Slug)
			isMine := p.Slug[:2] == "zz" && req.Header.Get("Cookie") != ""
			check.Equal(t, query+": the caller owns "+p.Slug, p.Role == "owner", isMine)
		}
		return slugs, a.Header.Get("Link")
	}
	for _, test := range []struct {
		query, bearer string
		want          []string
	}{
		{"mine=true", "", []string{"zz-a", "zz-b"}},
		{"mine=true&q=banda", "", []string{"zz-b"}},
		{"mine=true", s.APIKey, []string{"demo"}},
		{"q=Zz", "visitor", []string{"zz-a", "zz-b"}},
		{"q=m%C3%BAsica", "visitor", []string{"zz-b"}},
		{"q=MUS", "visitor", []string{"zz-b"}},
		{"q=sica", "visitor", nil},
		{"q=%25", "visitor", nil},
	} {
		got, _ := list(test.query, test.bearer)
		check.Equal(t, "slugs of /publishers?"+test.query, got, test.want)
	}
	first, link := list("limit=1&q=zz", "visitor")
	check.Equal(t, "slugs of the first page", first, []string{"zz-a"})
	check.Equal(t, "Link of the first page", link, `</api/v1/publishers?limit=1&offset=1&q=zz>; rel="next"`)
	if all, _ := list("", "visitor"); len(all) < 4 {
		t.Errorf("all publishers: got %q, want at least 4", all)
	}
	req := ana.Request(http.MethodGet, "/publishers?mine=true", nil)
	req.Header.Del("Cookie")
	call(t, req, "", 401, nil)
	ana.Do(http.MethodGet, "/publishers?q=%00", nil, 422, nil)
}
