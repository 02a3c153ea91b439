package httpapi

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestBadAccessTokensCountAsFailedCredentials(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits.FailedCredentials = 3 })
	for i, want := range []int{401, 401, 401, 429} {
		a := w.send("GET", "/api/v1/auth", "", fmt.Sprintf("Authorization: Bearer sna_live_%d", i))
		a.wantStatus(fmt.Sprintf("bad access token %d", i+1), want)
	}
}

func TestSigningOutRevokesTheAccessToken(t *testing.T) {
	w := newWorld(t)
	token, other := w.token(cli), w.token(cli)
	a := w.send("DELETE", "/api/v1/auth", "", token)
	a.wantStatus("sign out with a token", 204)
	a.wantHeader("sign out with a token", "Set-Cookie", "")
	check.Equal(t, "session ended by signing out with a token", w.sessions.signedOut, core.ID{})
	w.send("GET", "/api/v1/auth", "", token).wantStatus("the revoked token", 401)
	w.send("GET", "/api/v1/auth", "", other).wantStatus("another token of the same person", 200)
}

func TestUserCodesCannotBeGuessed(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits.FailedCredentials = 2 })
	for _, c := range []struct {
		code   string
		status int
	}{
		{"bcdf%20ghjk", 200}, {"BCDF-GHJA", 404}, {"BCDF-GHJL", 404}, {"bcdfghjl", 404},
		{"BCDF-GHJM", 404}, {"BCDF-GHJN", 429}, {"BCDF-GHJK", 200},
	} {
		a := w.send("GET", "/api/v1/auth/device?userCode="+c.code, "", signedIn)
		a.wantStatus("user code "+c.code, c.status)
	}
}

// expiring reports the requests for streams.
type expiring struct {
	liveStreams
	requests chan core.StreamRequest
}

func (u expiring) ServeFeed(_ http.ResponseWriter, _ *http.Request, _ core.ID, q core.StreamRequest) error {
	q.Ended()
	u.requests <- q
	return nil
}

func TestStreamsEndWithTheirAccessToken(t *testing.T) {
	live := expiring{requests: make(chan core.StreamRequest, 1)}
	w := newWorld(t, func(c *Config) { c.Live = live })
	expires := start.Add(time.Hour)
	token := w.token(core.AccessTokenInput{Name: "CLI", ExpiresAt: &expires})
	w.send("GET", "/api/v1/subscribers/notifications/stream", "", token)
	q := <-live.requests
	if q.CredentialID == (core.ID{}) {
		t.Error("stream of a token: got no credential, want the token's")
	}
	if q.ExpiresAt == nil || !q.ExpiresAt.Equal(expires) {
		t.Errorf("end of a stream of a token that expires: got %v, want %v", q.ExpiresAt, expires)
	}
}
