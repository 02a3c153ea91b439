package session

import (
	"net/http"

	"github.com/sininho/sininho/server/internal/core"
)

// StartAnonymously makes a browser without a session an anonymous subscriber. It returns the session's cookie, or nil
// for a caller who has a session. It fails with CodeNotFound when the installation does not offer it.
func (m *Manager) StartAnonymously(r *http.Request, network string, c core.Caller) (*http.Cookie, error) {
	if c.Is(core.CallerSubscriber) {
		return nil, nil //nolint:nilnil // the browser keeps its cookie
	}
	if !m.Anonymous {
		return nil, core.ErrNotOffered()
	}
	secret, s := m.newSession(r, network, core.NewID())
	s.Anonymous = true
	if err := m.Store.CreateAnonymous(r.Context(), languageOf(r), s, core.HashSecret(secret)); err != nil {
		return nil, err
	}
	return cookie(CookieName, secret, core.AnonymousCookieLife), nil
}

// Renewed returns the cookie of an anonymous subscriber's session with its full lifetime, or nil for others. Without it,
// the browser would lose it one day, however often it is used.
func (m *Manager) Renewed(r *http.Request, c core.Caller) *http.Cookie {
	current, err := r.Cookie(CookieName)
	if err != nil || !c.Anonymous {
		return nil
	}
	return cookie(CookieName, current.Value, core.AnonymousCookieLife)
}
