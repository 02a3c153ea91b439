package servertest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/lab/servertest"
)

type object map[string]any

// page is a page of a list.
type page[T any] struct {
	Data []T
	Meta struct{ Total int }
}

// response is a response with its body and, for a problem, its code.
type response struct {
	*http.Response
	Code string
	Body []byte
	t    *testing.T
}

// call sends req with bearer as its bearer token, or unchanged when bearer is empty. It expects the status want, and
// decodes the response into out unless it is nil.
func call(t *testing.T, req *http.Request, bearer string, want int, out any) response {
	t.Helper()
	if bearer != "" {
		req.Header.Del("Cookie")
		req.Header.Set("Authorization", "Bearer "+bearer)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("request %s %s: %v", req.Method, req.URL, err)
	}
	defer res.Body.Close() // the body has been read in full
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != want {
		t.Fatalf("%s %s: got %s, want %d: %s %v", req.Method, req.URL, res.Status, want, body, err)
	}
	r := response{Response: res, Body: body, t: t}
	var problem struct{ Code string }
	if json.Unmarshal(body, &problem) == nil {
		r.Code = problem.Code
	}
	if out != nil {
		if err := json.Unmarshal(body, out); err != nil {
			t.Fatalf("%s %s: decode %s: %v", req.Method, req.URL, body, err)
		}
	}
	return r
}

// String returns the method and path of the request.
func (r response) String() string { return r.Request.Method + " " + r.Request.URL.Path }

// wantCode checks the code of a problem.
func (r response) wantCode(want string) {
	r.t.Helper()
	if r.Code != want {
		r.t.Errorf("%s: got code %q, want %q: %s", r, r.Code, want, r.Body)
	}
}

// wantHeader checks a header; an empty value means that there is none.
func (r response) wantHeader(name, want string) {
	r.t.Helper()
	if got := r.Header.Get(name); got != want {
		r.t.Errorf("%s: got %s %q, want %q", r, name, got, want)
	}
}

// wantReplayed expects the response to be the replay of an earlier one.
func (r response) wantReplayed() {
	r.t.Helper()
	r.wantHeader("Idempotency-Replayed", "true")
}

// wantNewVersion expects an ETag other than the old one, and returns it.
func (r response) wantNewVersion(old string) string {
	r.t.Helper()
	version := r.Header.Get("ETag")
	if version == "" || version == old {
		r.t.Errorf("%s: got ETag %q, want a new one after %q", r, version, old)
	}
	return version
}

// send sends a request as a signed-in person; header is empty, or a name and its value.
func send(
	t *testing.T, p *servertest.Subscriber, method, path string, body any, want int, out any, header ...string,
) response {
	t.Helper()
	req := p.Request(method, path, body)
	if len(header) == 2 {
		req.Header.Set(header[0], header[1])
	}
	return call(t, req, "", want, out)
}

// withKey sends a request with the demo publisher's key; header is empty, or a name and its value.
func withKey(t *testing.T, p *servertest.Subscriber, s *servertest.Server, method, path string, body any, want int,
	out any, header ...string) response {
	t.Helper()
	req := p.Request(method, path, body)
	if len(header) == 2 {
		req.Header.Set(header[0], header[1])
	}
	return call(t, req, s.APIKey, want, out)
}

// visit posts without a credential.
func visit(t *testing.T, s *servertest.Server, path string, body any, want int, out any) response {
	t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatalf("encode JSON: %v", err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/api/v1"+path, bytes.NewReader(b))
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	req.Header.Set("Content-Type", "application/json")
	return call(t, req, "", want, out)
}

// execute runs a statement on the server's database.
func execute(t *testing.T, s *servertest.Server, query string, args ...any) {
	t.Helper()
	db, err := pgx.Connect(t.Context(), s.DatabaseURL)
	if err != nil {
		t.Fatalf("connect to the database: %v", err)
	}
	_, err = db.Exec(t.Context(), query, args...)
	if err := errors.Join(err, db.Close(t.Context())); err != nil {
		t.Fatalf("run %q: %v", query, err)
	}
}

// count returns the number that a query on the server's database returns.
func count(t *testing.T, s *servertest.Server, query string, args ...any) (n int) {
	t.Helper()
	db, err := pgx.Connect(t.Context(), s.DatabaseURL)
	if err != nil {
		t.Fatalf("connect to the database: %v", err)
	}
	err = db.QueryRow(t.Context(), query, args...).Scan(&n)
	if err := errors.Join(err, db.Close(t.Context())); err != nil {
		t.Fatalf("run %q: %v", query, err)
	}
	return n
}

// wantPage checks the size of a page that is not the last one of its list, and the total of the list.
func wantPage[T any](t *testing.T, r response, list page[T], total, size int) {
	t.Helper()
	if list.Meta.Total != total || len(list.Data) != size {
		t.Fatalf("%s: got %d of %d items, want %d of %d: %s", r, len(list.Data), list.Meta.Total, size, total, r.Body)
	}
	if r.Header.Get("Link") == "" {
		t.Errorf("%s: got no Link to the next page", r)
	}
}

// wantSecret expects a new secret with that prefix, and a hint that is its end.
func wantSecret(t *testing.T, secret, prefix, hint string) {
	t.Helper()
	if !strings.HasPrefix(secret, prefix) {
		t.Errorf("new secret: got %q, want the prefix %q", secret, prefix)
	}
	if !strings.HasSuffix(secret, hint) {
		t.Errorf("hint of the new secret: got %q, want the end of %q", hint, secret)
	}
}
