package core

import (
	"context"
	"time"
)

type credentialsStore interface {
	APIKeyBySecret(ctx context.Context, hash []byte, now time.Time) (APIKey, error)
	AccessTokenBySecret(ctx context.Context, hash []byte, now time.Time) (AccessToken, error)
}

// Credentials identifies callers by their API keys and access tokens.
type Credentials struct {
	store credentialsStore
	now   func() time.Time
}

// NewCredentials returns the service that identifies callers.
func NewCredentials(store credentialsStore, now func() time.Time) *Credentials {
	return &Credentials{store: store, now: now}
}

// WellFormedCredential reports whether s has the form and the checksum of an API key or access token. Every credential
// that was ever issued has both.
func WellFormedCredential(s string) bool {
	return wellFormed(keyPrefix, s) || wellFormed(tokenPrefix, s)
}

// Authenticate returns the caller with that API key or access token. It fails with CodeUnauthenticated if the
// credential is unknown, expired or revoked, and with CodeForbidden if its publisher or account is suspended.
func (a *Credentials) Authenticate(ctx context.Context, secret string) (Caller, error) {
	find, invalid := a.byKey, errKeyRevoked
	if IsAccessToken(secret) {
		find, invalid = a.byToken, ErrTokenRevoked
	}
	if !WellFormedCredential(secret) {
		return Caller{}, invalid()
	}
	c, err := find(ctx, HashSecret(secret))
	if IsCode(err, CodeNotFound) {
		return Caller{}, invalid()
	}
	return c, err
}

func errKeyRevoked() *Error {
	return Unauthenticated(Text{EN: "Invalid or revoked API key.", PT: "Chave de API inválida ou revogada."})
}

// ErrTokenRevoked returns the error for an access token that does not exist, has expired or was revoked.
func ErrTokenRevoked() *Error {
	return Unauthenticated(Text{EN: "Invalid, expired or revoked access token.",
		PT: "Token de acesso inválido, expirado ou revogado."})
}

func (a *Credentials) byKey(ctx context.Context, hash []byte) (Caller, error) {
	k, err := a.store.APIKeyBySecret(ctx, hash, a.now())
	if err != nil {
		return Caller{}, err
	}
	if k.Suspension != nil {
		return Caller{}, ErrSuspended(SuspendablePublisher, *k.Suspension)
	}
	return Caller{
		Kind: CallerPublisher, PublisherID: k.PublisherID, AccountID: k.AccountID, KeyID: k.ID, Scopes: k.Scopes,
		ExpiresAt: k.ExpiresAt,
	}, nil
}

func (a *Credentials) byToken(ctx context.Context, hash []byte) (Caller, error) {
	t, err := a.store.AccessTokenBySecret(ctx, hash, a.now())
	if err != nil {
		return Caller{}, err
	}
	if t.Suspension != nil {
		return Caller{}, ErrSuspended(SuspendableSubscriber, *t.Suspension)
	}
	return Caller{
		Kind: CallerSubscriber, SubscriberID: t.SubscriberID, TokenID: t.ID, Scopes: t.Scopes, ExpiresAt: t.ExpiresAt,
	}, nil
}
