package guard_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/live"
	"github.com/sininho/sininho/server/lab/check"
)

// house is a server behind a door. Requests to /slow wait until the test ends.
type house struct {
	t       *testing.T
	addr    string
	refused atomic.Int64
	idle    atomic.Int64 // times that a connection became so
}

func newHouse(t *testing.T, c guard.DoorConfig) *house {
	t.Helper()
	h := &house{t: t}
	c.Refused = func() { h.refused.Add(1) }
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	h.addr = l.Addr().String()
	over := make(chan struct{})
	watch := func(c net.Conn, state http.ConnState) {
		guard.Watch(c, state)
		if state == http.StateIdle {
			h.idle.Add(1)
		}
	}
	s := &http.Server{ConnState: watch, ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/slow" {
				w.WriteHeader(http.StatusOK)
				_ = http.NewResponseController(w).Flush()
				<-over
			}
		})}
	served := make(chan error, 1)
	go func() { served <- s.Serve(guard.NewDoor(c).Listen(l)) }()
	t.Cleanup(func() {
		close(over)
		if err := errors.Join(s.Close(), <-served); !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("serve: %v", err)
		}
	})
	return h
}

// client is a connection to the house.
type client struct {
	net.Conn
	in *bufio.Reader
}

func (h *house) connect(from string) *client {
	h.t.Helper()
	conn, err := dialer(from).DialContext(h.t.Context(), "tcp", h.addr)
	if err != nil {
		h.t.Fatalf("connect: %v", err)
	}
	h.t.Cleanup(func() { _ = conn.Close() })
	return &client{conn, bufio.NewReader(conn)}
}

func dialer(from string) *net.Dialer {
	return &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
}

// get reports whether there is a response to a request.
func (c *client) get(path string) bool {
	if _, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path); err != nil {
		return false
	}
	res, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return false
	}
	if path != "/slow" {
		_ = res.Body.Close()
	}
	return res.StatusCode == http.StatusOK
}

// isClosed waits a little to see whether the server has closed the connection.
func (c *client) isClosed() bool {
	_ = c.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	_, err := c.in.Peek(1)
	return err != nil && !errors.Is(err, os.ErrDeadlineExceeded)
}

func (h *house) wantClosed(what string, c *client) {
	h.t.Helper()
	eventually.True(h.t, what+" to be closed", c.isClosed)
}

// want expects a response, and the connection to be idle afterwards, unless the response has no end.
func (h *house) want(what string, c *client, path string) {
	h.t.Helper()
	before := h.idle.Load()
	if !c.get(path) {
		h.t.Errorf("%s: got no response, want one", what)
		return
	}
	if path != "/slow" {
		eventually.True(h.t, what+" to be idle", func() bool { return h.idle.Load() > before })
	}
}

// TestANetworkHasFewConnections opens one more than a network may have: the one that has been idle longest makes room,
// and none of those that are in use.
func TestANetworkHasFewConnections(t *testing.T) {
	t.Parallel()
	h := newHouse(t, guard.DoorConfig{PerNetwork: 3, Total: 100})
	first, second, third := h.connect("127.0.0.1"), h.connect("127.0.0.1"), h.connect("127.0.0.1")
	h.want("the second", second, "/")
	h.want("the first", first, "/")
	h.want("the third", third, "/slow")
	fourth := h.connect("127.0.0.1")
	h.want("the fourth", fourth, "/slow")
	h.wantClosed("the second, which is idle since before the first,", second)
	h.want("the first, again", first, "/slow")
	h.wantClosed("a fifth, while all are in use,", h.connect("127.0.0.1"))
	h.want("another network", h.connect("127.0.0.2"), "/")
	check.Equal(t, "refused", h.refused.Load(), 2)
	_ = first.Close()
	_ = third.Close()
}

// TestSilentConnectionsMakeRoom opens connections that send nothing. They make room as idle ones do.
func TestSilentConnectionsMakeRoom(t *testing.T) {
	t.Parallel()
	h := newHouse(t, guard.DoorConfig{PerNetwork: 2, Total: 100})
	silent := h.connect("127.0.0.1")
	h.connect("127.0.0.1")
	h.want("the third", h.connect("127.0.0.1"), "/")
	h.wantClosed("the first", silent)
}

// TestAllConnections uses up those of all networks: the network with most that are idle makes room.
func TestAllConnections(t *testing.T) {
	t.Parallel()
	h := newHouse(t, guard.DoorConfig{Total: 6})
	modest := h.connect("127.0.0.2")
	h.want("the modest", modest, "/")
	crowd := make([]*client, 5)
	for i := range crowd {
		crowd[i] = h.connect("127.0.0.1")
		h.want("the crowd", crowd[i], "/")
	}
	h.want("a third network", h.connect("127.0.0.3"), "/")
	h.wantClosed("the first of the crowd", crowd[0])
	h.want("the modest, again", modest, "/")
}

// TestNoRoom has all connections in use.
func TestNoRoom(t *testing.T) {
	t.Parallel()
	h := newHouse(t, guard.DoorConfig{Total: 2})
	for range 2 {
		h.want("a request that goes on", h.connect("127.0.0.1"), "/slow")
	}
	h.wantClosed("a connection too many", h.connect("127.0.0.2"))
}

// TestNetworksAround opens connections from many addresses of one network: they leave half to the others.
func TestNetworksAround(t *testing.T) {
	t.Parallel()
	h := newHouse(t, guard.DoorConfig{PerNetwork: 10, Total: 8})
	for i := range 4 {
		h.want("a request that goes on", h.connect(fmt.Sprint("127.0.0.", 10+i)), "/slow")
	}
	h.wantClosed("another of the network", h.connect("127.0.0.99"))
	h.want("another network", h.connect("127.9.0.1"), "/")
}

func TestProxiesHaveNoLimit(t *testing.T) {
	t.Parallel()
	h := newHouse(t, guard.DoorConfig{PerNetwork: 1, Total: 100, Trusted: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}})
	for range 5 {
		h.want("a request that goes on", h.connect("127.0.0.1"), "/slow")
	}
	h.want("another network", h.connect("127.0.0.2"), "/slow")
	h.wantClosed("another's second", h.connect("127.0.0.2"))
}

// TestHTTP2 expects a connection of HTTP/2, over TLS as the server has it, to make room only when it is idle.
func TestHTTP2(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Proto)
		if r.URL.Path == "/slow" {
			_ = http.NewResponseController(w).Flush()
			<-over
		}
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	web := &http.Server{Handler: s.Config.Handler, TLSConfig: s.TLS, ConnState: guard.Watch,
		ReadHeaderTimeout: time.Minute}
	d := guard.NewDoor(guard.DoorConfig{PerNetwork: 1, Total: 10, Refused: func() {}})
	served := make(chan error, 1)
	go func() { served <- web.Serve(live.Secure(d.Listen(l), s.TLS)) }()
	t.Cleanup(func() {
		if err := errors.Join(web.Close(), <-served); !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("serve: %v", err)
		}
	})
	get := func(path string) error {
		transport := s.Client().Transport.(*http.Transport).Clone()
		t.Cleanup(transport.CloseIdleConnections)
		ctx, cancel := context.WithCancel(t.Context())
		t.Cleanup(cancel)
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+l.Addr().String()+path, nil)
		if err != nil {
			return err
		}
		res, err := transport.RoundTrip(req)
		if err == nil {
			t.Cleanup(func() { _ = res.Body.Close() })
			check.Equal(t, "protocol", res.Proto, "HTTP/2.0")
		}
		return err
	}
	for _, path := range []string{"/", "/", "/slow"} {
		// A connection is idle a moment after its client has the response.
		eventually.True(t, path+" in a new connection, while the others are idle", func() bool { return get(path) == nil })
	}
	if err := get("/"); err == nil {
		t.Error("a new connection while the only one is in use: got a response, want none")
	}
	close(over)
}
