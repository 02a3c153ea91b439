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
		if _, _, err := s.API.Do(r, compat.Call{Method: http.MethodGet, Path: "/auth"}, &auth); err != nil {
			return err
		}
		account = map[string]any{"username": string(auth.Caller), "role": "user"}
	}
	return writeJSON(w, account)
}
