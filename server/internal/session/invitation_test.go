package session

import (
	"fmt"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestSignUpNeedsAnInvitation(t *testing.T) {
	w := newWorld(t)
	w.manager.InvitedOnly, w.manager.Operators = true, core.Operators{"Eva@example.com"}
	w.store.invitations = map[string]bool{string(core.HashSecret("swi_good")): true}
	for _, c := range []struct{ query, want string }{
		{"login_hint=stranger@example.com&redirect=/channels", "/login?error=uninvited&redirect=%2Fchannels"},
		{"login_hint=stranger@example.com&invitation=swi_bad", "/login?error=uninvited"},
		{
			"login_hint=stranger@example.com&invitation=" + strings.Repeat("x", maxInvitation+1),
			"/login?error=uninvited",
		},
		{"login_hint=ana@example.com&invitation=swi_good", "/onboarding"},
		{"login_hint=ana@example.com", "/onboarding"}, // has an account, so needs no invitation
		{"login_hint=eva@example.com", "/onboarding"},
	} {
		b := w.browser()
		check.Equal(t, "redirect after "+c.query, w.signIn(b, c.query), c.want)
		check.Equal(t, "signed in after "+c.query, w.cookie(b) != "", c.want == "/onboarding")
	}
}

func TestSignInByInvitationShowsTheAccountChooser(t *testing.T) {
	w := newWorld(t)
	for invitedOnly, want := range map[bool]string{true: "select_account", false: ""} {
		w.manager.InvitedOnly = invitedOnly
		r := httptest.NewRequest("GET", "/api/v1/auth/google", nil)
		r.Host = w.manager.PublicURL.Host
		location, _ := w.begin(r, "/", "")
		u, err := url.Parse(location)
		if err != nil {
			t.Fatalf("parse the redirect: %v", err)
		}
		check.Equal(t, fmt.Sprintf("prompt with InvitedOnly %v", invitedOnly), u.Query().Get("prompt"), want)
	}
}

func TestAFailedSignInKeepsTheInvitation(t *testing.T) {
	w := newWorld(t)
	w.google.down = true
	to := w.signIn(w.browser(), "login_hint=ana@example.com&invitation=swi_good")
	check.Equal(t, "redirect", to, "/login?error=unavailable&invitation=swi_good")
}
