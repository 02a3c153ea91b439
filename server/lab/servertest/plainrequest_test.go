package servertest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/servertest"
)

// sendPlain sends a request as it is, with headers that are each a name and a value. The response's body is closed when
// the test ends.
func sendPlain(t *testing.T, s *servertest.Server, method, path, body string, headers ...string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatalf("make a request: %v", err)
	}
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("send %s %s: %v", method, path, err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}
