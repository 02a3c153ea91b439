package openid

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
)

const maxBody = 64 << 10

// token redeems a code.
func (g *Provider) token(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	if err := r.ParseForm(); err != nil {
		refuseToken(w, http.StatusBadRequest, oauthError{"invalid_request", "The body is no form."})
		return
	}
	if name := repeated(r.PostForm); name != "" {
		refuseToken(w, http.StatusBadRequest, oauthError{"invalid_request", "Given more than once: " + name})
		return
	}
	if status, refusal := g.authenticate(r); refusal != nil {
		if status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", `Basic realm="token"`)
		}
		refuseToken(w, status, *refusal)
		return
	}
	granted, refusal := g.redeem(r.PostForm)
	if refusal != nil {
		refuseToken(w, http.StatusBadRequest, *refusal)
		return
	}
	idToken, err := g.sign(granted, issuer(r), g.faults.current())
	if err != nil {
		refuseToken(w, http.StatusInternalServerError, oauthError{"server_error", err.Error()})
		return
	}
	writeJSON(w, http.StatusOK, struct {
		AccessToken string `json:"access_token"`
		ExpiresIn   int    `json:"expires_in"` // seconds
		Scope       string `json:"scope,omitempty"`
		TokenType   string `json:"token_type"`
		IDToken     string `json:"id_token"`
	}{g.tokens.put(granted.person), int(tokenLife.Seconds()) - 1, granted.scope, "Bearer", idToken})
}

// authenticate checks the application's secret, which is in the body or in Basic credentials.
func (g *Provider) authenticate(r *http.Request) (status int, refusal *oauthError) {
	id, secret := r.PostForm.Get("client_id"), r.PostForm.Get("client_secret")
	if user, password, basic := r.BasicAuth(); basic {
		if secret != "" {
			return http.StatusBadRequest, &oauthError{"invalid_request", "The client's secret is given in two ways."}
		}
		var err1, err2 error
		id, err1 = url.QueryUnescape(user) // RFC 6749, 2.3.1: both are form-encoded
		secret, err2 = url.QueryUnescape(password)
		if err1 != nil || err2 != nil {
			return http.StatusUnauthorized,
				&oauthError{"invalid_client", "The Basic credentials are not encoded as in a form."}
		}
	}
	if id != g.config.ClientID || subtle.ConstantTimeCompare([]byte(secret), []byte(g.config.ClientSecret)) != 1 {
		return http.StatusUnauthorized, &oauthError{"invalid_client", "Unauthorized"}
	}
	return 0, nil
}

// redeem exchanges a code. Once all parameters are present, the code is used up even if one is wrong.
func (g *Provider) redeem(form url.Values) (grant, *oauthError) {
	switch form.Get("grant_type") {
	case "authorization_code":
	case "":
		return grant{}, &oauthError{"invalid_request", "Required parameter is missing: grant_type"}
	default:
		return grant{}, &oauthError{"unsupported_grant_type", "The only grant_type is authorization_code."}
	}
	for _, name := range []string{"code", "redirect_uri", "code_verifier"} {
		if form.Get(name) == "" {
			return grant{}, &oauthError{"invalid_request", "Required parameter is missing: " + name}
		}
	}
	granted, ok := g.codes.take(form.Get("code"))
	switch {
	case !ok:
		return grant{}, &oauthError{"invalid_grant", "The code is unknown, used or older than a minute."}
	case granted.redirectURI != form.Get("redirect_uri"):
		return grant{}, &oauthError{"invalid_grant", "The redirect_uri is not the one that the code was sent to."}
	case !granted.verifiedBy(form.Get("code_verifier")):
		return grant{}, &oauthError{"invalid_grant", "The code_verifier does not fit the code_challenge."}
	}
	return granted, nil
}

// verifiedBy reports whether the challenge was derived from this verifier (RFC 7636).
func (g grant) verifiedBy(verifier string) bool {
	sum := sha256.Sum256([]byte(verifier))
	return subtle.ConstantTimeCompare([]byte(base64.RawURLEncoding.EncodeToString(sum[:])),
		[]byte(g.codeChallenge)) == 1
}

func refuseToken(w http.ResponseWriter, status int, e oauthError) {
	writeJSON(w, status, map[string]string{"error": e.code, "error_description": e.description})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	noStore(w)
	w.Header().Set("Pragma", "no-cache") // RFC 6749, 5.1
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client may have gone
}
