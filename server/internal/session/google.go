package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"golang.org/x/oauth2"

	"github.com/sininho/sininho/server/internal/core"
)

// Google holds the OAuth client and the addresses of Google's sign-in.
type Google struct {
	ClientID, ClientSecret         string
	AuthURL, TokenURL, UserInfoURL string
}

// google is the provider at addresses of its own, so that it asks for no discovery.
type google struct {
	Google
	oauth  *oauth2.Config
	client *http.Client
}

func newGoogle(g Google, callback string, client *http.Client) *google {
	return &google{Google: g, client: client, oauth: &oauth2.Config{
		ClientID: g.ClientID, ClientSecret: g.ClientSecret, RedirectURL: callback, Scopes: scopes,
		// Set explicitly, because detecting the style may take a second try, which would fail as the code is used up.
		Endpoint: oauth2.Endpoint{AuthURL: g.AuthURL, TokenURL: g.TokenURL, AuthStyle: oauth2.AuthStyleInParams},
	}}
}

func (g *google) method() core.SignInMethod {
	return core.SignInMethod{Kind: core.SignInGoogle, Name: "Google", Issuer: core.IssuerGoogle, URL: base + "/google"}
}

func (g *google) authURL(_ context.Context, p pending, options ...oauth2.AuthCodeOption) (string, error) {
	return g.oauth.AuthCodeURL(p.State, append(options, oauth2.S256ChallengeOption(p.Verifier))...), nil
}

func (g *google) profile(ctx context.Context, p pending, back core.SignInCallback) (core.Profile, error) {
	token, err := redeem(ctx, g.client, g.oauth, p, back.Code)
	if err != nil {
		return core.Profile{}, fmt.Errorf("redeem the code: %w", err)
	}
	info, err := g.userInfo(ctx, token)
	if err != nil {
		return core.Profile{}, fmt.Errorf("request the profile: %w", err)
	}
	return info.profile(core.IssuerGoogle, false)
}

func (g *google) userInfo(ctx context.Context, token *oauth2.Token) (info claims, err error) {
	ctx, cancel := context.WithTimeout(ctx, providerTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.UserInfoURL, nil) //nolint:gosec // a setting
	if err != nil {
		return info, err
	}
	token.SetAuthHeader(req)
	res, err := g.client.Do(req) //nolint:gosec // a setting
	if err != nil {
		return info, err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return info, errors.New("unexpected status " + res.Status)
	}
	return info, json.NewDecoder(io.LimitReader(res.Body, maxResponse)).Decode(&info)
}
