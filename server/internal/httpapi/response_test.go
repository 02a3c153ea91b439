package httpapi

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/lab/check"
)

// response is a recorded response. The messages of its checks begin with what, which names the request.
type response struct {
	*httptest.ResponseRecorder
	t testing.TB
}

func (r *response) wantStatus(what string, want int) {
	r.t.Helper()
	if r.Code != want {
		r.t.Errorf("%s: got status %d, want %d: %.300s", what, r.Code, want, r.Body)
	}
}

// mustStatus is wantStatus for a request that the rest of the test depends on.
func (r *response) mustStatus(what string, want int) {
	r.t.Helper()
	if r.Code != want {
		r.t.Fatalf("%s: got status %d, want %d: %.300s", what, r.Code, want, r.Body)
	}
}

// wantHeader checks the first value of a header. An empty want means that the header must be absent or empty.
func (r *response) wantHeader(what, name, want string) {
	r.t.Helper()
	check.Equal(r.t, what+": "+name, r.Header().Get(name), want)
}

// wantBody compares the body without the white space around it.
func (r *response) wantBody(what, want string) {
	r.t.Helper()
	check.Equal(r.t, what+": body", strings.TrimSpace(r.Body.String()), want)
}

func (r *response) mustDecode(what string, v any) {
	r.t.Helper()
	if err := json.Unmarshal(r.Body.Bytes(), v); err != nil {
		r.t.Fatalf("%s: decode the body of status %d: %v: %q", what, r.Code, err, r.Body)
	}
}

// problem decodes the problem and checks the fields and headers that all problems have.
func (r *response) problem() (p api.Problem) {
	r.t.Helper()
	r.mustDecode("problem", &p)
	check.Equal(r.t, "problem: status", int(p.Status), r.Code)
	check.Equal(r.t, "problem: type", p.Type, "about:blank")
	if p.Title == "" || p.Code == "" || p.Detail == nil {
		r.t.Errorf("problem: got %s, want a title, a code and a detail", r.Body)
	}
	check.Equal(r.t, "problem: requestId", p.RequestID, r.Header().Get("X-Request-Id"))
	r.wantHeader("problem", "Content-Type", "application/problem+json")
	r.wantHeader("problem", "Cache-Control", "no-store")
	if got := r.Header().Get("WWW-Authenticate"); (got != "") != (r.Code == 401) {
		r.t.Errorf("problem of status %d: got WWW-Authenticate %q, want it only with 401", r.Code, got)
	}
	return p
}
