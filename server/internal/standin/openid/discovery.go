package openid

import "net/http"

// discover responds with the provider's endpoints (OpenID Connect Discovery).
func (g *Provider) discover(w http.ResponseWriter, r *http.Request) {
	at := issuer(r)
	writeJSON(w, http.StatusOK, map[string]any{
		"issuer":                 at,
		"authorization_endpoint": at + "/authorize", "token_endpoint": at + "/token",
		"userinfo_endpoint": at + "/userinfo", "jwks_uri": at + "/jwks",
		"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"},
		"id_token_signing_alg_values_supported": []string{"RS256"}, "code_challenge_methods_supported": []string{"S256"},
		"authorization_response_iss_parameter_supported": true,
	})
}
