package memory

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var _ interface {
	core.PasskeyStore
	core.OperatorLinkStore
} = (*Store)(nil)

func (s *Store) passkeysOf(subscriberID core.ID) []*core.Passkey {
	return s.passkeys.where(func(k *core.Passkey) bool { return k.SubscriberID == subscriberID })
}

func (s *Store) passkeyBy(credentialID []byte) (*core.Passkey, error) {
	return s.passkeys.first(func(k *core.Passkey) bool { return bytes.Equal(k.CredentialID, credentialID) })
}

// Passkeys implements core.PasskeyStore.
func (s *Store) Passkeys(_ context.Context, subscriberID core.ID) ([]core.Passkey, error) {
	defer s.lock()()
	data, _, err := paged(s.passkeysOf(subscriberID), core.Page{}, func(k *core.Passkey) core.Passkey { return *k })
	return data, err
}

// UseChallenge implements core.PasskeyStore.
func (s *Store) UseChallenge(_ context.Context, hash []byte, _ time.Time) error {
	defer s.lock()()
	if s.challenges[string(hash)] {
		return core.ErrNoPasskeyChallenge()
	}
	s.challenges[string(hash)] = true
	return nil
}

// SignInWithPasskey implements core.PasskeyStore.
func (s *Store) SignInWithPasskey(
	_ context.Context, credentialID []byte, verify func(core.Passkey) ([]byte, error), now time.Time,
) (core.Subscriber, error) {
	defer s.lock()()
	k, err := s.passkeyBy(credentialID)
	if err != nil {
		return core.Subscriber{}, core.ErrUnknownPasskey()
	}
	credential, err := verify(*k)
	if err != nil {
		return core.Subscriber{}, err
	}
	k.Credential, k.UsedAt = credential, &now
	return s.subscribers[k.SubscriberID].Subscriber, nil
}

// SignUpWithPasskey implements core.PasskeyStore.
func (s *Store) SignUpWithPasskey(
	_ context.Context, person core.Subscriber, key core.Passkey, up core.SignUp, now time.Time,
) (core.Subscriber, error) {
	defer s.lock()()
	link, isLink := s.operatorLinks[string(up.OperatorLinkHash)]
	switch {
	case up.OperatorLinkHash != nil && (!isLink || !link.ExpiresAt.After(now)):
		return core.Subscriber{}, core.ErrNoOperatorLink()
	case up.OperatorLinkHash == nil && !up.Open:
		return core.Subscriber{}, core.ErrUninvited()
	}
	if _, err := s.passkeyBy(key.CredentialID); err == nil {
		return core.Subscriber{}, core.ErrPasskeyTaken()
	}
	if isLink {
		s.useOperatorLink(link)
	}
	r := newSubscriber(
		core.Subscriber{ID: core.NewID(), Name: person.Name, Locale: person.Locale, Operator: isLink}, now)
	s.subscribers[r.ID] = r
	key.SubscriberID = r.ID
	s.passkeys[key.ID] = &key
	return r.Subscriber, nil
}

func (s *Store) useOperatorLink(link core.OperatorLink) {
	clear(s.operatorLinks)
	for _, other := range s.subscribers {
		other.Operator = other.Operator && !link.Only
	}
}

// AddPasskey implements core.PasskeyStore.
func (s *Store) AddPasskey(_ context.Context, key core.Passkey) error {
	defer s.lock()()
	if len(s.passkeysOf(key.SubscriberID)) >= core.MaxPasskeys {
		return core.ErrTooManyPasskeys()
	}
	if _, err := s.passkeyBy(key.CredentialID); err == nil {
		return core.ErrPasskeyTaken()
	}
	s.passkeys[key.ID] = &key
	return nil
}

func (s *Store) findPasskey(subscriberID, id core.ID) (*core.Passkey, error) {
	return s.passkeys.first(func(k *core.Passkey) bool { return k.ID == id && k.SubscriberID == subscriberID })
}

// RenamePasskey implements core.PasskeyStore.
func (s *Store) RenamePasskey(_ context.Context, subscriberID, id core.ID, name string) (core.Passkey, error) {
	defer s.lock()()
	k, err := s.findPasskey(subscriberID, id)
	if err != nil {
		return core.Passkey{}, err
	}
	k.Name = name
	return *k, nil
}

// RemovePasskey implements core.PasskeyStore.
func (s *Store) RemovePasskey(_ context.Context, subscriberID, id core.ID, offered []string) error {
	defer s.lock()()
	k, err := s.findPasskey(subscriberID, id)
	if err != nil {
		return err
	}
	delete(s.passkeys, id)
	if !s.hasWayIn(subscriberID, offered) {
		s.passkeys[id] = k
		return core.ErrLastIdentity()
	}
	return nil
}

// hasWayIn reports whether a person can sign in with something that is offered.
func (s *Store) hasWayIn(subscriberID core.ID, offered []string) bool {
	return slices.ContainsFunc(s.identitiesOf(subscriberID), func(i *identityRow) bool {
		return slices.Contains(offered, i.Issuer)
	}) || slices.Contains(offered, core.IssuerPasskey) && len(s.passkeysOf(subscriberID)) > 0
}

// setAddress gives a person the address of their oldest identity, or none.
func (s *Store) setAddress(subscriberID core.ID, now time.Time) {
	r, email := s.subscribers[subscriberID], ""
	if list := s.identitiesOf(subscriberID); len(list) > 0 {
		email = list[0].Email
	}
	if r.Email != email {
		r.Email, r.UpdatedAt = email, nextVersion(r.UpdatedAt, now)
	}
}

// CreateOperatorLink implements core.OperatorLinkStore.
func (s *Store) CreateOperatorLink(_ context.Context, hash []byte, l core.OperatorLink) error {
	defer s.lock()()
	s.operatorLinks[string(hash)] = l
	return nil
}

// CheckOperatorLink implements core.OperatorLinkStore.
func (s *Store) CheckOperatorLink(_ context.Context, hash []byte, now time.Time) error {
	defer s.lock()()
	if l, ok := s.operatorLinks[string(hash)]; !ok || !l.ExpiresAt.After(now) {
		return core.ErrNoOperatorLink()
	}
	return nil
}

// HasOperator implements core.OperatorLinkStore.
func (s *Store) HasOperator(context.Context) (bool, error) {
	defer s.lock()()
	_, err := s.subscribers.first(func(r *subscriberRow) bool { return r.Operator })
	return err == nil, nil
}
