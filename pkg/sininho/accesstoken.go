package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// AccessTokensService creates and revokes access tokens, with which programs act for the signed-in
// person (API: /subscribers/access-tokens).
type AccessTokensService struct{ api *api.Client }

// AccessToken is an existing access token, without its secret.
type AccessToken struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Hint is the last characters of the secret, so that people can distinguish tokens.
	Hint   string  `json:"hint"`
	Scopes []Scope `json:"scopes"`
	// ParentID is the id of the token that created it, with which it ends; empty for one that the person created.
	ParentID  string    `json:"parentId,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
	// LastUsedAt is zero if the token was never used.
	LastUsedAt time.Time `json:"lastUsedAt,omitzero"`
	ExpiresAt  time.Time `json:"expiresAt,omitzero"`
	// RevokedAt is set only in an export, which includes revoked tokens.
	RevokedAt time.Time `json:"revokedAt,omitzero"`
}

// AccessTokenSecret is a new access token. Store the secret: it is shown only once.
type AccessTokenSecret struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Hint is the last characters of the secret, so that people can distinguish tokens.
	Hint string `json:"hint"`
	// Secret is the value for [WithAccessToken], `sna_live_…`. It is empty in the replayed response
	// to a repeated idempotency key.
	Secret    string    `json:"secret,omitzero"`
	Scopes    []Scope   `json:"scopes"`
	CreatedAt time.Time `json:"createdAt"`
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
}

// List iterates over the access tokens, newest first. The iteration ends at the first error.
func (s *AccessTokensService) List(ctx context.Context) iter.Seq2[AccessToken, error] {
	return listed(func(t AccessToken) string { return t.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListAccessTokens(ctx, &api.ListAccessTokensParams{Limit: limit, Offset: offset})
	})
}

// AccessTokenInput describes an access token to create. Name is required.
type AccessTokenInput struct {
	// Name has 1 to 100 characters.
	Name string
	// Scopes are what the token may do. If there are none, it has all.
	Scopes []Scope
	// ExpiresAt is at most 366 days ahead, unless the server has another limit. If it is zero, the token expires after
	// the server's default of 90 days, or together with the access token that creates it if that is sooner.
	ExpiresAt time.Time
}

// Create creates an access token and returns it with its secret. A client with an access token needs [ScopeManage] to
// create another, which ends with it.
func (s *AccessTokensService) Create(
	ctx context.Context, in AccessTokenInput, opts ...CallOption,
) (*AccessTokenSecret, error) {
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
		api.AccessTokenInput{Name: in.Name, Scopes: tokenScopes(in.Scopes), ExpiresAt: optionalTime(in.ExpiresAt)}))
}

func tokenScopes(scopes []Scope) []api.TokenScopeInput {
	out := make([]api.TokenScopeInput, len(scopes))
	for i, scope := range scopes {
		out[i] = api.TokenScopeInput(scope)
	}
	return out
}

// Revoke revokes an access token and those that it created at once, and ends their streams. Revoking it again changes
// nothing.
func (s *AccessTokensService) Revoke(ctx context.Context, id string) error {
	parsed, err := parseID(id)
	if err != nil {
		return err
	}
	return check(s.api.RevokeAccessToken(ctx, parsed))
}
