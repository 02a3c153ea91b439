package servertest_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/servertest"
)

// dial opens a connection and writes the bytes of a request to it.
func dial(t *testing.T, s *servertest.Server, sent string) net.Conn {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := io.WriteString(conn, sent); err != nil {
		t.Fatalf("write %q: %v", sent, err)
	}
	return conn
}

// TestSlowRequests sends requests that never end: the server closes their connections within about ten seconds.
func TestSlowRequests(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	const late = 13 * time.Second
	for name, sent := range map[string]string{
		"no byte":      "",
		"no header":    "GET /api/v1/channels HTTP/1.1\r\n",
		"half headers": "GET /api/v1/channels HTTP/1.1\r\nHost: sininho\r\nX-Slow: ",
		"no body": "POST /api/v1/auth/device HTTP/1.1\r\nHost: sininho\r\nContent-Type: application/json\r\n" +
			"Content-Length: 100\r\n\r\n",
		"half a body": "POST /api/v1/auth/device HTTP/1.1\r\nHost: sininho\r\nContent-Type: application/json\r\n" +
			"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := dial(t, s, sent)
			start := time.Now()
			if err := conn.SetReadDeadline(start.Add(2 * late)); err != nil {
				t.Fatalf("set a deadline: %v", err)
			}
			response, err := io.ReadAll(conn)
			if took := time.Since(start); err != nil || took > late {
				t.Errorf("connection: closed after %s with %q and %v, want it closed within %s", took, response, err, late)
			}
		})
	}
}

// TestAmbiguousRequests sends requests whose end, or host, two servers in a row could read differently. None of them
// may begin a second request that a proxy did not see.
func TestAmbiguousRequests(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	const start = "POST /api/v1/auth/device HTTP/1.1\r\nHost: sininho\r\nContent-Type: application/json\r\n"
	const second = "GET /livez HTTP/1.1\r\nHost: sininho\r\n\r\n"
	for name, sent := range map[string]string{
		"two lengths":              start + "Content-Length: 2\r\nContent-Length: 0\r\n\r\n{}" + second,
		"a signed length":          start + "Content-Length: +2\r\n\r\n{}" + second,
		"an unknown encoding":      start + "Transfer-Encoding: xchunked\r\nContent-Length: 2\r\n\r\n{}" + second,
		"two encodings":            start + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + second,
		"an encoding with a space": start + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + second,
		"a chunk of a bad length":  start + "Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n" + second,
		"two hosts":                "GET /api/v1/channels HTTP/1.1\r\nHost: sininho\r\nHost: evil.example\r\n\r\n" + second,
		"no host":                  "GET /api/v1/channels HTTP/1.1\r\n\r\n" + second,
		"a space in a name":        "GET /api/v1/channels HTTP/1.1\r\nHost: sininho\r\nX Y: z\r\n\r\n" + second,
		"a broken line":            "GET /api/v1/channels HTTP/1.1\r\nHost: sininho\r\nX: y\rz\r\n\r\n" + second,
	} {
		in := bufio.NewReader(dial(t, s, sent))
		res, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		if res.StatusCode != http.StatusBadRequest && res.StatusCode != http.StatusNotImplemented {
			t.Errorf("%s: got %s, want 400 or 501", name, res.Status)
		}
		if rest, err := io.ReadAll(in); err != nil || len(rest) > 0 {
			t.Errorf("connection after %s: got %q and %v, want it closed", name, rest, err)
		}
	}
}
