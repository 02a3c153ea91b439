package session

import (
	"errors"
	"fmt"
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
	EmailVerified any    `json:"email_verified"` // true, or "true"
	Name          string `json:"name"`
	Picture       string `json:"picture"`
	Locale        string `json:"locale"`
}

// profile validates the claims and shortens them to what the database accepts.
func (c claims) profile(issuer string) (core.Profile, error) {
	if c.EmailVerified != true && c.EmailVerified != "true" {
		return core.Profile{}, fmt.Errorf("%w: the email address is not verified", errDenied)
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
	locale := strings.ReplaceAll(c.Locale, "_", "-")
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
