package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// discovery is what a provider says of itself.
type discovery struct {
	provider *oidc.Provider
	verifier *oidc.IDTokenVerifier
	oauth    *oauth2.Config
	issuer   string // with tenantTemplate at a provider of several organizations
	// namesIssuer is whether callbacks of the provider name it (RFC 9207).
	namesIssuer bool
	until       time.Time // then it is asked again
}

// metadata is the document of a provider (OpenID Connect Discovery). Many leave out what is optional, and some more.
type metadata struct {
	oidc.ProviderConfig
	AuthMethods []string `json:"token_endpoint_auth_methods_supported"`
	NamesIssuer bool     `json:"authorization_response_iss_parameter_supported"`
}

// algorithms are those by which ID tokens may be signed. Their keys are the provider's alone.
var algorithms = []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256,
	oidc.PS384, oidc.PS512, oidc.EdDSA}

// clockSkew is by how much the clocks of the server and the provider may differ.
const clockSkew = time.Minute

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
	said, err := o.metadata(ctx)
	if err != nil {
		return nil, err
	}
	if !o.isIssuer(said.IssuerURL) {
		return nil, fmt.Errorf("its issuer is %.300q: write that in OIDC_PROVIDERS", said.IssuerURL)
	}
	if said.AuthURL == "" || said.TokenURL == "" || said.JWKSURL == "" {
		return nil, errors.New("it names no authorization_endpoint, token_endpoint or jwks_uri")
	}
	ctx = oidc.ClientContext(ctx, o.client)
	p := said.NewProvider(ctx)
	endpoint := p.Endpoint()
	switch methods := said.AuthMethods; {
	case slices.Contains(methods, "client_secret_post"):
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	case slices.Contains(methods, "client_secret_basic"):
		endpoint.AuthStyle = oauth2.AuthStyleInHeader
	}
	return &discovery{provider: p, issuer: said.IssuerURL, namesIssuer: said.NamesIssuer,
		until: o.now().Add(discoveredFor),
		verifier: p.VerifierContext(ctx, &oidc.Config{ClientID: o.ClientID, SupportedSigningAlgs: algorithms,
			Now:             func() time.Time { return o.now().Add(-clockSkew) },
			SkipIssuerCheck: isTemplate(said.IssuerURL)}), // person checks it
		oauth: &oauth2.Config{ClientID: o.ClientID, ClientSecret: o.ClientSecret, RedirectURL: o.callback,
			Scopes: scopes, Endpoint: endpoint}}, nil
}

// metadata requests the document of the provider.
func (o *openID) metadata(ctx context.Context) (said metadata, err error) {
	address := strings.TrimSuffix(o.Issuer, "/") + "/.well-known/openid-configuration"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil) //nolint:gosec // a setting
	if err != nil {
		return said, err
	}
	res, err := o.client.Do(req) //nolint:gosec // a setting
	if err != nil {
		return said, err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return said, fmt.Errorf("%s responds with %s", address, res.Status)
	}
	if err := json.NewDecoder(res.Body).Decode(&said); err != nil {
		return said, fmt.Errorf("%s: %w", address, err)
	}
	return said, nil
}

// tenantTemplate stands for the organization in the issuer of Microsoft Entra where people of several sign in.
const tenantTemplate = "{tenantid}"

func isTemplate(issuer string) bool { return strings.Contains(issuer, tenantTemplate) }

// isIssuer reports whether the issuer that a provider names is the one of the settings, which may differ by a slash at
// the end, or stand for several organizations.
func (o *openID) isIssuer(said string) bool {
	trimmed, expected := strings.TrimSuffix(said, "/"), strings.TrimSuffix(o.Issuer, "/")
	before, after, several := strings.Cut(trimmed, tenantTemplate)
	if !several {
		return trimmed == expected
	}
	organization, isAfter := strings.CutSuffix(expected, after)
	organization, isBefore := strings.CutPrefix(organization, before)
	return isBefore && isAfter && organization != "" && !strings.Contains(organization, "/")
}

var tenantID = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// issuerOf returns the issuer that an ID token must have.
func (d *discovery) issuerOf(tenant string) (string, error) {
	if !isTemplate(d.issuer) {
		return d.issuer, nil
	}
	if !tenantID.MatchString(tenant) {
		return "", fmt.Errorf("%w: the ID token names no organization", errForeign)
	}
	return strings.ReplaceAll(d.issuer, tenantTemplate, tenant), nil
}
