package servertest_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/servertest"
)

// TestPathsThatAreNotClean expects the API of both servers to refuse unclean paths: a redirect would carry no request
// id.
func TestPathsThatAreNotClean(t *testing.T) {
	t.Parallel()
	key := base64.StdEncoding.EncodeToString(core.NewSecretKey())
	main := servertest.Start(t, servertest.With("SECRET_KEY", key))
	alone := serveAlone(t, map[string]string{
		"DATABASE_URL": main.DatabaseURL, "PUBLIC_URL": main.URL, "SECRET_KEY": key, "SMTP_URL": "smtp://127.0.0.1:1",
		"MAIL_FROM": "ola@example.com",
	})
	for _, server := range []string{main.URL, alone} {
		for _, path := range []string{
			"/api", "/api/", "/api/v1", "/api/v1//channels", "/api/v1/channels/", "//api/v1/channels",
			"/api/v1/./waitlist/entries", "/api/v1/x/../channels", "/livez/../api/v1/channels", "/api/v1/../../livez",
			"/api/v1/waitlist/entries/", "/api/v1/waitlist//entries/x",
		} {
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				refusedAsProblem(t, method, server+path)
			}
		}
	}
}

func refusedAsProblem(t *testing.T, method, url string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatalf("request %s %s: %v", req.Method, req.URL, err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode < 400 || res.StatusCode >= 500 {
		t.Errorf("%s %s: status %d to %q, want 4xx", method, url, res.StatusCode, res.Header.Get("Location"))
		return
	}
	if got := res.Header.Get("Content-Type"); got != "application/problem+json" {
		t.Errorf("%s %s: Content-Type %q, want application/problem+json", method, url, got)
	}
	var p api.Problem
	if err := json.NewDecoder(res.Body).Decode(&p); err != nil {
		t.Errorf("%s %s: decode the problem: %v", method, url, err)
	}
	if id := res.Header.Get("X-Request-Id"); p.RequestID == "" || p.RequestID != id {
		t.Errorf("%s %s: requestId %q, header %q; want the same id in both", method, url, p.RequestID, id)
	}
}
