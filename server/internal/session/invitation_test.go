package session

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

func TestOnlyWhoIsInvitedSignsUp(t *testing.T) {
	w := newWorld(t)
	w.manager.InvitedOnly, w.manager.Operators = true, core.Operators{"Eva@example.com"}
	w.store.invitations = map[string]bool{string(core.HashSecret("swi_good")): true}
	for _, c := range []struct{ query, want string }{
		{"login_hint=stranger@example.com&redirect=/channels", "/login?error=uninvited&redirect=%2Fchannels"},
		{"login_hint=stranger@example.com&invitation=swi_bad", "/login?error=uninvited"},
		{"login_hint=stranger@example.com&invitation=" + strings.Repeat("x", maxInvitation+1), "/login?error=uninvited"},
		{"login_hint=ana@example.com&invitation=swi_good", "/onboarding"},
		{"login_hint=ana@example.com", "/onboarding"}, // has an account, so needs no invitation
		{"login_hint=eva@example.com", "/onboarding"},
	} {
		b := w.browser()
		if to := w.signIn(b, c.query); to != c.want || (w.cookie(b) != "") != (c.want == "/onboarding") {
			t.Errorf("%s was sent to %q with the session %q", c.query, to, w.cookie(b))
		}
	}
}

func TestWhoNeedsAnInvitationChoosesTheAccount(t *testing.T) {
	w := newWorld(t)
	for invitedOnly, want := range map[bool]string{true: "select_account", false: ""} {
		w.manager.InvitedOnly = invitedOnly
		r := httptest.NewRequest("GET", "/api/v1/auth/google", nil)
		r.Host = w.manager.PublicURL.Host
		location, _ := w.manager.Begin(r, "/", "", "")
		if u, err := url.Parse(location); err != nil || u.Query().Get("prompt") != want {
			t.Errorf("by invitation only %v: %s (%v)", invitedOnly, location, err)
		}
	}
}

func TestAFailedSignInKeepsTheInvitation(t *testing.T) {
	w := newWorld(t)
	w.google.down = true
	if to := w.signIn(w.browser(), "login_hint=ana@example.com&invitation=swi_good"); to != "/login?error=unavailable&invitation=swi_good" {
		t.Errorf("sent to %q", to)
	}
}
