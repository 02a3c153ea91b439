package session

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"golang.org/x/oauth2"
)

// standin responds as Google does, for the account in login_hint.
type standin struct {
	mu         sync.Mutex
	grants     map[string]grant // by code
	tokens     map[string]string
	unverified bool
	down       bool
}

type grant struct{ email, challenge string }

func (g *standin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case r.URL.Path == "/authorize":
		q, code := r.URL.Query(), randomText(9)
		g.grants[code] = grant{q.Get("login_hint"), q.Get("code_challenge")}
		back := url.Values{"state": q["state"], "code": {code}, "scope": {"openid"}}
		http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
	case g.down:
		w.WriteHeader(http.StatusServiceUnavailable)
	case r.URL.Path == "/token":
		x, ok := g.grants[r.FormValue("code")]
		delete(g.grants, r.FormValue("code"))
		w.Header().Set("Content-Type", "application/json")
		challenge := oauth2.S256ChallengeFromVerifier(r.FormValue("code_verifier"))
		if !ok || challenge != x.challenge || r.FormValue("client_secret") != "hush" {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"error":"invalid_grant"}`))
			return
		}
		token := randomText(9)
		g.tokens[token] = x.email
		_ = json.NewEncoder(w).Encode(map[string]any{"access_token": token, "token_type": "Bearer", "expires_in": 60})
	default:
		email := g.tokens[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
		_ = json.NewEncoder(w).Encode(map[string]any{
			"sub": "g-" + email, "email": email, "email_verified": !g.unverified,
		})
	}
}
