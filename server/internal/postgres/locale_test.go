package postgres_test

import (
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

// TestLocales finds those of the people who are written to.
func TestLocales(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	person := func(issuer, email, locale string) core.ID {
		t.Helper()
		profile := profileAt(issuer, email, email)
		profile.Locale = locale
		return must(p.signIn(profile)).ID
	}
	ana := person(core.IssuerGoogle, "Ana@example.com", "en-GB")
	succeed(t, "add an address", p.add(ana, profileAt(core.IssuerEmail, "other@example.com", "other@example.com")))
	earlier := profileAt(core.IssuerGoogle, "earlier", "shared@example.com")
	earlier.Locale = "fr"
	must(p.signIn(earlier))
	person(core.IssuerGoogle, "shared@example.com", "pt-BR")
	person(core.IssuerGoogle, "kim@example.com", "en")
	rui := person(core.IssuerGoogle, "rui@example.com", "pt-AO")
	for _, c := range []struct {
		email                    string
		by                       *core.ID
		signIn, invitation, what string
	}{
		{"ana@example.com", nil, "en-GB", "en-GB", "an address in another case"},
		{"other@example.com", nil, "en-GB", "en-GB", "a second address"},
		{"shared@example.com", nil, "pt-BR", "pt-BR", "an address of two accounts, of who signed in last"},
		{"nobody@example.com", nil, "", "", "an address without an account"},
		{"nobody@example.com", &rui, "pt-AO", "pt-AO", "an address that somebody adds, or invites"},
		{"ana@example.com", &rui, "pt-AO", "en-GB", "an account's address that somebody adds, or invites"},
		{"nobody@example.com", &core.ID{9}, "", "", "an address that a deleted account adds, or invites"},
		{"\u212aim@example.com", nil, "", "", "a look-alike"},
	} {
		got, err := p.EmailSignInLocale(t.Context(), core.EmailSignIn{Email: c.email, SubscriberID: c.by})
		succeed(t, "find the locale of a sign-in", err)
		equal(t, "locale of a sign-in with "+c.what, got, c.signIn)
		var inviter core.ID
		if c.by != nil {
			inviter = *c.by
		}
		got, err = p.InvitationLocale(t.Context(), c.email, inviter)
		succeed(t, "find the locale of an invitation", err)
		equal(t, "locale of an invitation to "+c.what, got, c.invitation)
	}
}
