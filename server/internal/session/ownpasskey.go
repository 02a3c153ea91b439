package session

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"

	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/sininho/sininho/server/internal/core"
)

// Passkeys returns the caller's passkeys, oldest first.
func (m *Manager) Passkeys(ctx context.Context, c core.Caller) ([]core.Passkey, error) {
	return m.Store.Passkeys(ctx, c.SubscriberID)
}

// BeginAddingPasskey begins to add a passkey to the caller's account. It returns what BeginPasskey does.
func (m *Manager) BeginAddingPasskey(
	r *http.Request, c core.Caller,
) (options []byte, cookie *http.Cookie, err error) {
	if m.party == nil {
		return nil, nil, core.ErrNotOffered()
	}
	s, err := m.Store.Subscriber(r.Context(), c.SubscriberID)
	if err != nil {
		return nil, nil, err
	}
	has, err := m.Store.Passkeys(r.Context(), c.SubscriberID)
	if err != nil {
		return nil, nil, err
	}
	if len(has) >= core.MaxPasskeys {
		return nil, nil, core.ErrTooManyPasskeys()
	}
	a := account{handle: newHandle(), name: cmp.Or(s.Email, s.Name)}
	for _, k := range has {
		var known webauthn.Credential
		if err := json.Unmarshal(k.Credential, &known); err != nil {
			return nil, nil, err
		}
		a.handle, a.credentials = k.UserHandle, append(a.credentials, known)
	}
	return m.beginRegistration(r, ceremony{For: adding, Handle: a.handle, Adds: c.SubscriberID}, a)
}

// AddPasskey adds a passkey to the account of the caller, who began it. It fails as FinishPasskey does.
func (m *Manager) AddPasskey(r *http.Request, caller core.Caller, in core.PasskeyInput) (core.Passkey, error) {
	if faults := in.Validate(nil, m.Now()); len(faults) > 0 {
		return core.Passkey{}, core.Invalid(faults...)
	}
	c, key, err := m.register(r, adding, in.Credential)
	if err != nil {
		return core.Passkey{}, err
	}
	if c.Adds != caller.SubscriberID { // somebody else has signed in meanwhile
		return core.Passkey{}, core.ErrNoPasskeyChallenge()
	}
	if key.Name = m.passkeyName(r); in.Name != nil {
		key.Name = *in.Name
	}
	return key, m.Store.AddPasskey(r.Context(), key)
}

// RenamePasskey renames one of the caller's passkeys. It fails with CodeNotFound when there is none.
func (m *Manager) RenamePasskey(
	ctx context.Context, c core.Caller, id core.ID, in core.PasskeyRename,
) (core.Passkey, error) {
	if faults := in.Validate(nil, m.Now()); len(faults) > 0 {
		return core.Passkey{}, core.Invalid(faults...)
	}
	return m.Store.RenamePasskey(ctx, c.SubscriberID, id, in.Name)
}

// RemovePasskey removes one of the caller's passkeys. Sessions stay. It fails with CodeConflict when no other way into
// the account would remain.
func (m *Manager) RemovePasskey(ctx context.Context, c core.Caller, id core.ID) error {
	return m.Store.RemovePasskey(ctx, c.SubscriberID, id, m.offered())
}
