package session

import (
	"context"
	"net/http"

	"github.com/sininho/sininho/server/internal/core"
)

// Identities returns what the caller signs in with.
func (m *Manager) Identities(ctx context.Context, c core.Caller) ([]core.Identity, error) {
	return m.Store.Identities(ctx, c.SubscriberID)
}

// BeginAdding begins to add an identity to the caller's account. It returns the page that continues, and the cookie to
// set unless it is nil. Requests that add must come from a page of this server: otherwise another page could add its
// owner's account at a provider. An anonymous subscriber has no account: what they have is saved in the account of the
// identity, old or new.
func (m *Manager) BeginAdding(
	r *http.Request, network string, c core.Caller, in core.IdentityInput,
) (location string, cookie *http.Cookie, err error) {
	if faults := in.Validate(nil, m.Now()); len(faults) > 0 {
		return "", nil, core.Invalid(faults...)
	}
	start := core.SignInStart{Redirect: in.Redirect}
	if in.Kind == core.SignInEmail {
		cookie, err := m.beginEmail(r, network, core.EmailSignInInput{Email: in.Email, SignInStart: start}, c)
		return core.EmailCodePage(""), cookie, err
	}
	at, err := m.find(in.Kind, in.Provider)
	if err != nil {
		return "", nil, err
	}
	location, cookie = m.begin(r, at, c, start)
	return location, cookie, nil
}

// add adds an identity to the subscriber who began to add it, if they are still signed in.
func (m *Manager) add(r *http.Request, p pending, profile core.Profile) error {
	c, err := r.Cookie(CookieName)
	if err != nil {
		return core.ErrSessionEnded()
	}
	current, err := m.session(r.Context(), c.Value)
	if err != nil {
		return err
	}
	if current.SubscriberID != p.Adds {
		return core.ErrSessionEnded()
	}
	return m.Store.AddIdentity(r.Context(), p.Adds, profile, m.Now())
}

// RemoveIdentity removes one of the caller's identities. Sessions stay. It fails with CodeConflict when no other way
// into the account would remain.
func (m *Manager) RemoveIdentity(ctx context.Context, c core.Caller, id core.ID) error {
	return m.Store.RemoveIdentity(ctx, c.SubscriberID, id, m.offered(), m.Now())
}

// offered returns the issuers of what people can sign in with.
func (m *Manager) offered() (issuers []string) {
	for _, method := range m.Methods() {
		issuers = append(issuers, method.Issuer)
	}
	return issuers
}
