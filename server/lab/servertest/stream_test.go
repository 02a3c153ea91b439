package servertest_test

import (
	"bufio"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/servertest"
)

// TestAClosedStreamMakesRoomForAnother opens as many streams as an address may have. Nothing is sent on them, so the
// server must notice by itself that a client has left.
func TestAClosedStreamMakesRoomForAnother(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.With("LIMIT_STREAMS_PER_ADDRESS", "2"),
		servertest.Limited())
	open := func() (status int, end func()) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
			s.URL+"/api/v1/channels/demo/novidades/notifications/stream", nil)
		if err != nil {
			t.Fatalf("new request: %v", err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatalf("request %s %s: %v", req.Method, req.URL, err)
		}
		end = sync.OnceFunc(func() { _ = res.Body.Close() })
		t.Cleanup(end)
		return res.StatusCode, end
	}
	_, endFirst := open()
	for i, want := range []int{http.StatusOK, http.StatusTooManyRequests} {
		if got, _ := open(); got != want {
			t.Errorf("status of stream %d at the same time: got %d, want %d", i+2, got, want)
		}
	}
	endFirst()
	eventually.True(t, "room for another stream", func() bool {
		status, _ := open()
		return status == http.StatusOK
	})
}

// TestStreamsEndWithTheirCredential revokes an access token and API keys, signs out with a token, and deletes the
// account of a session.
func TestStreamsEndWithTheirCredential(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com")
	revoked, signedOut := newToken(t, ana, "revoked"), newToken(t, ana, "signed out")
	const feed, channel = "/subscribers/notifications/stream", "/channels/eletrico/linhas/notifications/stream"
	const keys = "/publishers/eletrico/api-keys"
	var categories page[object]
	ana.Do(http.MethodGet, "/categories", nil, http.StatusOK, &categories)
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, http.StatusCreated, nil)
	lines := object{
		"publisherSlug": "eletrico", "slug": "linhas", "name": "Linhas", "categoryId": categories.Data[0]["id"],
	}
	ana.Do(http.MethodPost, "/channels", lines, http.StatusCreated, nil)
	var key, old apiKey
	ana.Do(http.MethodPost, keys, object{"name": "revoked", "scopes": []string{"read"}}, http.StatusCreated, &key)
	ana.Do(http.MethodPost, keys, object{"name": "rotated", "scopes": []string{"read"}}, http.StatusCreated, &old)
	for name, c := range map[string]struct {
		person *servertest.Subscriber
		bearer string
		stream string
		end    func()
	}{
		"revoking a key": {ana, key.Secret, channel, func() {
			ana.Do(http.MethodDelete, keys+"/"+key.ID, nil, http.StatusNoContent, nil)
		}},
		"rotating a key": {ana, old.Secret, channel, func() {
			ana.Do(http.MethodPost, keys+"/"+old.ID+"/rotate", object{"oldExpiresAt": time.Now()},
				http.StatusCreated, nil)
			call(t, ana.Request(http.MethodGet, "/publishers/eletrico", nil), old.Secret, http.StatusUnauthorized, nil)
		}},
		"revoking a token": {ana, revoked.Secret, feed, func() {
			ana.Do(http.MethodDelete, "/subscribers/access-tokens/"+revoked.ID, nil, http.StatusNoContent, nil)
		}},
		"signing out": {ana, signedOut.Secret, channel, func() {
			call(t, ana.Request(http.MethodDelete, "/auth", nil), signedOut.Secret, http.StatusNoContent, nil)
		}},
		"deleting the account": {rui, "", feed, func() {
			rui.Do(http.MethodDelete, "/subscribers/me", nil, http.StatusNoContent, nil)
		}},
	} {
		req := c.person.Request(http.MethodGet, c.stream, nil)
		if c.bearer != "" {
			req.Header.Set("Authorization", "Bearer "+c.bearer)
		}
		stream, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatalf("request %s %s: %v", req.Method, req.URL, err)
		}
		lines := bufio.NewReader(stream.Body)
		if _, err := lines.ReadString('\n'); err != nil || stream.StatusCode != http.StatusOK {
			t.Fatalf("stream before %s: got %s and %v, want 200 and a line", name, stream.Status, err)
		}
		c.end()
		if _, err := io.Copy(io.Discard, lines); err != nil {
			t.Errorf("stream after %s: got %v, want it to end", name, err)
		}
		_ = stream.Body.Close()
	}
	ana.Do(http.MethodGet, "/auth", nil, http.StatusOK, nil)
	ana.Do(http.MethodGet, "/subscribers/me", nil, http.StatusOK, nil) // the session is still valid
	rui.Do(http.MethodGet, "/subscribers/me", nil, http.StatusUnauthorized, nil)
}
