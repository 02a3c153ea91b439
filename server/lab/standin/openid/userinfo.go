package openid

import (
	"cmp"
	"net/http"
	"strings"
)

// userinfo responds with the person that an access token was issued for.
func (g *Provider) userinfo(w http.ResponseWriter, r *http.Request) {
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
	f := g.faults.current()
	info := g.info(who, f)
	if f.InfoSubject != "" {
		info.Subject = f.InfoSubject
	}
	if f.InfoVerified != nil {
		info.EmailVerified = f.InfoVerified
	}
	writeJSON(w, http.StatusOK, info)
}

// userInfo is what the provider says about a person.
type userInfo struct {
	Subject       string `json:"sub"`
	Name          string `json:"name,omitempty"`
	GivenName     string `json:"given_name,omitempty"`
	Email         string `json:"email,omitempty"`
	EmailVerified any    `json:"email_verified,omitempty"`
	Locale        string `json:"locale,omitempty"`
	// Others of Microsoft Entra.
	DomainVerified any    `json:"xms_edov,omitempty"`
	Tenant         string `json:"tid,omitempty"`
	UserName       string `json:"preferred_username,omitempty"`
}

func (g *Provider) info(who person, f Fault) userInfo {
	info := userInfo{Subject: cmp.Or(f.Subject, who.subject(g.config.Name)), Name: who.Name(),
		GivenName: who.GivenName(), Email: cmp.Or(f.Email, who.Email()), EmailVerified: true, Locale: "pt",
		DomainVerified: f.DomainVerified, Tenant: f.Tenant}
	if f.Tenant != "" {
		info.UserName = who.Email()
	}
	switch f.EmailVerified {
	case nil:
	case "none":
		info.EmailVerified = nil
	default:
		info.EmailVerified = f.EmailVerified
	}
	if f.Email == "none" {
		info.Email, info.EmailVerified = "", nil
	}
	return info
}
