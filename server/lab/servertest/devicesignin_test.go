package servertest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

type begun struct {
	DeviceCode, UserCode, VerificationURL, VerificationURLComplete string
	ExpiresIn, Interval                                            int
}

func TestDeviceSignIn(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	var b begun
	visit(t, s, "/auth/device", map[string]string{"clientName": "sininho em portatil"}, http.StatusOK, &b)
	page := s.URL + "/login/device"
	check.Equal(t, "new device sign-in", b, begun{DeviceCode: b.DeviceCode, UserCode: b.UserCode, VerificationURL: page,
		VerificationURLComplete: page, ExpiresIn: 900, Interval: 5})
	check.Equal(t, "length of the user code", len(b.UserCode), 9)
	take := func(want int, out any) response {
		t.Helper()
		wait(t, s)
		return visit(t, s, "/auth/device/token", map[string]string{"deviceCode": b.DeviceCode}, want, out)
	}
	take(http.StatusBadRequest, nil).wantCode("authorization_pending")
	device := map[string]string{"deviceCode": b.DeviceCode}
	visit(t, s, "/auth/device/token", device, http.StatusBadRequest, nil).wantCode("slow_down")
	var shown struct {
		ClientName, UserCode, Network string
		SameNetwork                   bool
		TokenExpiresAt                time.Time
	}
	typed := strings.ToLower(strings.ReplaceAll(b.UserCode, "-", ""))
	ana.Do(http.MethodGet, "/auth/device?userCode="+typed, nil, http.StatusOK, &shown)
	check.Equal(t, "shown name of the program", shown.ClientName, "sininho em portatil")
	check.Equal(t, "shown code", shown.UserCode, b.UserCode)
	check.Equal(t, "shown network", shown.Network, "127.0.0.1")
	check.Equal(t, "the program is in the person's own network", shown.SameNetwork, true)
	if life := time.Until(shown.TokenExpiresAt); life > 90*24*time.Hour || life < 89*24*time.Hour {
		t.Errorf("shown validity of the token: got %s, want 90 days", life)
	}
	bearer := newToken(t, ana, "x").Secret
	approval := map[string]any{"userCode": typed, "approve": true}
	call(t, ana.Request(http.MethodPost, "/auth/device/approve", approval), bearer, http.StatusForbidden, nil)
	ana.Do(http.MethodPost, "/auth/device/approve", approval, http.StatusNoContent, nil)
	ana.Do(http.MethodPost, "/auth/device/approve", approval, http.StatusNotFound, nil)
	ana.Do(http.MethodGet, "/auth/device?userCode="+typed, nil, http.StatusNotFound, nil)

	var taken struct {
		AccessToken token
		Subscriber  struct{ Email string }
	}
	take(http.StatusOK, &taken)
	if !taken.AccessToken.ExpiresAt.Equal(shown.TokenExpiresAt) {
		t.Errorf("expiry of the token: got %s, want %s as was shown", taken.AccessToken.ExpiresAt, shown.TokenExpiresAt)
	}
	check.Equal(t, "email with the token", taken.Subscriber.Email, "ana@example.com")
	check.Equal(t, "name of the token", taken.AccessToken.Name, "sininho em portatil")
	var auth struct {
		Caller     string
		Subscriber struct{ Email string }
		ExpiresAt  time.Time
	}
	call(t, ana.Request(http.MethodGet, "/auth", nil), taken.AccessToken.Secret, http.StatusOK, &auth)
	if !auth.ExpiresAt.Equal(shown.TokenExpiresAt) {
		t.Errorf("expiry of the token at /auth: got %s, want %s", auth.ExpiresAt, shown.TokenExpiresAt)
	}
	check.Equal(t, "caller at /auth", auth.Caller, "subscriber")
	check.Equal(t, "email at /auth", auth.Subscriber.Email, "ana@example.com")
	take(http.StatusBadRequest, nil).wantCode("expired_token")
}

func TestRefusedDeviceSignIn(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	var b begun
	visit(t, s, "/auth/device", map[string]string{}, http.StatusOK, &b)
	ana.Do(http.MethodPost, "/auth/device/approve", map[string]any{"userCode": b.UserCode, "approve": false},
		http.StatusNoContent, nil)
	wait(t, s)
	denied := map[string]string{"deviceCode": b.DeviceCode}
	visit(t, s, "/auth/device/token", denied, http.StatusBadRequest, nil).wantCode("access_denied")
	unknown := map[string]string{"deviceCode": "unknown"}
	visit(t, s, "/auth/device/token", unknown, http.StatusBadRequest, nil).wantCode("expired_token")
	visit(t, s, "/auth/device", map[string]string{"clientName": "  "}, http.StatusUnprocessableEntity, nil)
}

// TestTokensExpire expects an expired token to be refused.
func TestTokensExpire(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	made, other := newToken(t, ana, "new"), newToken(t, ana, "other")
	if life := time.Until(made.ExpiresAt); life > 90*24*time.Hour || life < 89*24*time.Hour {
		t.Errorf("validity of a token by default: got %s, want 90 days", life)
	}
	in367Days := time.Now().AddDate(0, 0, 367)
	ana.Do(http.MethodPost, "/subscribers/access-tokens", object{"name": "x", "expiresAt": in367Days}, 422, nil)
	execute(t, s, "update access_tokens set expires_at = now() where id = $1", made.ID)
	call(t, ana.Request(http.MethodGet, "/auth", nil), made.Secret, http.StatusUnauthorized, nil)
	call(t, ana.Request(http.MethodGet, "/auth", nil), other.Secret, http.StatusOK, nil)
}

// TestScopesOfADeviceSignIn expects the person to see the scopes that the program asks for, and the token to have them.
func TestScopesOfADeviceSignIn(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	for _, test := range []struct {
		asked object
		want  []string
	}{
		{object{"scopes": []string{"publish", "read"}}, []string{"read", "publish"}},
		{object{}, []string{"read", "publish", "manage"}},
	} {
		var b begun
		visit(t, s, "/auth/device", test.asked, http.StatusOK, &b)
		var shown struct{ Scopes []string }
		ana.Do(http.MethodGet, "/auth/device?userCode="+b.UserCode, nil, http.StatusOK, &shown)
		check.Equal(t, fmt.Sprintf("scopes shown for %v", test.asked), shown.Scopes, test.want)
		ana.Do(http.MethodPost, "/auth/device/approve", object{"userCode": b.UserCode, "approve": true},
			http.StatusNoContent, nil)
		wait(t, s)
		var taken struct {
			AccessToken struct {
				Secret string
				Scopes []string
			}
		}
		visit(t, s, "/auth/device/token", object{"deviceCode": b.DeviceCode}, http.StatusOK, &taken)
		check.Equal(t, fmt.Sprintf("scopes of the token for %v", test.asked), taken.AccessToken.Scopes, test.want)
		var auth struct{ Scopes []string }
		call(t, ana.Request(http.MethodGet, "/auth", nil), taken.AccessToken.Secret, http.StatusOK, &auth)
		check.Equal(t, fmt.Sprintf("scopes at /auth for %v", test.asked), auth.Scopes, test.want)
	}
	visit(t, s, "/auth/device", object{"scopes": []string{"channels"}}, http.StatusUnprocessableEntity, nil)
}

// wait allows every program to poll again, as if it had waited.
func wait(t *testing.T, s *servertest.Server) {
	t.Helper()
	execute(t, s, "update device_sign_ins set next_poll_at = created_at")
}

// TestABrowserIsLetIn signs a browser in that another one lets in, once, and expects no code to serve for the other
// kind of sign-in.
func TestABrowserIsLetIn(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	begin := func(body object) (b begun) {
		t.Helper()
		visit(t, s, "/auth/device", body, http.StatusOK, &b)
		return b
	}
	approve := func(b begun) {
		t.Helper()
		ana.Do(http.MethodPost, "/auth/device/approve", object{"userCode": b.UserCode, "approve": true}, http.StatusNoContent,
			nil)
	}
	b, browser := begin(object{"browser": true, "clientName": "Firefox"}), newStranger(t, s)
	take := func(b begun, want int, code string) {
		t.Helper()
		wait(t, s)
		got := browser.post("/auth/device/session", object{"deviceCode": b.DeviceCode})
		check.Equal(t, "status and code", fmt.Sprint(got.status, got.code), fmt.Sprint(want, code))
	}
	take(b, http.StatusBadRequest, "authorization_pending")
	var shown struct {
		Browser        bool
		Scopes         []string
		TokenExpiresAt time.Time
	}
	ana.Do(http.MethodGet, "/auth/device?userCode="+b.UserCode, nil, http.StatusOK, &shown)
	check.Equal(t, "it is shown to be a browser", shown.Browser && len(shown.Scopes) == 0, true)
	approve(b)
	wait(t, s)
	visit(t, s, "/auth/device/token", object{"deviceCode": b.DeviceCode}, http.StatusBadRequest, nil).
		wantCode("expired_token")
	take(b, http.StatusNoContent, "")
	names := map[string]bool{}
	for _, c := range browser.cookies() {
		names[c.Name] = c.Value != ""
	}
	check.Equal(t, "cookies", names, map[string]bool{"__Host-sininho": true, "__Host-sininho-known": true})
	take(b, http.StatusBadRequest, "expired_token")
	program := begin(object{"clientName": "cli"})
	approve(program)
	take(program, http.StatusBadRequest, "expired_token")
	visit(t, s, "/auth/device", object{"browser": true, "scopes": []string{"read"}}, http.StatusUnprocessableEntity, nil)
}
