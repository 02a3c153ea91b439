package servertest_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/sininho/sininho/server/servertest"
)

// asks sends a request as a signed-in person; header is empty, or a name and its value.
func asks(t *testing.T, p *servertest.Subscriber, method, path string, body any, want int, out any, header ...string) answered {
	t.Helper()
	req := p.Request(method, path, body)
	if len(header) == 2 {
		req.Header.Set(header[0], header[1])
	}
	return call(t, req, "", want, out)
}

type publisher struct {
	ID, Slug, Name, Description, Website, Role string
	ChannelCount                               int
}

type page[T any] struct {
	Data []T
	Meta struct{ Total int }
}

func TestPublisherLife(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com")
	body := object{"slug": "eletrico", "name": "Elétrico", "website": "https://example.com"}
	var made, again, is publisher
	a := asks(t, ana, http.MethodPost, "/publishers", body, 201, &made, "Idempotency-Key", "k")
	version := a.Header.Get("ETag")
	if made.Slug != "eletrico" || made.Role != "owner" || made.Website != "https://example.com" || version == "" || a.Header.Get("Location") != "/api/v1/publishers/eletrico" {
		t.Errorf("%+v %v", made, a.Header)
	}
	if a := asks(t, ana, http.MethodPost, "/publishers", body, 201, &again, "Idempotency-Key", "k"); again != made || a.Header.Get("Idempotency-Replayed") != "true" || a.Header.Get("ETag") != version {
		t.Errorf("repeated: %+v %v", again, a.Header)
	}
	for _, taken := range []string{"eletrico", "demo", "api"} {
		if a := asks(t, rui, http.MethodPost, "/publishers", object{"slug": taken, "name": "M"}, 409, nil); a.Code != "slug_taken" {
			t.Errorf("%s: %s", taken, a.Code)
		}
	}
	for _, bad := range []object{{"slug": "Elétrico", "name": "M"}, {"slug": "m", "name": " "}, {"slug": "m", "name": "M", "website": "http://example.com"}, {"slug": "m"}} {
		rui.Do(http.MethodPost, "/publishers", bad, 422, nil)
	}

	a = asks(t, ana, http.MethodPatch, "/publishers/eletrico", object{"name": "Elétricos", "website": nil}, 200, &is, "If-Match", version)
	if is.Name != "Elétricos" || is.Website != "" || is.Role != "owner" || a.Header.Get("ETag") == version {
		t.Errorf("%+v %v", is, a.Header)
	}
	asks(t, ana, http.MethodPatch, "/publishers/eletrico", object{"name": "Tarde"}, 412, nil, "If-Match", version)
	asks(t, ana, http.MethodDelete, "/publishers/eletrico", nil, 412, nil, "If-Match", version)
	is = publisher{}
	if got := asks(t, rui, http.MethodGet, "/publishers/eletrico", nil, 200, &is); is.Role != "" || got.Header.Get("ETag") != a.Header.Get("ETag") {
		t.Errorf("to a stranger: %+v %v", is, got.Header)
	}
	rui.Do(http.MethodPatch, "/publishers/eletrico", object{"name": "x"}, 404, nil)
	rui.Do(http.MethodGet, "/publishers/none", nil, 404, nil)

	var categories page[struct{ ID string }]
	ana.Do(http.MethodGet, "/categories", nil, 200, &categories)
	ana.Do(http.MethodPost, "/channels", object{"publisherSlug": "eletrico", "slug": "linhas", "name": "Linhas", "categoryId": categories.Data[0].ID}, 201, nil)
	if ana.Do(http.MethodGet, "/publishers/eletrico", nil, 200, &is); is.ChannelCount != 1 {
		t.Errorf("%+v", is)
	}
	if a := asks(t, ana, http.MethodDelete, "/publishers/eletrico", nil, 409, nil); a.Code != "in_use" {
		t.Error(a.Code)
	}
	var key credential
	ana.Do(http.MethodPost, "/publishers/eletrico/api-keys", object{"name": "CI", "scopes": []string{"read"}}, 201, &key)
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
	ana.Do(http.MethodPost, "/publishers", object{"slug": "zz-b", "name": "ZZ Banda", "description": "Música"}, 201, nil)
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
			if slugs = append(slugs, p.Slug); (p.Role == "owner") != (p.Slug[:2] == "zz" && req.Header.Get("Cookie") != "") {
				t.Errorf("%s: %+v", query, p)
			}
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
		if got, _ := list(test.query, test.bearer); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.query, got, test.want)
		}
	}
	if all, link := list("limit=1&q=zz", "visitor"); !slices.Equal(all, []string{"zz-a"}) || link != `</api/v1/publishers?limit=1&offset=1&q=zz>; rel="next"` {
		t.Errorf("%v %q", all, link)
	}
	if all, _ := list("", "visitor"); len(all) < 4 {
		t.Errorf("%v", all)
	}
	req := ana.Request(http.MethodGet, "/publishers?mine=true", nil)
	req.Header.Del("Cookie")
	call(t, req, "", 401, nil)
	ana.Do(http.MethodGet, "/publishers?q=%00", nil, 422, nil)
}
