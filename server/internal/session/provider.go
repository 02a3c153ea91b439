package session

import (
	"context"
	"net/http"
	"time"

	"golang.org/x/oauth2"

	"github.com/sininho/sininho/server/internal/core"
)

// provider is where people sign in with an account that they have there.
type provider interface {
	method() core.SignInMethod
	// authURL returns the address at which the person signs in.
	authURL(ctx context.Context, p pending, options ...oauth2.AuthCodeOption) (string, error)
	// profile redeems the code of a callback. It fails with errUnverified or errNoEmail when trying
	// again does not help.
	profile(ctx context.Context, p pending, back core.SignInCallback) (core.Profile, error)
}

const (
	providerTimeout = 10 * time.Second // for each request to a provider
	maxResponse     = 1 << 20
)

// newClient returns a client for requests to providers, which reads no more of a response than it needs.
func newClient() *http.Client { return &http.Client{Timeout: providerTimeout, Transport: bounded{}} }

// bounded is the default transport, with a limit to responses.
type bounded struct{}

// RoundTrip implements http.RoundTripper.
func (bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return res, err
	}
	res.Body = http.MaxBytesReader(nil, res.Body, maxResponse)
	return res, nil
}

var scopes = []string{"openid", "email", "profile"}

// redeem exchanges the code of a callback for a token.
func redeem(
	ctx context.Context, client *http.Client, oauth *oauth2.Config, p pending, code string,
) (*oauth2.Token, error) {
	ctx, cancel := context.WithTimeout(ctx, providerTimeout)
	defer cancel()
	return oauth.Exchange(context.WithValue(ctx, oauth2.HTTPClient, client), code, oauth2.VerifierOption(p.Verifier))
}
