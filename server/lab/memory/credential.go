package memory

import (
	"cmp"
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var _ interface {
	core.APIKeyStore
	core.AccessTokenStore
	core.DeviceSignInStore
} = (*Store)(nil)

type apiKeyRow struct {
	core.APIKey
	hash    string
	revoked bool
}

type tokenRow struct {
	core.AccessToken
	hash string
}

type signInRow struct {
	core.DeviceSignIn
	hash string
}

func expired(at *time.Time, now time.Time) bool { return at != nil && !at.After(now) }

// APIKeyBySecret implements core.APIKeyStore.
func (s *Store) APIKeyBySecret(_ context.Context, hash []byte, now time.Time) (core.APIKey, error) {
	defer s.lock()()
	r, err := s.apiKeys.first(func(k *apiKeyRow) bool {
		return k.hash == string(hash) && !k.revoked && !expired(k.ExpiresAt, now)
	})
	if err != nil {
		return core.APIKey{}, err
	}
	r.LastUsedAt = &now
	k := r.APIKey
	k.AccountID, k.Suspension = s.account(k.PublisherID), s.publishers[k.PublisherID].Suspension
	return k, nil
}

// account returns who answers for a publisher.
func (s *Store) account(publisherID core.ID) core.ID {
	for _, m := range s.membersOf(publisherID) {
		if m.role == core.RoleOwner {
			return m.id
		}
	}
	return publisherID
}

func (s *Store) keysOf(publisherID core.ID) []*apiKeyRow {
	return s.apiKeys.where(func(k *apiKeyRow) bool { return k.PublisherID == publisherID && !k.revoked })
}

// APIKeys implements core.APIKeyStore.
func (s *Store) APIKeys(_ context.Context, publisherID core.ID, page core.Page) ([]core.APIKey, int64, error) {
	defer s.lock()()
	rows := newest(s.keysOf(publisherID), func(k *apiKeyRow) time.Time { return k.CreatedAt })
	return paged(rows, page, func(k *apiKeyRow) core.APIKey {
		shown := k.APIKey
		by := *k.CreatedBy
		if p, ok := s.subscribers[by.ID]; ok {
			by.Name, by.Member = p.Name, s.role(publisherID, by.ID) != ""
		}
		shown.CreatedBy = &by
		return shown
	})
}

// checkKeys fails when a publisher has too many valid keys that were rotated, or that were not.
func (s *Store) checkKeys(publisherID core.ID, rotated bool, now time.Time) error {
	has := 0
	for _, k := range s.keysOf(publisherID) {
		if !expired(k.ExpiresAt, now) && (k.RotatedAt != nil) == rotated {
			has++
		}
	}
	return s.checkCap(core.CapAPIKeys, has)
}

// CreateAPIKey implements core.APIKeyStore.
func (s *Store) CreateAPIKey(
	ctx context.Context, k core.APIKey, hash []byte, key core.Idempotency,
) (core.APIKey, core.Creation, error) {
	defer s.lock()()
	creation, err := once(s, key, &k, func() (core.Creation, error) {
		if err := s.checkKeys(k.PublisherID, false, k.CreatedAt); err != nil {
			return 0, err
		}
		s.apiKeys[k.ID] = &apiKeyRow{APIKey: k, hash: string(hash)}
		s.audit(ctx, k.PublisherID, k.ID, k.Name)
		return core.Created, nil
	})
	return k, creation, err
}

// ReplayAPIKey implements core.APIKeyStore.
func (s *Store) ReplayAPIKey(_ context.Context, key core.Idempotency) (core.APIKey, core.Creation, error) {
	return replayed[core.APIKey](s, key)
}

// RotateAPIKey implements core.APIKeyStore.
func (s *Store) RotateAPIKey(
	ctx context.Context, publisherID, id core.ID, hash []byte, key core.Idempotency,
	rotate func(*core.APIKey) (core.APIKey, error),
) (k core.APIKey, creation core.Creation, err error) {
	defer s.lock()()
	creation, err = once(s, key, &k, func() (core.Creation, error) {
		r, err := s.apiKeys.get(id)
		if err != nil || r.PublisherID != publisherID || r.revoked {
			return 0, core.NotFound()
		}
		old := r.APIKey
		if k, err = rotate(&old); err == nil {
			err = s.checkKeys(publisherID, true, k.CreatedAt)
		}
		if err != nil {
			return 0, err
		}
		r.APIKey = old
		s.apiKeys[k.ID] = &apiKeyRow{APIKey: k, hash: string(hash)}
		s.audit(ctx, publisherID, k.ID, k.Name)
		return core.Created, nil
	})
	return k, creation, err
}

// RevokeAPIKey implements core.APIKeyStore.
func (s *Store) RevokeAPIKey(ctx context.Context, publisherID, id core.ID, _ time.Time) error {
	defer s.lock()()
	k, err := s.apiKeys.get(id)
	if err != nil || k.PublisherID != publisherID {
		return core.NotFound()
	}
	k.revoked = true
	s.audit(ctx, publisherID, id, k.Name)
	return nil
}

func (s *Store) revokeKeysOf(publisherID, creator core.ID, _ time.Time) (revoked []core.ID) {
	for _, k := range s.keysOf(publisherID) {
		if k.CreatedBy.ID == creator {
			k.revoked = true
			revoked = append(revoked, k.ID)
		}
	}
	return revoked
}

// AccessTokenBySecret implements core.AccessTokenStore.
func (s *Store) AccessTokenBySecret(_ context.Context, hash []byte, now time.Time) (core.AccessToken, error) {
	defer s.lock()()
	r, err := s.tokens.first(func(t *tokenRow) bool {
		return t.hash == string(hash) && t.RevokedAt == nil && !expired(t.ExpiresAt, now)
	})
	if err != nil {
		return core.AccessToken{}, err
	}
	r.LastUsedAt = &now
	t := r.AccessToken
	t.Suspension = s.subscribers[t.SubscriberID].Suspension
	return t, nil
}

// tokensOf returns a person's tokens that are not revoked.
func (s *Store) tokensOf(subscriberID core.ID) []*tokenRow {
	return s.tokens.where(func(t *tokenRow) bool { return t.SubscriberID == subscriberID && t.RevokedAt == nil })
}

func (s *Store) putToken(t core.AccessToken, hash []byte) error {
	has := 0
	for _, o := range s.tokensOf(t.SubscriberID) {
		if !expired(o.ExpiresAt, t.CreatedAt) {
			has++
		}
	}
	if err := s.checkCap(core.CapAccessTokens, has); err != nil {
		return err
	}
	s.tokens[t.ID] = &tokenRow{t, string(hash)}
	return nil
}

// CreateAccessToken implements core.AccessTokenStore.
func (s *Store) CreateAccessToken(
	ctx context.Context, t core.AccessToken, hash []byte, key core.Idempotency,
) (core.AccessToken, core.Creation, error) {
	defer s.lock()()
	creation, err := once(s, key, &t, func() (core.Creation, error) {
		if t.ParentID != nil {
			if parent, ok := s.tokens[*t.ParentID]; !ok || parent.RevokedAt != nil {
				return 0, core.ErrTokenRevoked()
			}
		}
		if _, ok := s.subscribers[t.SubscriberID]; !ok {
			return 0, core.ErrSessionEnded()
		}
		s.audit(ctx, core.ID{}, t.ID, t.Name)
		return core.Created, s.putToken(t, hash)
	})
	return t, creation, err
}

// ReplayAccessToken implements core.AccessTokenStore.
func (s *Store) ReplayAccessToken(_ context.Context, key core.Idempotency) (core.AccessToken, core.Creation, error) {
	return replayed[core.AccessToken](s, key)
}

// AccessTokens implements core.AccessTokenStore.
func (s *Store) AccessTokens(
	_ context.Context, subscriberID core.ID, page core.Page,
) ([]core.AccessToken, int64, error) {
	defer s.lock()()
	rows := newest(s.tokensOf(subscriberID), func(t *tokenRow) time.Time { return t.CreatedAt })
	return paged(rows, page, func(t *tokenRow) core.AccessToken { return t.AccessToken })
}

// RevokeAccessToken implements core.AccessTokenStore.
func (s *Store) RevokeAccessToken(
	ctx context.Context, subscriberID, id core.ID, now time.Time,
) (revoked []core.ID, err error) {
	defer s.lock()()
	t, err := s.tokens.get(id)
	if err != nil || t.SubscriberID != subscriberID {
		return nil, core.NotFound()
	}
	revoked = []core.ID{id}
	for i := 0; i < len(revoked); i++ {
		of := s.tokens[revoked[i]]
		of.RevokedAt = cmp.Or(of.RevokedAt, &now)
		isChild := func(t *tokenRow) bool { return t.ParentID != nil && *t.ParentID == of.ID }
		for _, child := range s.tokens.where(isChild) {
			revoked = append(revoked, child.ID)
		}
		s.retire(core.RetiredSignedOut, now, func(d *deviceRow) bool { return d.tokenID == of.ID })
	}
	s.audit(ctx, core.ID{}, id, t.Name)
	return revoked, nil
}

// CreateDeviceSignIn implements core.DeviceSignInStore.
func (s *Store) CreateDeviceSignIn(_ context.Context, d core.DeviceSignIn, hash []byte) error {
	defer s.lock()()
	if _, err := s.signIns.first(func(r *signInRow) bool { return r.UserCode == d.UserCode }); err == nil {
		return core.Unavailable(nil)
	}
	s.signIns[d.ID] = &signInRow{d, string(hash)}
	return nil
}

func (s *Store) undecided(code core.UserCode, now time.Time) (*signInRow, error) {
	return s.signIns.first(func(r *signInRow) bool {
		return r.UserCode == code && r.Approved == nil && r.ExpiresAt.After(now)
	})
}

// DeviceSignIn implements core.DeviceSignInStore.
func (s *Store) DeviceSignIn(_ context.Context, code core.UserCode, now time.Time) (core.DeviceSignIn, error) {
	defer s.lock()()
	r, err := s.undecided(code, now)
	if err != nil {
		return core.DeviceSignIn{}, err
	}
	return r.DeviceSignIn, nil
}

// DecideDeviceSignIn implements core.DeviceSignInStore.
func (s *Store) DecideDeviceSignIn(
	_ context.Context, code core.UserCode, subscriberID core.ID, approved bool, now time.Time,
) error {
	defer s.lock()()
	r, err := s.undecided(code, now)
	if err == nil {
		r.SubscriberID, r.Approved = &subscriberID, &approved
	}
	return err
}

// PollDeviceSignIn implements core.DeviceSignInStore.
func (s *Store) PollDeviceSignIn(_ context.Context, hash []byte, poll func(*core.DeviceSignIn)) error {
	defer s.lock()()
	r, err := s.signIns.first(func(r *signInRow) bool { return r.hash == string(hash) })
	if err == nil {
		poll(&r.DeviceSignIn)
	}
	return err
}

// TakeDeviceSignIn implements core.DeviceSignInStore.
func (s *Store) TakeDeviceSignIn(
	_ context.Context, id core.ID, t core.AccessToken, hash []byte, now time.Time,
) error {
	defer s.lock()()
	if p := s.subscribers[t.SubscriberID]; p.Suspension != nil {
		return core.ErrSuspended(core.SuspendableSubscriber, *p.Suspension)
	}
	if err := s.take(id, now); err != nil {
		return err
	}
	return s.putToken(t, hash)
}

// TakeBrowserSignIn implements core.DeviceSignInStore.
func (s *Store) TakeBrowserSignIn(_ context.Context, id core.ID, now time.Time) error {
	defer s.lock()()
	return s.take(id, now)
}

func (s *Store) take(id core.ID, now time.Time) error {
	r, err := s.signIns.get(id)
	if err != nil || r.TakenAt != nil {
		return core.NotFound()
	}
	r.TakenAt = &now
	return nil
}
