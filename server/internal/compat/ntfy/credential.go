package ntfy

import (
	"cmp"
	"encoding/base64"
	"net/http"
	"strings"
)

// authorize puts the credential of a request where the API expects it. ntfy's clients send it as a Bearer token, as the
// password or the user name of Basic, or either of these headers in base64 in the query, as scripts in a browser must
// for web sockets.
func authorize(r *http.Request) error {
	header := strings.TrimSpace(r.Header.Get("Authorization"))
	query := r.URL.Query()
	if encoded := cmp.Or(query.Get("auth"), query.Get("authorization")); encoded != "" {
		decoded, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(encoded, "="))
		if err != nil {
			return errUnauthorized.because("auth is the header Authorization in URL-safe base64")
		}
		header = strings.TrimSpace(string(decoded))
	}
	r.Header.Del("Authorization")
	scheme, secret, _ := strings.Cut(header, " ")
	switch strings.ToLower(scheme) {
	case "":
		return nil
	case "basic":
		r.Header.Set("Authorization", header)
		user, password, ok := r.BasicAuth()
		if !ok {
			return errUnauthorized
		}
		secret = cmp.Or(password, user)
	case "bearer":
	default:
		return nil // as ntfy does: what pushes are authorized with, for example
	}
	if secret = strings.TrimSpace(secret); secret == "" {
		return nil
	}
	r.Header.Set("Authorization", "Bearer "+secret)
	return nil
}
