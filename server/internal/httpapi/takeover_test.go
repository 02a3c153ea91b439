package httpapi

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// takeovers takes connections over and leaves the streams to the test.
type takeovers struct {
	liveStreams
	conns    chan net.Conn
	requests chan core.StreamRequest
}

func (l takeovers) ServeFeed(w http.ResponseWriter, _ *http.Request, _ core.ID, q core.StreamRequest) error {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return err
	}
	_, err = io.WriteString(conn, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
	l.conns <- conn
	l.requests <- q
	return err
}

// TestAStreamThatWasTakenOver expects a stream to count until it ends, not until its handler returns, and both to be
// logged.
func TestAStreamThatWasTakenOver(t *testing.T) {
	live := takeovers{conns: make(chan net.Conn, 1), requests: make(chan core.StreamRequest, 1)}
	w := newWorld(t, func(c *Config) { c.Live = live })
	a := newServer(w.config)
	returned := make(chan struct{}, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.routes.ServeHTTP(w, r)
		returned <- struct{}{}
	}))
	t.Cleanup(s.Close)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		s.URL+"/api/v1/subscribers/notifications/stream", nil)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	req.Header.Set("Cookie", strings.TrimPrefix(signedIn, "Cookie: "))
	res, err := s.Client().Do(req)
	if err != nil {
		t.Fatalf("request: %v", err)
	}
	defer res.Body.Close() // the test ends the stream
	conn, q := <-live.conns, <-live.requests
	defer conn.Close()
	<-returned
	check.Equal(t, "streams counted after the handler has returned", len(a.streams.count), 1)
	for _, want := range []string{"msg=request", "status=200", "streams=true"} {
		if !strings.Contains(w.log.String(), want) {
			t.Errorf("log when the handler has returned: got %s, want %s in it", w.log, want)
		}
	}
	q.Ended()
	check.Equal(t, "streams counted after the stream has ended", len(a.streams.count), 0)
	if want := `msg="stream ended" requestId=`; !strings.Contains(w.log.String(), want) {
		t.Errorf("log when the stream has ended: got %s, want %s in it", w.log, want)
	}
}
