package server

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/check"
)

// observed tells when it has accepted a connection, and when it was closed.
type observed struct {
	net.Listener
	accepted, closed chan struct{}
}

func (l observed) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		l.accepted <- struct{}{}
	}
	return c, err
}

func (l observed) Close() error {
	err := l.Listener.Close()
	select {
	case l.closed <- struct{}{}:
	default:
	}
	return err
}

type nothing struct{}

func (nothing) Stop(context.Context) error { return nil }

// TestAcceptedConnectionIsServed stops a server that has accepted a connection, before the client sends its request.
func TestAcceptedConnectionIsServed(t *testing.T) {
	inner, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	l := observed{inner, make(chan struct{}, 1), make(chan struct{}, 1)}
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "served") })
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() {
		ended <- serveUntilDone(ctx, l, newWeb(handler, slog.New(slog.DiscardHandler)), func() {}, nothing{})
	}()
	conn, err := (&net.Dialer{Timeout: 10 * time.Second}).DialContext(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	defer conn.Close()
	<-l.accepted
	stop()
	<-l.closed
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		t.Fatalf("send a request: %v", err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("response on a connection that was accepted before the stop: %v", err)
	}
	defer res.Body.Close()
	check.Equal(t, "status", res.StatusCode, http.StatusOK)
	if err := <-ended; err != nil {
		t.Errorf("stop: %v", err)
	}
}

// TestStoppingServerKeepsNoConnection expects responses to end their connections from the moment a server is stopping,
// while it still serves.
func TestStoppingServerKeepsNoConnection(t *testing.T) {
	stopping := make(chan struct{})
	s := httptest.NewServer(closing(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), stopping))
	defer s.Close()
	closes := func() bool {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL, http.NoBody)
		if err != nil {
			t.Fatalf("make a request: %v", err)
		}
		res, err := s.Client().Do(req)
		if err != nil {
			t.Fatalf("send a request: %v", err)
		}
		_ = res.Body.Close()
		return res.Close
	}
	if closes() {
		t.Error("connection of a server that runs: got closed, want kept")
	}
	close(stopping)
	if !closes() {
		t.Error("connection of a server that is stopping: got kept, want closed")
	}
}
