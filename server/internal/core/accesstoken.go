package core

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/rules"
)

// AccessToken lets a program act for a subscriber. Its secret is shown only once, when the token is created.
type AccessToken struct {
	ID           ID         `json:"id"`
	SubscriberID ID         `json:"subscriberId"`
	Name         string     `json:"name"`
	Hint         string     `json:"hint"`
	ExpiresAt    *time.Time `json:"expiresAt"`
	LastUsedAt   *time.Time `json:"lastUsedAt"`
	CreatedAt    time.Time  `json:"createdAt"`
	RevokedAt    *time.Time `json:"revokedAt"`
	Scopes       []Scope    `json:"scopes"`
	ParentID     *ID        `json:"parentId"` // the token that created it, with which it ends; nil for a person

	Suspension *Suspension `json:"-"` // of the subscriber
}

const tokenPrefix = "sna_live_"

// IsAccessToken reports whether a bearer credential has the prefix of an access token.
func IsAccessToken(s string) bool { return strings.HasPrefix(s, tokenPrefix) }

// TokenRules are the lifetimes of access tokens, in days.
type TokenRules struct {
	Days    int // unless the input sets another
	MaxDays int
}

// DefaultTokenRules returns the lifetimes of installations that choose none.
func DefaultTokenRules() TokenRules { return TokenRules{Days: 90, MaxDays: 366} }

// Life returns the lifetime of tokens without another.
func (r TokenRules) Life() time.Duration { return days(r.Days) }

func days(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }

// AccessTokenInput is the input for a new access token. Without Scopes the token has all of them. Without ExpiresAt it
// expires after the default of TokenRules, or with the token that creates it if that is sooner.
type AccessTokenInput struct {
	Name      string
	Scopes    []Scope
	ExpiresAt *time.Time
}

// Validate implements Input.
func (in AccessTokenInput) Validate(r *Rules, now time.Time) []FieldError {
	var f faults
	f.Name("#/name", in.Name, rules.MaxName)
	if limit := r.tokens.MaxDays; in.ExpiresAt != nil && in.ExpiresAt.After(now.Add(days(limit))) {
		f.Add("#/expiresAt", "too_far", Text{EN: fmt.Sprintf("is more than %d days ahead", limit),
			PT: fmt.Sprintf("está a mais de %d dias", limit)})
	} else {
		f.Expiry("#/expiresAt", in.ExpiresAt, now)
	}
	return f.Faults
}

// faults returns every fault of the input when the caller creates the token. A token does not outlive the token that
// creates it.
func (in AccessTokenInput) faults(r *Rules, c Caller, now time.Time) []FieldError {
	f := faults{in.Validate(r, now)}
	if in.ExpiresAt != nil && c.ExpiresAt != nil && in.ExpiresAt.After(*c.ExpiresAt) && !f.Has("#/expiresAt") {
		f.Add("#/expiresAt", "too_far", Text{EN: "is after the expiry of the access token that creates it",
			PT: "é posterior à validade do token de acesso que o cria"})
	}
	return f.Faults
}

// AccessTokenStore keeps access tokens.
type AccessTokenStore interface {
	// AccessTokenBySecret returns a token that is neither revoked nor expired at now; it fails with CodeNotFound when
	// there is none.
	AccessTokenBySecret(ctx context.Context, hash []byte, now time.Time) (AccessToken, error)
	// CreateAccessToken fails with CodeUnauthenticated when the parent of the token was revoked meanwhile.
	CreateAccessToken(ctx context.Context, t AccessToken, hash []byte, key Idempotency) (AccessToken, Creation, error)
	// ReplayAccessToken returns the response to the first request with the idempotency key; it fails with CodeNotFound
	// when there was none.
	ReplayAccessToken(ctx context.Context, key Idempotency) (AccessToken, Creation, error)
	// AccessTokens returns the tokens that are not revoked, newest first.
	AccessTokens(ctx context.Context, subscriberID ID, page Page) (data []AccessToken, total int64, err error)
	// RevokeAccessToken revokes a token with all that it created, directly or not, and returns their ids. It leaves
	// revoked tokens unchanged, and fails with CodeNotFound when the subscriber never had the token.
	RevokeAccessToken(ctx context.Context, subscriberID, id ID, now time.Time) (revoked []ID, err error)
}

// AccessTokens creates, checks and revokes access tokens.
type AccessTokens struct {
	store    AccessTokenStore
	rules    *Rules
	announce Announcer
	now      func() time.Time
}

// NewAccessTokens returns the service for access tokens.
func NewAccessTokens(store AccessTokenStore, rules *Rules, announce Announcer, now func() time.Time) *AccessTokens {
	return &AccessTokens{store: store, rules: rules, announce: announce, now: now}
}

// List returns the caller's tokens, newest first.
func (a *AccessTokens) List(ctx context.Context, c Caller, page Page) ([]AccessToken, int64, error) {
	return a.store.AccessTokens(ctx, c.SubscriberID, page)
}

// Create creates a token for the caller, who has ScopeManage, with at most the lifetime of the caller's own. The secret
// is empty when the request is a replay.
func (a *AccessTokens) Create(
	ctx context.Context, c Caller, in AccessTokenInput, key Idempotency,
) (t AccessToken, secret string, creation Creation, err error) {
	if err := c.RequireScope(ScopeManage); err != nil {
		return AccessToken{}, "", 0, err
	}
	now := a.now()
	if err := invalid(in.faults(a.rules, c, now)); err != nil {
		// A repeated request gets the first response, even if ExpiresAt has passed since.
		if t, creation, replayErr := a.store.ReplayAccessToken(ctx, key); replayErr == nil {
			return t, "", creation, nil
		}
		return AccessToken{}, "", 0, err
	}
	if in.ExpiresAt == nil {
		in.ExpiresAt = new(now.Add(a.rules.tokens.Life()))
		if c.ExpiresAt != nil && c.ExpiresAt.Before(*in.ExpiresAt) {
			in.ExpiresAt = c.ExpiresAt
		}
	}
	t, secret = newAccessToken(c.SubscriberID, in, now)
	if c.ByToken() {
		t.ParentID = &c.TokenID
	}
	t, creation, err = a.store.CreateAccessToken(ctx, t, HashSecret(secret), key)
	if err != nil || creation != Created {
		secret = ""
	}
	return t, secret, creation, err
}

func newAccessToken(subscriberID ID, in AccessTokenInput, now time.Time) (t AccessToken, secret string) {
	secret = newSecret(tokenPrefix)
	return AccessToken{
		ID: NewID(), SubscriberID: subscriberID, Name: in.Name, Hint: hint(secret),
		Scopes: newTokenScopes(in.Scopes), ExpiresAt: in.ExpiresAt, CreatedAt: now,
	}, secret
}

// Revoke revokes one of the caller's tokens with all that it created, and ends their streams.
func (a *AccessTokens) Revoke(ctx context.Context, c Caller, id ID) error {
	revoked, err := a.store.RevokeAccessToken(ctx, c.SubscriberID, id, a.now())
	for _, id := range revoked {
		a.announce.SignedOut(ctx, id)
	}
	return err
}
