package servertest_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/servertest"
)

// TestManyIdleConnections opens 4,000 connections of one address with a request on each, and keeps them. Each took 38
// KiB of the server for two minutes, until there were no file descriptors left for anybody. Another network is served
// at once, and so is the crowd.
func TestManyIdleConnections(t *testing.T) {
	t.Parallel()
	s, p := servertest.StartApart(t, io.Discard, servertest.Limited())
	before := p.Usage(t)
	p.ForgetPeak(t)
	const crowd, most = 4_000, 1_000
	for range crowd {
		requestFrom(t, s, "127.0.0.1")
	}
	soon(t, "a request of another network", func() { requestFrom(t, s, "127.0.0.2") })
	soon(t, "another request of the crowd", func() { requestFrom(t, s, "127.0.0.1") })
	checkGrowth(t, p, before.Memory, mostGrowth)
	if files := p.Usage(t).Files; files > before.Files+most+50 {
		t.Errorf("file descriptors beside %d connections: got %d, want at most %d more than %d", crowd, files, most+50, before.Files)
	}
}

// requestFrom sends a request from an address, and leaves its connection open.
func requestFrom(t *testing.T, s *servertest.Server, from string) {
	t.Helper()
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: 20 * time.Second}
	conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatalf("connect from %s: %v", from, err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := fmt.Fprint(conn, "GET /livez HTTP/1.1\r\nHost: sininho\r\n\r\n"); err != nil {
		t.Fatalf("request from %s: %v", from, err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("response to %s: %v", from, err)
	}
	defer res.Body.Close() // the connection stays open
	if _, err := io.ReadAll(res.Body); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("response to %s: got %d and %v, want 200", from, res.StatusCode, err)
	}
}
