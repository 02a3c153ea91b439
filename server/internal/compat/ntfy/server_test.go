package ntfy

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/compat"
	"github.com/sininho/sininho/server/lab/check"
)

// ask sends a request to a server whose API always responds with a status and a body.
func ask(t *testing.T, method, path string, status int, body string) *httptest.ResponseRecorder {
	t.Helper()
	api := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	})
	next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader("x"))
	r.Header.Set("Authorization", "Bearer key")
	Beside(next, Config{API: compat.API{Handler: api}, Now: time.Now}).ServeHTTP(w, r)
	return w
}

// TestRefusalsOfTheAPI expects the numbers of ntfy for what the API refuses, and when to try again.
func TestRefusalsOfTheAPI(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{400: "40000", 401: "40101", 403: "40301", 404: "40401", 413: "41301",
		422: "40000", 429: "42901", 500: "50001", 503: "50301", 507: "50701"} {
		w := ask(t, http.MethodPost, "/demo_novidades", status, `{"detail": "Because."}`)
		if w.Code/100 != status/100 || !strings.Contains(w.Body.String(), `"code":`+want) {
			t.Errorf("%d of the API: got %d, %s; want %s", status, w.Code, w.Body, want)
		}
		check.Equal(t, "Retry-After", w.Header().Get("Retry-After"), map[bool]string{true: "7"}[status == 429])
	}
}

// TestOthersPathsAreLeft expects what is not of ntfy to be as it is.
func TestOthersPathsAreLeft(t *testing.T) {
	t.Parallel()
	for path, left := range map[string]bool{
		"GET /": true, "POST /": false, "GET /feed": true, "GET /channels/demo/novidades": true, "GET /assets/a_b.js": true,
		"GET /v1/health": false, "GET /v1/other": true, "POST /demo": true, "POST /demo_novidades": false,
		"GET /demo_novidades/json": false, "GET /a_b/c/d/e": true, "GET /favicon_x.ico": true, "GET /_": false,
	} {
		method, target, _ := strings.Cut(path, " ")
		check.Equal(t, path+" is left", ask(t, method, target, 200, `{"data": []}`).Code == http.StatusTeapot, left)
	}
}

// TestAccount names whom a credential is of.
func TestAccount(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"caller": "publisher", "publisher": {"slug": "demo"}}`:               `"username":"demo"`,
		`{"caller": "subscriber", "subscriber": {"email": "ana@example.com"}}`: `"username":"ana@example.com"`,
	} {
		w := ask(t, http.MethodGet, "/v1/account", 200, body)
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("account: got %s, want %s", w.Body, want)
		}
	}
}
