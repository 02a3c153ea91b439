package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/url"
	"regexp"
	"slices"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/session"
)

// sessions returns the sign-in manager for the settings. Without a client for jobs it only recognizes sessions.
func (c Config) sessions(store *postgres.Store, client *jobs.Client, announce core.Announcer, public *url.URL,
	key []byte, log *slog.Logger) (*session.Manager, error) {
	operators, err := c.operators()
	if err != nil {
		return nil, err
	}
	out := session.Config{Store: store, Announce: announce, PublicURL: public, Key: key, Now: Now, Log: log,
		InvitedOnly: c.SignUp == signUpInvitation, Operators: operators,
		Anonymous: c.AnonymousSubscribers && c.SignUp == signUpOpen}
	if c.signsInBy(core.SignInGoogle) {
		out.Google = &session.Google{ClientID: c.GoogleClientID, ClientSecret: c.GoogleSecret,
			AuthURL: c.GoogleAuthURL, TokenURL: c.GoogleTokenURL, UserInfoURL: c.GoogleUserInfoURL}
	}
	if c.signsInBy(core.SignInOIDC) {
		if out.OIDC, err = c.providers(); err != nil {
			return nil, err
		}
	}
	if c.signsInBy(core.SignInEmail) && client != nil {
		codes, err := core.NewEmailCodes(key)
		if err != nil {
			return nil, err
		}
		out.Emails = &session.Emails{Store: c.emailStore(store, client), Codes: codes,
			Limits: c.emailCodeLimits()}
	}
	out.Passkeys = c.signsInBy(core.SignInPasskey)
	return session.New(out)
}

func (c Config) signsInBy(kind core.SignInKind) bool { return slices.Contains(c.SignIn, string(kind)) }

func (c Config) emailCodeLimits() core.EmailCodeLimits {
	limits := core.NewEmailCodeLimits(core.EmailBudget(c.EmailsPerDay))
	if !c.Limits {
		limits.Hourly, limits.Daily = math.MaxInt, math.MaxInt
	}
	limits.Network = c.emailsPerNetwork()
	return limits
}

// emailsPerNetwork returns how many emails a day the strangers of a network can ask for.
func (c Config) emailsPerNetwork() int {
	if !c.Limits {
		return math.MaxInt32 // networks around have multiples of it
	}
	return core.EmailBudget(c.EmailsPerDay).ForNetwork()
}

// checkSignIn validates the settings of signing in.
func (c Config) checkSignIn(p *problems) {
	known := []string{string(core.SignInGoogle), string(core.SignInOIDC), string(core.SignInEmail),
		string(core.SignInPasskey)}
	unknown := func(s string) bool { return !slices.Contains(known, s) }
	if len(c.SignIn) == 0 || slices.ContainsFunc(c.SignIn, unknown) {
		p.add("SIGN_IN", "must be google, oidc, email, passkey, or several of these with commas between")
	}
	if u, err := url.Parse(c.PublicURL); err == nil && c.signsInBy(core.SignInPasskey) && !p.has("PUBLIC_URL") &&
		session.CheckPasskeyHost(u.Hostname()) != nil {
		p.add("PUBLIC_URL",
			"must have the name of a host with SIGN_IN=passkey: browsers make no passkeys for an IP address")
	}
	if _, err := c.providers(); c.OIDCProviders != "" && err != nil {
		p.add("OIDC_PROVIDERS", err.Error())
	}
}

// openIDProvider is a provider in OIDC_PROVIDERS.
type openIDProvider struct {
	ID           string `json:"id"`
	Name         string `json:"name"`
	Issuer       string `json:"issuer"`
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret"`
	TrustEmail   bool   `json:"trustEmail"`
}

var (
	// severalOrganizations are the issuers of Microsoft Entra where people of all organizations sign in.
	severalOrganizations = regexp.MustCompile(`^https://[^/]+/(common|organizations|consumers)(/|$)`)

	providerID  = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)
	errNotAList = errors.New(`must be a JSON list such as [{"id":"acme","name":"Acme","issuer":` +
		`"https://id.example.com","clientId":"sininho","clientSecret":"abc"}]`)
)

const (
	maxProviders    = 8
	maxProviderName = 40
	maxIssuer       = 300 // in bytes, so that the cookie of a sign-in fits in what browsers keep
)

// providers returns the OpenID providers of the settings.
func (c Config) providers() ([]session.OIDC, error) {
	var list []openIDProvider
	d := json.NewDecoder(bytes.NewReader([]byte(c.OIDCProviders)))
	d.DisallowUnknownFields()
	if err := d.Decode(&list); err != nil {
		return nil, fmt.Errorf("%w: %w", errNotAList, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) || len(list) == 0 {
		return nil, errNotAList
	}
	if len(list) > maxProviders {
		return nil, fmt.Errorf("must have at most %d providers", maxProviders)
	}
	var out []session.OIDC
	for i, p := range list {
		if err := p.check(); err != nil {
			return nil, fmt.Errorf("provider %d: %w", i+1, err)
		}
		if slices.ContainsFunc(out, func(o session.OIDC) bool { return o.ID == p.ID || o.Issuer == p.Issuer }) {
			return nil, fmt.Errorf("provider %d: has the id or the issuer of another", i+1)
		}
		out = append(out, session.OIDC(p))
	}
	return out, nil
}

func (p openIDProvider) check() error {
	u, err := url.Parse(p.Issuer)
	switch {
	case !providerID.MatchString(p.ID):
		return errors.New("id must be 1 to 32 small letters, digits and hyphens")
	case p.Name == "" || len([]rune(p.Name)) > maxProviderName:
		return fmt.Errorf("name must have 1 to %d characters", maxProviderName)
	case err != nil || u.Host == "" || len(p.Issuer) > maxIssuer || u.RawQuery != "" || u.Fragment != "" ||
		u.Scheme != "https" && (u.Scheme != "http" || !rules.IsLoopback(u.Hostname())):
		return errors.New("issuer must be an https address")
	case p.ClientID == "" || p.ClientSecret == "":
		return errors.New("clientId and clientSecret are required")
	case p.TrustEmail && severalOrganizations.MatchString(p.Issuer):
		return errors.New("trustEmail needs the issuer of one organization, because at that of all of them anybody's" +
			" administrator chooses addresses: write its tenant ID instead of common, organizations or consumers")
	}
	return nil
}
