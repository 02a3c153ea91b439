package core

import (
	"context"
	"time"

	"github.com/sininho/sininho/pkg/rules"
)

// APIKey is a publisher's credential. Its secret is shown only once, when the key is created.
type APIKey struct {
	ID          ID          `json:"id"`
	PublisherID ID          `json:"publisherId"`
	Name        string      `json:"name"`
	Hint        string      `json:"hint"`
	Scopes      []Scope     `json:"scopes"`
	ExpiresAt   *time.Time  `json:"expiresAt"`
	LastUsedAt  *time.Time  `json:"lastUsedAt"`
	CreatedAt   time.Time   `json:"createdAt"`
	RotatedAt   *time.Time  `json:"rotatedAt"` // when its successor was created; nil without one
	CreatedBy   *KeyCreator `json:"createdBy"` // nil if no person did

	AccountID  ID          `json:"-"` // that answers for the publisher; set only by APIKeyBySecret
	Suspension *Suspension `json:"-"` // of the publisher; likewise
}

// KeyCreator is the person who created an API key, and so has seen its secret.
type KeyCreator struct {
	ID     ID     `json:"id"`     // zero if they deleted their account
	Name   string `json:"name"`   // empty likewise
	Member bool   `json:"member"` // whether they are still a member of the publisher
}

const keyPrefix = "snh_live_"

// NewAPIKeySecret returns a new secret of an API key.
func NewAPIKeySecret() string { return newSecret(keyPrefix) }

// rotationGrace is how long a rotated key stays valid, unless its owner chooses another time.
const rotationGrace = 24 * time.Hour

// Rotate returns the successor of k, which has the same expiry time; if k has expired, it lives as long as k did. The
// key itself expires at oldExpiresAt, or after rotationGrace if that is nil, but never later than before. Rotate fails
// with CodeConflict if the key already has a successor.
func (k *APIKey) Rotate(id ID, hint string, oldExpiresAt *time.Time, now time.Time) (successor APIKey, err error) {
	if k.RotatedAt != nil {
		return APIKey{}, Conflict("already_rotated",
			Text{EN: "This key was already rotated. Rotate its successor or create a new key.",
				PT: "Esta chave já foi rodada. Rode a que lhe sucedeu ou crie uma nova."})
	}
	successor = APIKey{ID: id, PublisherID: k.PublisherID, Name: k.Name, Hint: hint, Scopes: k.Scopes, CreatedAt: now}
	successor.ExpiresAt = k.ExpiresAt
	if k.ExpiresAt != nil && !k.ExpiresAt.After(now) {
		successor.ExpiresAt = new(now.Add(k.ExpiresAt.Sub(k.CreatedAt)))
	}
	end := now.Add(rotationGrace)
	if oldExpiresAt != nil {
		end = *oldExpiresAt
	}
	if end.Before(now) {
		end = now
	}
	if k.ExpiresAt == nil || k.ExpiresAt.After(end) {
		k.ExpiresAt = &end
	}
	k.RotatedAt = &now
	return successor, nil
}

// APIKeyInput is the input for a new API key.
type APIKeyInput struct {
	Name      string
	Scopes    []Scope
	ExpiresAt *time.Time
}

// Validate implements Input.
func (in APIKeyInput) Validate(_ *Rules, now time.Time) []FieldError {
	var f faults
	f.Name("#/name", in.Name, rules.MaxName)
	f.Expiry("#/expiresAt", in.ExpiresAt, now)
	return f.Faults
}

// APIKeyRotation is the input for replacing an API key. The old key stays valid until OldExpiresAt, or for a day if
// that is nil.
type APIKeyRotation struct{ OldExpiresAt *time.Time }

// Validate implements Input.
func (in APIKeyRotation) Validate(_ *Rules, now time.Time) []FieldError {
	var f faults
	if in.OldExpiresAt != nil && in.OldExpiresAt.After(now) { // a time in the past ends the old key at once
		f.Expiry("#/oldExpiresAt", in.OldExpiresAt, now)
	}
	return f.Faults
}

// APIKeyStore keeps API keys.
type APIKeyStore interface {
	// APIKeyBySecret returns a key that is neither revoked nor expired at now; it fails with CodeNotFound when there is
	// none.
	APIKeyBySecret(ctx context.Context, hash []byte, now time.Time) (APIKey, error)
	// APIKeys returns the keys that are not revoked, newest first.
	APIKeys(ctx context.Context, publisherID ID, page Page) (data []APIKey, total int64, err error)
	CreateAPIKey(ctx context.Context, k APIKey, hash []byte, key Idempotency) (APIKey, Creation, error)
	// ReplayAPIKey returns the response to the first request with the idempotency key; it fails with CodeNotFound when
	// there was none.
	ReplayAPIKey(ctx context.Context, key Idempotency) (APIKey, Creation, error)
	// RotateAPIKey locks a key that is not revoked, calls rotate to create its successor, and stores the successor with
	// its hash and the new expiry time of the key.
	RotateAPIKey(
		ctx context.Context, publisherID, id ID, hash []byte, key Idempotency, rotate func(*APIKey) (APIKey, error),
	) (APIKey, Creation, error)
	// RevokeAPIKey leaves a revoked key unchanged. It fails with CodeNotFound when the publisher never had the key.
	RevokeAPIKey(ctx context.Context, publisherID, id ID, now time.Time) error
}

type apiKeysStore interface {
	APIKeyStore
	PublisherStore
}

// APIKeys creates, checks, rotates and revokes API keys.
type APIKeys struct {
	store    apiKeysStore
	announce Announcer
	now      func() time.Time
}

// NewAPIKeys returns the service for API keys.
func NewAPIKeys(store apiKeysStore, announce Announcer, now func() time.Time) *APIKeys {
	return &APIKeys{store: store, announce: announce, now: now}
}

// List returns the keys of a publisher of which the caller is a member.
func (a *APIKeys) List(ctx context.Context, c Caller, publisherSlug string, page Page) ([]APIKey, int64, error) {
	p, err := myPublisher(ctx, a.store, c, publisherSlug)
	if err != nil {
		return nil, 0, err
	}
	return a.store.APIKeys(ctx, p.ID, page)
}

// Create creates a key for a publisher that the caller owns. The secret is empty when the request is a replay.
func (a *APIKeys) Create(
	ctx context.Context, c Caller, publisherSlug string, in APIKeyInput, key Idempotency,
) (k APIKey, secret string, creation Creation, err error) {
	p, err := ownPublisher(ctx, a.store, c, publisherSlug)
	if err != nil {
		return APIKey{}, "", 0, err
	}
	now := a.now()
	if err := invalid(in.Validate(nil, now)); err != nil {
		// A repeated request gets the first response, even if ExpiresAt has passed since.
		if k, creation, replayErr := a.store.ReplayAPIKey(ctx, key); replayErr == nil {
			return k, "", creation, nil
		}
		return APIKey{}, "", 0, err
	}
	secret = NewAPIKeySecret()
	k = APIKey{
		ID: NewID(), PublisherID: p.ID, Name: in.Name, Hint: hint(secret), Scopes: in.Scopes,
		ExpiresAt: in.ExpiresAt, CreatedAt: now, CreatedBy: &KeyCreator{ID: c.SubscriberID},
	}
	k, creation, err = a.store.CreateAPIKey(ctx, k, HashSecret(secret), key)
	if err != nil || creation != Created {
		secret = ""
	}
	return k, secret, creation, err
}

// Rotate creates the successor of a key, for a publisher that the caller owns. The secret is empty when the request is
// a replay.
func (a *APIKeys) Rotate(
	ctx context.Context, c Caller, publisherSlug string, id ID, in APIKeyRotation, key Idempotency,
) (k APIKey, secret string, creation Creation, err error) {
	p, err := ownPublisher(ctx, a.store, c, publisherSlug)
	if err != nil {
		return APIKey{}, "", 0, err
	}
	now, successor := a.now(), NewID()
	if err := invalid(in.Validate(nil, now)); err != nil {
		return APIKey{}, "", 0, err
	}
	secret = NewAPIKeySecret()
	k, creation, err = a.store.RotateAPIKey(ctx, p.ID, id, HashSecret(secret), key, func(old *APIKey) (APIKey, error) {
		k, err := old.Rotate(successor, hint(secret), in.OldExpiresAt, now)
		k.CreatedBy = &KeyCreator{ID: c.SubscriberID}
		return k, err
	})
	if err != nil || creation != Created {
		return k, "", creation, err
	}
	a.announce.SignedOut(ctx, id) // its streams reconnect and then end when the key expires
	return k, secret, creation, nil
}

// Revoke revokes a key of a publisher that the caller owns, and ends its streams.
func (a *APIKeys) Revoke(ctx context.Context, c Caller, publisherSlug string, id ID) error {
	p, err := ownPublisher(ctx, a.store, c, publisherSlug)
	if err != nil {
		return err
	}
	if err = a.store.RevokeAPIKey(ctx, p.ID, id, a.now()); err == nil {
		a.announce.SignedOut(ctx, id)
	}
	return err
}
