package servertest_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/servertest"
)

// plainResponse is a response that was read whole.
type plainResponse struct {
	StatusCode int
	Header     http.Header
	Body       *bytes.Reader
}

// sendPlain sends a request as it is, with headers that are each a name and a value.
func sendPlain(t *testing.T, s *servertest.Server, method, path, body string, headers ...string) plainResponse {
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
	defer func() { _ = res.Body.Close() }()
	received, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("read the response to %s %s: %v", method, path, err)
	}
	return plainResponse{res.StatusCode, res.Header, bytes.NewReader(received)}
}
