package session

import (
	"errors"
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

// Renewed returns the cookie of an anonymous subscriber's session with its full lifetime, or nil for others. Without
// it, the browser would lose it one day, however often it is used.
func (m *Manager) Renewed(r *http.Request, c core.Caller) *http.Cookie {
	current, err := r.Cookie(CookieName)
	if err != nil || !c.Anonymous {
		return nil
	}
	return cookie(CookieName, current.Value, core.AnonymousCookieLife)
}

// anonymous returns the anonymous subscriber whose session the browser has, or zero.
func (m *Manager) anonymous(r *http.Request) (core.ID, error) {
	c, err := r.Cookie(CookieName)
	if err != nil {
		return core.ID{}, nil //nolint:nilerr // no cookie: a visitor
	}
	s, err := m.session(r.Context(), c.Value)
	if core.IsCode(err, core.CodeUnauthenticated) {
		err = nil
	}
	if err != nil || !s.Anonymous {
		return core.ID{}, err
	}
	return s.SubscriberID, nil
}

// saves returns the anonymous subscriber of the browser whose channels the sign-in saves, or zero if there is none. It
// fails when they did not ask for it: another site can send a browser to a provider, and the provider may know it as
// somebody else, who would then have what this person follows.
func (m *Manager) saves(r *http.Request, p pending) (core.ID, error) {
	who, err := m.anonymous(r)
	if err == nil && who != (core.ID{}) && who != p.Saves {
		err = errUnsaved
	}
	return who, err
}

var errUnsaved = errors.New("the browser follows channels without an account")

// enter starts a session of a person, whose account may be new, and saves what an anonymous subscriber has in it,
// unless there is none.
func (m *Manager) enter(
	r *http.Request, network string, subscriberID core.ID, isNew bool, anonymous core.ID,
) ([]*http.Cookie, error) {
	if anonymous == (core.ID{}) {
		return m.start(r, network, subscriberID)
	}
	ctx := r.Context()
	secret, s := m.newSession(r, network, subscriberID)
	ended, err := m.Store.SaveAnonymous(ctx,
		core.Saving{AnonymousID: anonymous, Session: s, Hash: core.HashSecret(secret), New: isNew}, s.CreatedAt)
	if core.IsCode(err, core.CodeNotFound) { // saved by another tab, or deleted, meanwhile
		return m.start(r, network, subscriberID)
	}
	if err != nil {
		return nil, err
	}
	for _, id := range ended {
		m.Announce.SignedOut(ctx, id)
	}
	m.Announce.Followed(ctx, subscriberID)
	return m.cookies(r, secret, s), nil
}
