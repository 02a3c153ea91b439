package google

import (
	"net/http"
	"strings"
)

// userinfo responds with the person that an access token was issued for.
func (g *Google) userinfo(w http.ResponseWriter, r *http.Request) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		w.Header().Set("WWW-Authenticate", `Bearer realm="userinfo"`)
		refuseToken(w, http.StatusUnauthorized, oauthError{"invalid_request", "There is no Bearer token."})
		return
	}
	who, ok := g.tokens.get(token)
	if !ok {
		w.Header().Set("WWW-Authenticate", `Bearer realm="userinfo", error="invalid_token"`)
		refuseToken(w, http.StatusUnauthorized, oauthError{"invalid_token", "The token is unknown or has ended."})
		return
	}
	writeJSON(w, http.StatusOK, struct {
		Subject       string `json:"sub"`
		Name          string `json:"name"`
		GivenName     string `json:"given_name"`
		Email         string `json:"email"`
		EmailVerified bool   `json:"email_verified"`
		Locale        string `json:"locale"`
	}{who.subject(), who.Name(), who.GivenName(), who.Email(), true, "pt"})
}
