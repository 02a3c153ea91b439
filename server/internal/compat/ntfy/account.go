package ntfy

import (
	"net/http"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/compat"
)

// account tells ntfy's apps for whom a credential is, which they ask before they keep it.
func (s *server) account(w http.ResponseWriter, r *http.Request) error {
	account := map[string]any{"username": "*", "role": "anonymous"}
	if r.Header.Get("Authorization") != "" {
		var auth api.Auth
		if _, err := s.API.Do(r, compat.Call{Method: http.MethodGet, Path: "/auth"}, &auth); err != nil {
			return err
		}
		account = map[string]any{"username": nameOf(auth), "role": "user"}
	}
	return writeJSON(w, account)
}

// nameOf returns the slug of the publisher that a key belongs to, or the email address of a person.
func nameOf(auth api.Auth) string {
	if auth.Publisher != nil {
		return auth.Publisher.Slug
	}
	return value(value(auth.Subscriber).Email)
}
