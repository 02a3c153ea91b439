package servertest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/servertest"
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
	if b.ExpiresIn != 900 || b.Interval != 5 || b.VerificationURL != page || b.VerificationURLComplete != page || len(b.UserCode) != 9 {
		t.Errorf("%+v", b)
	}
	take := func(want int, out any) answered {
		t.Helper()
		wait(t, s)
		return visit(t, s, "/auth/device/token", map[string]string{"deviceCode": b.DeviceCode}, want, out)
	}
	if a := take(http.StatusBadRequest, nil); a.Code != "authorization_pending" {
		t.Errorf("%s", a.Body)
	}
	if a := visit(t, s, "/auth/device/token", map[string]string{"deviceCode": b.DeviceCode}, http.StatusBadRequest, nil); a.Code != "slow_down" {
		t.Errorf("%s", a.Body)
	}
	var shown struct {
		ClientName, UserCode, Network string
		SameNetwork                   bool
		TokenExpiresAt                time.Time
	}
	typed := strings.ToLower(strings.ReplaceAll(b.UserCode, "-", ""))
	ana.Do(http.MethodGet, "/auth/device?userCode="+typed, nil, http.StatusOK, &shown)
	if shown.ClientName != "sininho em portatil" || shown.UserCode != b.UserCode {
		t.Errorf("%+v", shown)
	}
	if shown.Network != "127.0.0.1" || !shown.SameNetwork {
		t.Errorf("the program asked from %q, the person's own network: %t; want 127.0.0.1 and true", shown.Network, shown.SameNetwork)
	}
	if life := time.Until(shown.TokenExpiresAt); life > 90*24*time.Hour || life < 89*24*time.Hour {
		t.Errorf("the token would be good for %s, want 90 days", life)
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
		t.Errorf("the token expires at %s, want %s as was shown", taken.AccessToken.ExpiresAt, shown.TokenExpiresAt)
	}
	if taken.Subscriber.Email != "ana@example.com" || taken.AccessToken.Name != "sininho em portatil" {
		t.Errorf("%+v", taken)
	}
	var auth struct {
		Caller     string
		Subscriber struct{ Email string }
		ExpiresAt  time.Time
	}
	call(t, ana.Request(http.MethodGet, "/auth", nil), taken.AccessToken.Secret, http.StatusOK, &auth)
	if !auth.ExpiresAt.Equal(shown.TokenExpiresAt) {
		t.Errorf("/auth says that the token expires at %s, want %s", auth.ExpiresAt, shown.TokenExpiresAt)
	}
	if auth.Caller != "subscriber" || auth.Subscriber.Email != "ana@example.com" {
		t.Errorf("%+v", auth)
	}
	if a := take(http.StatusBadRequest, nil); a.Code != "expired_token" {
		t.Errorf("%s", a.Body)
	}
}

func TestRefusedDeviceSignIn(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	var b begun
	visit(t, s, "/auth/device", map[string]string{}, http.StatusOK, &b)
	ana.Do(http.MethodPost, "/auth/device/approve", map[string]any{"userCode": b.UserCode, "approve": false}, http.StatusNoContent, nil)
	wait(t, s)
	if a := visit(t, s, "/auth/device/token", map[string]string{"deviceCode": b.DeviceCode}, http.StatusBadRequest, nil); a.Code != "access_denied" {
		t.Errorf("%s", a.Body)
	}
	if a := visit(t, s, "/auth/device/token", map[string]string{"deviceCode": "unknown"}, http.StatusBadRequest, nil); a.Code != "expired_token" {
		t.Errorf("%s", a.Body)
	}
	visit(t, s, "/auth/device", map[string]string{"clientName": "  "}, http.StatusUnprocessableEntity, nil)
}

// TestTokensExpire expects an expired token to be refused, and a token without expiry to stay valid.
func TestTokensExpire(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	made, old := newToken(t, ana, "new"), newToken(t, ana, "old")
	if life := time.Until(made.ExpiresAt); life > 90*24*time.Hour || life < 89*24*time.Hour {
		t.Errorf("a token is good for %s unless said otherwise, want 90 days", life)
	}
	in367Days := time.Now().AddDate(0, 0, 367)
	ana.Do(http.MethodPost, "/subscribers/access-tokens", map[string]any{"name": "x", "expiresAt": in367Days}, http.StatusUnprocessableEntity, nil)
	execute(t, s, "update access_tokens set expires_at = case when id = $1 then now() end", made.ID)
	call(t, ana.Request(http.MethodGet, "/auth", nil), made.Secret, http.StatusUnauthorized, nil)
	call(t, ana.Request(http.MethodGet, "/auth", nil), old.Secret, http.StatusOK, nil)
	var list tokens
	ana.Do(http.MethodGet, "/subscribers/access-tokens", nil, http.StatusOK, &list)
	for _, one := range list.Data {
		if one.ID == old.ID && !one.ExpiresAt.IsZero() {
			t.Errorf("a token without an end is listed with %s", one.ExpiresAt)
		}
	}
}

// wait allows every program to poll again, as if it had waited.
func wait(t *testing.T, s *servertest.Server) {
	t.Helper()
	execute(t, s, "update device_sign_ins set next_ask_at = created_at")
}
