package core

import (
	"context"
	"strings"
	"time"
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

// Validate reports every fault of the input.
func (in AccessTokenInput) Validate(now time.Time) error {
	var f faults
	f.name("#/name", in.Name)
	if in.ExpiresAt != nil && in.ExpiresAt.After(now.Add(MaxAccessTokenLife)) {
		f.add("#/expiresAt", "too_far", Text{"is more than 366 days ahead", "está a mais de 366 dias"})
	} else {
		f.expiry("#/expiresAt", in.ExpiresAt, now)
	}
	return f.err()
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
	Store    AccessTokenStore
	Announce Announcer
	Now      func() time.Time
}

// Authenticate returns the subscriber of the token with that secret as a Caller. It fails with CodeUnauthenticated if
// the token is unknown, expired or revoked.
func (a *AccessTokens) Authenticate(ctx context.Context, secret string) (Caller, error) {
	bad := Unauthenticated(Text{"This access token is not valid, or no longer.", "Este token de acesso não é válido ou já não o é."})
	if !wellFormed(tokenPrefix, secret) {
		return Caller{}, bad
	}
	t, err := a.Store.AccessTokenBySecret(ctx, HashSecret(secret), a.Now())
	if IsCode(err, CodeNotFound) {
		return Caller{}, bad
	}
	if err != nil {
		return Caller{}, err
	}
	return Caller{Kind: CallerSubscriber, SubscriberID: t.SubscriberID, TokenID: t.ID, ExpiresAt: t.ExpiresAt}, nil
}

// Create creates a token for the caller. The secret is empty when the request is a replay.
func (a *AccessTokens) Create(ctx context.Context, c Caller, in AccessTokenInput, key Idempotency) (t AccessToken, secret string, creation Creation, err error) {
	now := a.Now()
	if err := in.Validate(now); err != nil {
		// A repeated request gets the first response, even if ExpiresAt has passed since.
		if t, creation, replayErr := a.Store.ReplayAccessToken(ctx, key); replayErr == nil {
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
	if c.ExpiresAt != nil && in.ExpiresAt.After(*c.ExpiresAt) {
		return AccessToken{}, "", 0, Invalid(FieldError{"#/expiresAt", "too_far",
			Text{"is after the end of the access token that asks", "é posterior ao fim do token de acesso que o pede"}})
	}
	t, secret = newAccessToken(c.SubscriberID, in, now)
	t, creation, err = a.Store.CreateAccessToken(ctx, t, HashSecret(secret), key)
	if err != nil || creation != Created {
		secret = ""
	}
	return t, secret, creation, err
}

func newAccessToken(subscriberID ID, in AccessTokenInput, now time.Time) (t AccessToken, secret string) {
	secret = newSecret(tokenPrefix)
	return AccessToken{ID: NewID(), SubscriberID: subscriberID, Name: in.Name, Hint: hint(secret), ExpiresAt: in.ExpiresAt, CreatedAt: now}, secret
}

// Revoke revokes one of the caller's tokens and ends its streams.
func (a *AccessTokens) Revoke(ctx context.Context, c Caller, id ID) error {
	err := a.Store.RevokeAccessToken(ctx, c.SubscriberID, id, a.Now())
	if err == nil {
		a.Announce.SignedOut(ctx, id)
	}
	return err
}
