package core

import (
	"context"
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
}

const tokenPrefix = "sna_live_"

// IsAccessToken reports whether a bearer credential has the prefix of an access token.
func IsAccessToken(s string) bool { return strings.HasPrefix(s, tokenPrefix) }

// The lifetimes of access tokens.
const (
	AccessTokenLife    = 90 * 24 * time.Hour  // unless the input sets another
	MaxAccessTokenLife = 366 * 24 * time.Hour // a year
)

// AccessTokenInput is the input for a new access token. Without ExpiresAt the token expires after AccessTokenLife, or
// with the token that creates it if that is sooner.
type AccessTokenInput struct {
	Name      string
	ExpiresAt *time.Time
}

// Validate implements Input.
func (in AccessTokenInput) Validate(_ *Rules, now time.Time) []FieldError {
	var f faults
	f.Name("#/name", in.Name, rules.MaxName)
	if in.ExpiresAt != nil && in.ExpiresAt.After(now.Add(MaxAccessTokenLife)) {
		f.Add("#/expiresAt", "too_far", Text{EN: "is more than 366 days ahead", PT: "está a mais de 366 dias"})
	} else {
		f.Expiry("#/expiresAt", in.ExpiresAt, now)
	}
	return f.Faults
}

// faults returns every fault of the input when the caller creates the token. A token does not outlive the token that
// creates it.
func (in AccessTokenInput) faults(c Caller, now time.Time) []FieldError {
	f := faults{in.Validate(nil, now)}
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
	CreateAccessToken(ctx context.Context, t AccessToken, hash []byte, key Idempotency) (AccessToken, Creation, error)
	// ReplayAccessToken returns the response to the first request with the idempotency key; it fails with CodeNotFound
	// when there was none.
	ReplayAccessToken(ctx context.Context, key Idempotency) (AccessToken, Creation, error)
	// AccessTokens returns the tokens that are not revoked, newest first.
	AccessTokens(ctx context.Context, subscriberID ID, page Page) (data []AccessToken, total int64, err error)
	// RevokeAccessToken leaves a revoked token unchanged. It fails with CodeNotFound when the subscriber never had the
	// token.
	RevokeAccessToken(ctx context.Context, subscriberID, id ID, now time.Time) error
}

// AccessTokens creates, checks and revokes access tokens.
type AccessTokens struct {
	store    AccessTokenStore
	announce Announcer
	now      func() time.Time
}

// NewAccessTokens returns the service for access tokens.
func NewAccessTokens(store AccessTokenStore, announce Announcer, now func() time.Time) *AccessTokens {
	return &AccessTokens{store: store, announce: announce, now: now}
}

// List returns the caller's tokens, newest first.
func (a *AccessTokens) List(ctx context.Context, c Caller, page Page) ([]AccessToken, int64, error) {
	return a.store.AccessTokens(ctx, c.SubscriberID, page)
}

// Create creates a token for the caller. The secret is empty when the request is a replay.
func (a *AccessTokens) Create(
	ctx context.Context, c Caller, in AccessTokenInput, key Idempotency,
) (t AccessToken, secret string, creation Creation, err error) {
	now := a.now()
	if err := invalid(in.faults(c, now)); err != nil {
		// A repeated request gets the first response, even if ExpiresAt has passed since.
		if t, creation, replayErr := a.store.ReplayAccessToken(ctx, key); replayErr == nil {
			return t, "", creation, nil
		}
		return AccessToken{}, "", 0, err
	}
	if in.ExpiresAt == nil {
		in.ExpiresAt = new(now.Add(AccessTokenLife))
		if c.ExpiresAt != nil && c.ExpiresAt.Before(*in.ExpiresAt) {
			in.ExpiresAt = c.ExpiresAt
		}
	}
	t, secret = newAccessToken(c.SubscriberID, in, now)
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
		ExpiresAt: in.ExpiresAt, CreatedAt: now,
	}, secret
}

// Revoke revokes one of the caller's tokens and ends its streams.
func (a *AccessTokens) Revoke(ctx context.Context, c Caller, id ID) error {
	err := a.store.RevokeAccessToken(ctx, c.SubscriberID, id, a.now())
	if err == nil {
		a.announce.SignedOut(ctx, id)
	}
	return err
}
