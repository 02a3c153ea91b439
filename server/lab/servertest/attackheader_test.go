package servertest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// wantSafe checks the headers of a response that keep browsers from using it in another way than it is meant.
func wantSafe(t *testing.T, what string, header http.Header) {
	t.Helper()
	check.Equal(t, "X-Content-Type-Options of "+what, header.Get("X-Content-Type-Options"), "nosniff")
	check.Equal(t, "Cross-Origin-Opener-Policy of "+what, header.Get("Cross-Origin-Opener-Policy"), "same-origin")
	if header.Get("Referrer-Policy") == "" {
		t.Errorf("Referrer-Policy of %s: got none", what)
	}
	for _, directive := range []string{"default-src", "frame-ancestors 'none'", "base-uri 'none'"} {
		policy := header.Get("Content-Security-Policy")
		if !strings.Contains(policy, directive) && !strings.Contains(policy, "sandbox") {
			t.Errorf("Content-Security-Policy of %s: got %q, want it with %s", what, policy, directive)
		}
	}
}

// TestHeaders loads a page, file or error of each part of an installation with an https address.
func TestHeaders(t *testing.T) {
	t.Parallel()
	const hsts = "Strict-Transport-Security"
	secure := servertest.Start(t, servertest.With("PUBLIC_URL", "https://sininho.example.com"))
	plain := servertest.Start(t)
	for _, path := range []string{
		"/", "/feed", "/config.js", "/nothing.js", "/docs", "/docs/", "/docs/nothing", "/livez", "/readyz",
		"/.well-known/security.txt", "/pictures/x/y", "/api", "/api/v1/nothing", "/api/v1/channels", "/api/v1/openapi.json",
		"/api/v1/subscribers/me", "/api/v1/auth/google", "/api/v1/channels/demo/novidades/notifications/stream", "//x",
	} {
		for s, want := range map[*servertest.Server]string{secure: "max-age=31536000", plain: ""} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, nil)
			if err != nil {
				t.Fatalf("new request: %v", err)
			}
			res, err := http.DefaultTransport.RoundTrip(req)
			if err != nil {
				t.Fatalf("request %s: %v", req.URL, err)
			}
			_ = res.Body.Close()
			wantSafe(t, path, res.Header)
			check.Equal(t, hsts+" of "+path, res.Header.Get(hsts), want)
		}
	}
}

// TestPersonalDataIsNotCached calls every operation as a person.
func TestPersonalDataIsNotCached(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, o := range operations(t) {
		if slices.Contains([]string{"signOut", "deleteMe", "endOtherSessions", "removeMember"}, o.id) {
			continue // they end sessions or replace secrets, and have no content
		}
		_, header := f.send(o, o.make(f), nil)
		wantSafe(t, o.id, header)
		if got := header.Get("Cache-Control"); !strings.Contains(got, "no-store") {
			t.Errorf("Cache-Control of %s: got %q, want no-store", o.id, got)
		}
	}
}
