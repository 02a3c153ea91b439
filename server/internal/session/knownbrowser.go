package session

import (
	"encoding/base64"
	"net/http"

	"github.com/sininho/sininho/server/internal/core"
)

// knownCookie has the secret by which a browser is known as one in which people have signed in. It stays after they
// sign out, and signs nobody in.
const knownCookie = "__Host-sininho-known"

// knownBrowser returns the hash of the secret by which the browser is known, or nil.
func knownBrowser(r *http.Request) []byte {
	c, err := r.Cookie(knownCookie)
	if err != nil || len(c.Value) != base64.RawURLEncoding.EncodedLen(secretBytes) {
		return nil
	}
	return core.HashSecret(c.Value)
}

// rememberBrowser makes the browser of a new session known by a new secret. The person is signed in even if that
// fails.
func (m *Manager) rememberBrowser(r *http.Request, s core.Session) []*http.Cookie {
	secret := randomText(secretBytes)
	if err := m.Store.RememberBrowser(r.Context(), s, knownBrowser(r), core.HashSecret(secret)); err != nil {
		m.Log.WarnContext(r.Context(), "remember a browser", "error", err)
		return nil
	}
	return []*http.Cookie{cookie(knownCookie, secret, core.KnownBrowserLife)}
}
