package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// AccessTokensService makes and ends the credentials with which programs act for the
// signed-in person (API: /subscribers/access-tokens).
type AccessTokensService struct{ api *api.Client }

// AccessToken is a token as it is kept, without its secret.
type AccessToken struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Hint is the last characters of the secret, to tell tokens apart.
	Hint      string    `json:"hint"`
	CreatedAt time.Time `json:"createdAt"`
	// LastUsedAt is zero when it never was.
	LastUsedAt time.Time `json:"lastUsedAt,omitzero"`
	// ExpiresAt is zero for a token from before tokens expired.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
	// RevokedAt is zero but in an export, which has those that were revoked too.
	RevokedAt time.Time `json:"revokedAt,omitzero"`
}

// AccessTokenSecret is a new token. Keep the secret: it is shown this once.
type AccessTokenSecret struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Hint is the last characters of the secret, to tell tokens apart.
	Hint string `json:"hint"`
	// Secret is what to give to [WithAccessToken], `sna_live_…`. It is empty when an
	// idempotency key was used again.
	Secret    string    `json:"secret,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
}

// List goes through the tokens, newest first. An error ends it.
func (s *AccessTokensService) List(ctx context.Context) iter.Seq2[AccessToken, error] {
	return listed(func(t AccessToken) string { return t.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListAccessTokens(ctx, &api.ListAccessTokensParams{Limit: limit, Offset: offset})
	})
}

// AccessTokenInput is a token to create. Name is needed.
type AccessTokenInput struct {
	// Name has 1 to 100 characters.
	Name string
	// ExpiresAt is when it expires, at most 366 days ahead. When zero it expires after 90
	// days, or together with the token that creates it if that is sooner.
	ExpiresAt time.Time
}

// Create makes a token, with its secret.
func (s *AccessTokensService) Create(ctx context.Context, in AccessTokenInput, opts ...CallOption) (*AccessTokenSecret, error) {
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	var f faults
	f.text("name", in.Name)
	if err := f.err(); err != nil {
		return nil, err
	}
	return decode[AccessTokenSecret](s.api.CreateAccessToken(ctx, &api.CreateAccessTokenParams{IdempotencyKey: &c.key},
		api.AccessTokenInput{Name: in.Name, ExpiresAt: optionalTime(in.ExpiresAt)}))
}

// Revoke ends a token at once, and its streams. Revoking it again changes nothing.
func (s *AccessTokensService) Revoke(ctx context.Context, id string) error {
	parsed, err := parseID(id)
	if err != nil {
		return err
	}
	return check(s.api.RevokeAccessToken(ctx, parsed))
}
