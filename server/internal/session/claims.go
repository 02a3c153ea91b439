package session

import (
	"cmp"
	"errors"
	"net/url"
	"strings"

	"golang.org/x/text/language"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/server/internal/core"
)

// claims are what a provider says about a person, in an ID token or in the response of its user info endpoint.
type claims struct {
	Subject       string `json:"sub"`
	Email         string `json:"email"`
	EmailVerified any    `json:"email_verified"` // true, or "true"; nil when the provider does not say
	// DomainVerified is what Microsoft Entra says instead, if the application asks for it: true, 1 or "1".
	DomainVerified any    `json:"xms_edov"`
	Tenant         string `json:"tid"` // the organization, at Microsoft Entra
	Name           string `json:"name"`
	Picture        string `json:"picture"`
	Locale         any    `json:"locale"` // a text, or something else that is of no use
}

// isVerified reports whether the provider says that the person owns the email address.
func (c claims) isVerified() bool { return isTrue(c.EmailVerified) || isTrue(c.DomainVerified) }

func isTrue(claim any) bool {
	text, _ := claim.(string)
	return claim == true || claim == 1.0 || text == "1" || strings.EqualFold(text, "true")
}

// with returns the claims of an ID token with those that only the user info has. What is said of an address goes with
// it.
func (c claims) with(info claims) claims {
	if c.Email == "" || c.EmailVerified == nil && c.Email == info.Email {
		c.Email, c.EmailVerified = info.Email, info.EmailVerified
		c.DomainVerified = cmp.Or(c.DomainVerified, info.DomainVerified)
	}
	c.Name, c.Picture = cmp.Or(c.Name, info.Name), cmp.Or(c.Picture, info.Picture)
	c.Locale = cmp.Or(c.Locale, info.Locale)
	return c
}

// The reasons why a person is refused about whom the provider says too little.
var (
	errUnverified = errors.New("the provider does not say that the email address is verified (email_verified): have" +
		` it say so, or set "trustEmail": true for it in OIDC_PROVIDERS if people cannot choose their addresses there`)
	errNoEmail = errors.New("the provider gives no email address: have it put the claim email into the ID token or" +
		" the user info, for the scope email")
)

// profile validates the claims and shortens them to what the database accepts. With trust, an address that is not
// reported as verified is accepted.
func (c claims) profile(issuer string, trust bool) (core.Profile, error) {
	switch {
	case c.Email == "":
		return core.Profile{}, errNoEmail
	case !trust && !c.isVerified():
		return core.Profile{}, errUnverified
	}
	email := visible(c.Email, 320)
	name, _, isEmail := strings.Cut(email, "@")
	if c.Subject == "" || c.Subject != visible(c.Subject, 255) || !isEmail || email != c.Email {
		return core.Profile{}, errors.New("response without a subject or a valid email address")
	}
	if given := visible(c.Name, 200); !rules.IsBlank(given) {
		name = given
	}
	return core.Profile{Issuer: issuer, Subject: c.Subject, Email: email, Name: name, Avatar: httpsOnly(c.Picture),
		Locale: c.locale()}, nil
}

const maxLocale = 35 // characters

// locale returns the claimed locale, or "" when it is no BCP 47 tag. Some providers separate its parts by underscores.
func (c claims) locale() string {
	text, _ := c.Locale.(string)
	locale := strings.ReplaceAll(text, "_", "-")
	if _, err := language.Raw.Parse(locale); err != nil || len(locale) > maxLocale {
		return ""
	}
	return locale
}

// visible removes control characters and truncates s to limit characters.
func visible(s string, limit int) string {
	runes := []rune(strings.Map(func(r rune) rune {
		if rules.IsControl(r) {
			return -1
		}
		return r
	}, s))
	return strings.TrimSpace(string(runes[:min(len(runes), limit)]))
}

func httpsOnly(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Host == "" || len(address) > 2048 {
		return ""
	}
	return address
}
