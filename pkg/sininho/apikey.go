package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// APIKeysService makes and ends the keys of a publisher
// (API: /publishers/{publisherSlug}/api-keys). It needs the access token of a member, and
// for changes an owner's.
type APIKeysService struct{ api *api.Client }

// APIKey is a key as it is kept, without its secret.
type APIKey struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Hint is the last characters of the secret, to tell keys apart.
	Hint      string    `json:"hint"`
	Scopes    []Scope   `json:"scopes"`
	CreatedAt time.Time `json:"createdAt"`
	// LastUsedAt is zero when it never was.
	LastUsedAt time.Time `json:"lastUsedAt,omitzero"`
	// ExpiresAt is zero when it does not expire.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
	// RotatedAt is zero unless it has a successor.
	RotatedAt time.Time `json:"rotatedAt,omitzero"`
}

// APIKeySecret is a new key. Keep the secret: it is shown this once.
type APIKeySecret struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Hint is the last characters of the secret, to tell keys apart.
	Hint string `json:"hint"`
	// Secret is what to give to [WithAPIKey], `snh_live_…`. It is empty when an idempotency
	// key was used again.
	Secret    string    `json:"secret,omitzero"`
	Scopes    []Scope   `json:"scopes"`
	CreatedAt time.Time `json:"createdAt"`
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
}

// APIKeyInput is a key to create. Name and Scopes are needed.
type APIKeyInput struct {
	// Name has 1 to 100 characters.
	Name   string
	Scopes []Scope
	// ExpiresAt, in the future, is when it ends by itself; zero for never.
	ExpiresAt time.Time
}

// List goes through the keys. An error ends it.
func (s *APIKeysService) List(ctx context.Context, publisher string) iter.Seq2[APIKey, error] {
	slug, err := parseSlug(publisher)
	if err != nil {
		return failed[APIKey](err)
	}
	return listed(func(k APIKey) string { return k.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListAPIKeys(ctx, slug, &api.ListAPIKeysParams{Limit: limit, Offset: offset})
	})
}

// Create makes a key, with its secret.
func (s *APIKeysService) Create(ctx context.Context, publisher string, in APIKeyInput, opts ...CallOption) (*APIKeySecret, error) {
	slug, err := parseSlug(publisher)
	if err != nil {
		return nil, err
	}
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	var f faults
	f.text("name", in.Name)
	if err := f.err(); err != nil {
		return nil, err
	}
	scopes := make([]api.Scope, len(in.Scopes))
	for i, scope := range in.Scopes {
		scopes[i] = api.Scope(scope)
	}
	return decode[APIKeySecret](s.api.CreateAPIKey(ctx, slug, &api.CreateAPIKeyParams{IdempotencyKey: &c.key},
		api.APIKeyInput{Name: in.Name, Scopes: scopes, ExpiresAt: optionalTime(in.ExpiresAt)}))
}

// Rotate makes a new key with the name, scopes and end of an old one, which stays good until
// oldExpiresAt; zero for 24 hours from now. A key is rotated once: again is an [ErrConflict]
// with the code [CodeAlreadyRotated], and what to rotate is its successor.
func (s *APIKeysService) Rotate(ctx context.Context, publisher, id string, oldExpiresAt time.Time, opts ...CallOption) (*APIKeySecret, error) {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return nil, err
	}
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	return decode[APIKeySecret](s.api.RotateAPIKey(ctx, slug, parsed, &api.RotateAPIKeyParams{IdempotencyKey: &c.key},
		api.APIKeyRotation{OldExpiresAt: optionalTime(oldExpiresAt)}))
}

// Revoke ends a key at once. Revoking it again changes nothing.
func (s *APIKeysService) Revoke(ctx context.Context, publisher, id string) error {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return err
	}
	return check(s.api.RevokeAPIKey(ctx, slug, parsed))
}
