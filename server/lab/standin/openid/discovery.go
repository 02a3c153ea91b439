package openid

import (
	"net/http"
	"strings"
)

// discover responds with the provider's endpoints (OpenID Connect Discovery).
func (g *Provider) discover(w http.ResponseWriter, r *http.Request) {
	at, f := issuer(r), g.faults.current()
	said := map[string]any{
		"issuer":                 f.issuer(at),
		"authorization_endpoint": at + "/authorize", "token_endpoint": at + "/token",
		"userinfo_endpoint": at + "/userinfo", "jwks_uri": at + "/jwks",
		"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"},
		"id_token_signing_alg_values_supported": []string{"RS256"}, "code_challenge_methods_supported": []string{"S256"},
		"authorization_response_iss_parameter_supported": true,
	}
	if f.Minimal {
		said = map[string]any{"issuer": f.issuer(at), "authorization_endpoint": at + "/authorize",
			"token_endpoint": at + "/token", "jwks_uri": at + "/jwks"}
	}
	writeJSON(w, http.StatusOK, said)
}

// issuer returns the issuer that the discovery names.
func (f Fault) issuer(at string) string {
	switch {
	case f.Tenant != "":
		return at + "/{tenantid}/v2.0"
	case f.Slash:
		return at + "/"
	}
	return at
}

// tokenIssuer returns the issuer of ID tokens and callbacks.
func (f Fault) tokenIssuer(at string) string {
	return strings.Replace(f.issuer(at), "{tenantid}", f.Tenant, 1)
}
