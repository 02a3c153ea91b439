package servertest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

type scopedToken struct {
	ID, Name, Secret, ParentID string
	Scopes                     []string
}

func TestTokensHaveScopes(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	const path = "/subscribers/access-tokens"
	mint := func(by string, body object, want int) (made scopedToken, a response) {
		t.Helper()
		a = call(t, ana.Request(http.MethodPost, path, body), by, want, &made)
		return made, a
	}
	all := []string{"read", "publish", "manage"}
	wide, _ := mint("", object{"name": "wide"}, http.StatusCreated)
	check.Equal(t, "scopes by default", wide.Scopes, all)
	reader, _ := mint(wide.Secret, object{"name": "reader", "scopes": []string{"read"}}, http.StatusCreated)
	check.Equal(t, "scopes of a reader", reader.Scopes, []string{"read"})
	child, _ := mint(wide.Secret, object{"name": "child"}, http.StatusCreated)
	check.Equal(t, "scopes of a token's token by default", child.Scopes, all)
	publisher, _ := mint("", object{"name": "publisher", "scopes": []string{"publish"}}, http.StatusCreated)
	for _, narrow := range []scopedToken{reader, publisher} {
		for _, scopes := range [][]string{narrow.Scopes, all} {
			_, refused := mint(narrow.Secret, object{"name": "x", "scopes": scopes}, http.StatusForbidden)
			refused.wantCode("forbidden")
			if !strings.Contains(string(refused.Body), "`manage`") {
				t.Errorf("refusal of a token by %s: got %s, want it to name the scope", narrow.Name, refused.Body)
			}
		}
	}
	for _, scopes := range [][]string{{}, {"channels"}, {"read", "read"}} {
		mint("", object{"name": "x", "scopes": scopes}, http.StatusUnprocessableEntity)
	}

	call(t, ana.Request(http.MethodGet, "/subscribers/me", nil), reader.Secret, http.StatusOK, nil)

	var list page[scopedToken]
	ana.Do(http.MethodGet, path, nil, http.StatusOK, &list)
	parents := map[string]string{}
	for _, one := range list.Data {
		parents[one.Name] = one.ParentID
	}
	check.Equal(t, "parents of the tokens", parents,
		map[string]string{"wide": "", "reader": wide.ID, "child": wide.ID, "publisher": ""})

	call(t, ana.Request(http.MethodDelete, "/auth", nil), wide.Secret, http.StatusNoContent, nil)
	for _, one := range []scopedToken{reader, child} {
		call(t, ana.Request(http.MethodGet, "/auth", nil), one.Secret, http.StatusUnauthorized, nil)
	}
}

// TestWhatNarrowTokensSeeOfThePerson reads public resources, which say more to a token that may read.
func TestWhatNarrowTokensSeeOfThePerson(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	ana.Follow("demo/novidades")
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, http.StatusCreated, nil)
	for scope, want := range map[string]struct {
		following *bool
		role      string
		mine      int
	}{
		"read":    {new(true), "owner", http.StatusOK},
		"publish": {nil, "", http.StatusForbidden},
	} {
		var token scopedToken
		ana.Do(http.MethodPost, "/subscribers/access-tokens", object{"name": scope, "scopes": []string{scope}},
			http.StatusCreated, &token)
		var channel struct{ Following *bool }
		call(t, ana.Request(http.MethodGet, "/channels/demo/novidades", nil), token.Secret, http.StatusOK, &channel)
		check.Equal(t, "whether the person follows the channel, with the scope "+scope, channel.Following, want.following)
		var publisher struct{ Role string }
		call(t, ana.Request(http.MethodGet, "/publishers/eletrico", nil), token.Secret, http.StatusOK, &publisher)
		check.Equal(t, "role in the publisher, with the scope "+scope, publisher.Role, want.role)
		call(t, ana.Request(http.MethodGet, "/publishers?mine=true", nil), token.Secret, want.mine, nil)
	}
}
