package session

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"github.com/sininho/sininho/server/internal/core"
)

// OIDC is an OpenID provider with the client that it knows the installation as.
type OIDC struct {
	ID           string // in addresses
	Name         string // for people
	Issuer       string
	ClientID     string
	ClientSecret string
}

// discoveredFor is how long what a provider says of itself is used, so that it may move its endpoints.
const discoveredFor = time.Hour

// askAgain is how long a provider that does not respond is not asked again.
const askAgain = time.Minute

// openID is a provider that is asked for its endpoints and keys when they are needed, so that the server starts while
// the provider is down.
type openID struct {
	OIDC
	callback string
	client   *http.Client
	now      func() time.Time

	asking singleflight.Group
	found  atomic.Pointer[discovery]
}

// discovery is what a provider says of itself.
type discovery struct {
	provider *oidc.Provider
	verifier *oidc.IDTokenVerifier
	oauth    *oauth2.Config
	// namesIssuer is whether callbacks of the provider name it (RFC 9207).
	namesIssuer bool
	until       time.Time // then it is asked again
}

func newOIDC(c OIDC, callback string, client *http.Client, now func() time.Time) *openID {
	return &openID{OIDC: c, callback: callback, client: client, now: now}
}

func (o *openID) method() core.SignInMethod {
	return core.SignInMethod{Kind: core.SignInOIDC, Provider: o.ID, Name: o.Name, Issuer: o.Issuer,
		URL: base + "/oidc/" + o.ID}
}

// discover returns what the provider said in the last hour, or asks it, once for all who wait. When it does not
// respond, what it said earlier is used for another while.
func (o *openID) discover(ctx context.Context) (*discovery, error) {
	if d := o.found.Load(); d != nil && o.now().Before(d.until) {
		return d, nil
	}
	found, err, _ := o.asking.Do("", func() (any, error) {
		d, err := o.ask(context.WithoutCancel(ctx))
		if earlier := o.found.Load(); err != nil && earlier != nil {
			again := *earlier
			again.until = o.now().Add(askAgain)
			d, err = &again, nil
		}
		if err != nil {
			return nil, fmt.Errorf("discover the provider: %w", err)
		}
		o.found.Store(d)
		return d, nil
	})
	if err != nil {
		return nil, err
	}
	return found.(*discovery), nil
}

// ask asks the provider for its endpoints. The context stays that of later requests for its keys.
func (o *openID) ask(ctx context.Context) (*discovery, error) {
	ctx = oidc.ClientContext(ctx, o.client)
	p, err := oidc.NewProvider(ctx, o.Issuer)
	if err != nil {
		return nil, err
	}
	var said struct {
		NamesIssuer bool `json:"authorization_response_iss_parameter_supported"`
	}
	if err := p.Claims(&said); err != nil {
		return nil, err
	}
	return &discovery{provider: p, namesIssuer: said.NamesIssuer, until: o.now().Add(discoveredFor),
		verifier: p.VerifierContext(ctx, &oidc.Config{ClientID: o.ClientID, Now: o.now}),
		oauth: &oauth2.Config{ClientID: o.ClientID, ClientSecret: o.ClientSecret, RedirectURL: o.callback,
			Scopes: scopes, Endpoint: p.Endpoint()}}, nil
}

func (o *openID) authURL(ctx context.Context, p pending, options ...oauth2.AuthCodeOption) (string, error) {
	d, err := o.discover(ctx)
	if err != nil {
		return "", err
	}
	options = append(options, oauth2.S256ChallengeOption(p.Verifier), oidc.Nonce(p.nonce()))
	return d.oauth.AuthCodeURL(p.State, options...), nil
}

func (o *openID) profile(ctx context.Context, p pending, back core.SignInCallback) (core.Profile, error) {
	d, err := o.discover(ctx)
	if err != nil {
		return core.Profile{}, err
	}
	if back.Issuer != o.Issuer && (back.Issuer != "" || d.namesIssuer) {
		return core.Profile{}, fmt.Errorf("%w: the callback is of the provider %.100q", errForeign, back.Issuer)
	}
	token, err := redeem(ctx, o.client, d.oauth, p, back.Code)
	if err != nil {
		return core.Profile{}, fmt.Errorf("redeem the code: %w", err)
	}
	person, err := o.person(ctx, d, p, token)
	if err != nil {
		return core.Profile{}, err
	}
	return person.profile(o.Issuer)
}

// errForeign means that a response is not one to this sign-in.
var errForeign = errors.New("not the response to this sign-in")

// idToken are the claims of an ID token that are checked here; the library checks the others.
type idToken struct {
	claims
	AuthorizedParty string `json:"azp"`
}

// person verifies the ID token and returns its claims. A provider that leaves the email address out of it is asked.
func (o *openID) person(ctx context.Context, d *discovery, p pending, token *oauth2.Token) (claims, error) {
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, o.client), providerTimeout)
	defer cancel()
	raw, _ := token.Extra("id_token").(string)
	verified, err := d.verifier.Verify(ctx, raw)
	if err != nil {
		return claims{}, fmt.Errorf("%w: the ID token: %w", errForeign, err)
	}
	var said idToken
	if err := verified.Claims(&said); err != nil {
		return claims{}, fmt.Errorf("the ID token: %w", err)
	}
	switch {
	case subtle.ConstantTimeCompare([]byte(verified.Nonce), []byte(p.nonce())) != 1:
		return claims{}, fmt.Errorf("%w: the ID token has another nonce", errForeign)
	case said.AuthorizedParty != "" && said.AuthorizedParty != o.ClientID:
		return claims{}, fmt.Errorf("%w: the ID token is for %.100q", errForeign, said.AuthorizedParty)
	case said.Email != "":
		return said.claims, nil
	}
	info, err := d.provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return claims{}, fmt.Errorf("request the profile: %w", err)
	}
	var asked claims
	if err := info.Claims(&asked); err != nil {
		return claims{}, fmt.Errorf("the profile: %w", err)
	}
	if asked.Subject != verified.Subject {
		return claims{}, fmt.Errorf("%w: the profile is another person's", errForeign)
	}
	return asked, nil
}
