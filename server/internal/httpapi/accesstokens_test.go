package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func TestLimitsCountPerAccessToken(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits.Reads = 2 })
	one, two := w.token(cli), w.token(cli)
	for range 2 {
		if a := w.ask("GET", "/api/v1/auth", "", one); a.Code != 200 {
			t.Fatal(a.Code)
		}
	}
	if a := w.ask("GET", "/api/v1/auth", "", one); a.Code != 429 {
		t.Errorf("a third: %d", a.Code)
	}
	for what, credential := range map[string]string{"another token": two, "the session": signedIn} {
		if a := w.ask("GET", "/api/v1/auth", "", credential); a.Code != 200 {
			t.Errorf("%s: %d", what, a.Code)
		}
	}
}

func TestBadAccessTokensCountAsFailedCredentials(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits.FailedCredentials = 3 })
	for i, want := range []int{401, 401, 401, 429} {
		if a := w.ask("GET", "/api/v1/auth", "", fmt.Sprintf("Authorization: Bearer sna_live_%d", i)); a.Code != want {
			t.Errorf("%d: %d", i, a.Code)
		}
	}
}

func TestSigningOutRevokesTheAccessToken(t *testing.T) {
	w := newWorld(t)
	token, other := w.token(cli), w.token(cli)
	if a := w.ask("DELETE", "/api/v1/auth", "", token); a.Code != 204 || a.Header().Get("Set-Cookie") != "" || w.sessions.signedOut != (core.ID{}) {
		t.Errorf("%d %v", a.Code, a.Header())
	}
	if a := w.ask("GET", "/api/v1/auth", "", token); a.Code != 401 {
		t.Errorf("afterwards: %d", a.Code)
	}
	if a := w.ask("GET", "/api/v1/auth", "", other); a.Code != 200 {
		t.Errorf("another: %d", a.Code)
	}
}

func TestUserCodesCannotBeGuessed(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits.FailedCredentials = 2 })
	for _, c := range []struct {
		code   string
		status int
	}{{"bcdf%20ghjk", 200}, {"BCDF-GHJA", 404}, {"BCDF-GHJL", 404}, {"bcdfghjl", 404}, {"BCDF-GHJM", 404}, {"BCDF-GHJN", 429}, {"BCDF-GHJK", 200}} {
		if a := w.ask("GET", "/api/v1/auth/device?userCode="+c.code, "", signedIn); a.Code != c.status {
			t.Errorf("%s: %d %s", c.code, a.Code, a.Body)
		}
	}
}

// untilDone streams until the context is done.
type untilDone struct{ liveStreams }

func (untilDone) ServeFeed(ctx context.Context, _ http.ResponseWriter, _, credentialID core.ID, _ string) error {
	if credentialID == (core.ID{}) {
		panic("no credential")
	}
	<-ctx.Done()
	return nil
}

func TestStreamsEndWithTheirAccessToken(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Live = untilDone{} })
	expires := start.Add(time.Hour)
	token := w.token(core.AccessTokenInput{Name: "CLI", ExpiresAt: &expires})
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		w.ask("GET", "/api/v1/subscribers/notifications/stream", "", token)
		if d := time.Since(began); d != time.Hour {
			t.Errorf("it ended after %s", d)
		}
	})
}
