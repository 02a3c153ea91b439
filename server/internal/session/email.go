package session

import (
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/sininho/sininho/server/internal/core"
)

const emailCookie = "__Host-sininho-email"

// Emails are what signing in by email needs.
type Emails struct {
	Store  core.EmailSignInStore
	Codes  core.EmailCodes
	Limits core.EmailCodeLimits
}

// BeginEmail sends a code to an address for a browser on a network, and returns the cookie by which only this browser
// can use the code. It looks at no account, unless its person has signed in in the browser before, so that nobody
// learns which addresses have one. It fails with CodeNotFound when the
// installation does not offer it.
func (m *Manager) BeginEmail(r *http.Request, network string, in core.EmailSignInInput) (*http.Cookie, error) {
	return m.beginEmail(r, network, in, core.Caller{})
}

// beginEmail begins a sign-in, for a caller as begin does.
func (m *Manager) beginEmail(
	r *http.Request, network string, in core.EmailSignInInput, c core.Caller,
) (*http.Cookie, error) {
	if m.Emails == nil {
		return nil, core.ErrNotOffered()
	}
	if faults := in.Validate(nil, m.Now()); len(faults) > 0 {
		return nil, core.Invalid(faults...)
	}
	now := m.Now()
	s := core.EmailSignIn{ID: core.NewID(), Email: in.Email, Language: languageOf(r),
		Browser: knownBrowser(r), Network: network, CreatedAt: now, ExpiresAt: now.Add(core.EmailCodeLife)}
	p := pending{State: s.ID.String(), Path: safePath(in.Redirect), Until: s.ExpiresAt,
		Invitation: safeInvitation(in.Invitation), Issuer: core.IssuerEmail}.by(c)
	if p.Adds != (core.ID{}) {
		s.SubscriberID = &p.Adds
	}
	if err := m.Emails.Store.BeginEmailSignIn(r.Context(), s, m.Emails.Limits); err != nil {
		return nil, err
	}
	return cookie(emailCookie, m.seal(p), core.EmailCodeLife), nil
}

// FinishEmail signs in with an emailed code in the browser that asked for it, or adds the address to the account that
// it was asked for. It returns the page to show, with cookies. It fails with CodeInvalid for a wrong code, and with
// CodeNotFound when the browser waits for none.
func (m *Manager) FinishEmail(
	r *http.Request, network, code string,
) (location string, cookies []*http.Cookie, err error) {
	var p pending
	if m.Emails == nil || !m.open(r, emailCookie, &p) || p.Issuer != core.IssuerEmail || !p.Until.After(m.Now()) {
		return "", nil, core.ErrNoEmailSignIn()
	}
	id, err := uuid.Parse(p.State)
	if err != nil {
		return "", nil, core.ErrNoEmailSignIn()
	}
	right := m.Emails.Codes.Is(id, code)
	s, left, err := m.Emails.Store.TryEmailSignIn(r.Context(), id, right, m.Now())
	switch {
	case core.IsCode(err, core.CodeNotFound), err == nil && !right && left == 0:
		return "", nil, core.ErrNoEmailSignIn()
	case err != nil:
		return "", nil, err
	case !right:
		return "", nil, core.ErrWrongCode(left)
	}
	location, cookies = m.admit(r, network, p, emailProfile(s), nil)
	return location, append(cookies, cookie(emailCookie, "", -time.Second)), nil
}

// languageOf returns the language that a browser prefers.
func languageOf(r *http.Request) core.Language {
	return core.PreferredLanguage(r.Header.Get("Accept-Language"))
}

// emailProfile returns the profile of the person who reads the emails of an address.
func emailProfile(s core.EmailSignIn) core.Profile {
	name, _, _ := strings.Cut(s.Email, "@")
	return core.Profile{Issuer: core.IssuerEmail, Subject: strings.ToLower(s.Email), Email: s.Email, Name: name}
}
