package session

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"strings"
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
	// TrustEmail accepts email addresses that the provider does not report as verified.
	TrustEmail bool
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

func newOIDC(c OIDC, callback string, client *http.Client, now func() time.Time) *openID {
	return &openID{OIDC: c, callback: callback, client: client, now: now}
}

func (o *openID) method() core.SignInMethod {
	return core.SignInMethod{Kind: core.SignInOIDC, Provider: o.ID, Name: o.Name, Issuer: o.Issuer,
		URL: base + "/oidc/" + o.ID}
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
	if back.Issuer != "" && !o.isCallbackOf(d, back.Issuer) || back.Issuer == "" && d.namesIssuer {
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
	// In a directory of several organizations, each of them chooses addresses.
	profile, err := person.profile(o.Issuer, o.TrustEmail && !isTemplate(d.issuer))
	if isTemplate(d.issuer) {
		profile.Subject = person.Tenant + "/" + profile.Subject
	}
	return profile, err
}

// isCallbackOf reports whether the issuer that a callback names is the provider.
func (o *openID) isCallbackOf(d *discovery, issuer string) bool {
	if !isTemplate(d.issuer) {
		return issuer == d.issuer
	}
	before, after, _ := strings.Cut(d.issuer, tenantTemplate)
	return strings.HasPrefix(issuer, before) && strings.HasSuffix(issuer, after)
}

// errForeign means that a response is not one to this sign-in.
var errForeign = errors.New("not the response to this sign-in")

// idToken are the claims of an ID token that are checked here; the library checks the others.
type idToken struct {
	claims
	AuthorizedParty string `json:"azp"`
}

// person verifies the ID token and returns its claims. A provider that leaves the email address out of it, or whether
// that is verified, is asked.
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
	issuer, err := d.issuerOf(said.Tenant)
	switch {
	case err != nil:
		return claims{}, err
	case verified.Issuer != issuer:
		return claims{}, fmt.Errorf("%w: the ID token is of the issuer %.100q", errForeign, verified.Issuer)
	case subtle.ConstantTimeCompare([]byte(verified.Nonce), []byte(p.nonce())) != 1:
		return claims{}, fmt.Errorf("%w: the ID token has another nonce", errForeign)
	case said.AuthorizedParty != "" && said.AuthorizedParty != o.ClientID:
		return claims{}, fmt.Errorf("%w: the ID token is for %.100q", errForeign, said.AuthorizedParty)
	case said.Email != "" && (said.isVerified() || said.EmailVerified != nil), d.provider.UserInfoEndpoint() == "":
		return said.claims, nil
	}
	info, err := d.provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	switch {
	case err != nil && said.Email != "":
		return said.claims, nil
	case err != nil:
		return claims{}, fmt.Errorf("request the profile: %w", err)
	}
	var asked claims
	if err := info.Claims(&asked); err != nil {
		return claims{}, fmt.Errorf("the profile: %w", err)
	}
	if asked.Subject != verified.Subject {
		return claims{}, fmt.Errorf("%w: the profile is another person's", errForeign)
	}
	return said.with(asked), nil
}
