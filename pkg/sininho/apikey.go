package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// APIKeysService creates and revokes the API keys of a publisher (API: /publishers/{publisherSlug}/api-keys).
// It needs the access token of a member and, for changes, of an owner.
type APIKeysService struct{ api *api.Client }

// APIKey is an existing API key, without its secret.
type APIKey struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Hint is the last characters of the secret, so that people can distinguish keys.
	Hint      string    `json:"hint"`
	Scopes    []Scope   `json:"scopes"`
	CreatedAt time.Time `json:"createdAt"`
	// LastUsedAt is zero if the key was never used.
	LastUsedAt time.Time `json:"lastUsedAt,omitzero"`
	// ExpiresAt is zero if the key does not expire.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
	// RotatedAt is zero unless the key has a successor.
	RotatedAt time.Time `json:"rotatedAt,omitzero"`
	// CreatedBy is the person who created the key; nil if that was not recorded.
	CreatedBy *APIKeyCreator `json:"createdBy,omitempty"`
}

// APIKeyCreator is the person who created an API key and was shown its secret.
type APIKeyCreator struct {
	// ID and Name are empty if the person has no account any more.
	ID   string `json:"id,omitzero"`
	Name string `json:"name,omitzero"`
	// Member reports whether the person is still a member of the publisher. If not, rotate the key.
	Member bool `json:"member"`
}

// APIKeySecret is a new API key. Store the secret: it is shown only once.
type APIKeySecret struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Hint is the last characters of the secret, so that people can distinguish keys.
	Hint string `json:"hint"`
	// Secret is the value for [WithAPIKey], `snh_live_…`. It is empty in the replayed response to a
	// repeated idempotency key.
	Secret    string    `json:"secret,omitzero"`
	Scopes    []Scope   `json:"scopes"`
	CreatedAt time.Time `json:"createdAt"`
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
}

// APIKeyInput describes an API key to create. Name and Scopes are required.
type APIKeyInput struct {
	// Name has 1 to 100 characters.
	Name   string
	Scopes []Scope
	// ExpiresAt, in the future, is when the key expires; zero means never.
	ExpiresAt time.Time
}

// List iterates over the API keys of a publisher. The iteration ends at the first error.
func (s *APIKeysService) List(ctx context.Context, publisher string) iter.Seq2[APIKey, error] {
	slug, err := parseSlug(publisher)
	if err != nil {
		return failed[APIKey](err)
	}
	return listed(func(k APIKey) string { return k.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListAPIKeys(ctx, slug, &api.ListAPIKeysParams{Limit: limit, Offset: offset})
	})
}

// Create creates an API key and returns it with its secret.
func (s *APIKeysService) Create(
	ctx context.Context, publisher string, in APIKeyInput, opts ...CallOption,
) (*APIKeySecret, error) {
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

// Rotate creates a new key with the name, scopes and expiry of an old one, which stays valid until
// oldExpiresAt, or for 24 hours if that is zero. A key can be rotated only once: a second rotation
// fails with [ErrConflict] and the code [CodeAlreadyRotated]; rotate its successor instead.
func (s *APIKeysService) Rotate(
	ctx context.Context, publisher, id string, oldExpiresAt time.Time, opts ...CallOption,
) (*APIKeySecret, error) {
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

// Revoke revokes an API key at once. Revoking it again changes nothing.
func (s *APIKeysService) Revoke(ctx context.Context, publisher, id string) error {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return err
	}
	return check(s.api.RevokeAPIKey(ctx, slug, parsed))
}
