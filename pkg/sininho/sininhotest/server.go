package sininhotest

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
)

// Server is a Sininho server in memory.
type Server struct {
	// URL is the server's origin, for example http://127.0.0.1:41234.
	URL string
	// APIKey has every scope of the publisher demo, whose channel is demo/novidades.
	APIKey string

	t  testing.TB
	mu sync.Mutex // guards everything below

	requests []Request
	script   []http.HandlerFunc // respond to the next requests; nil carries one out
	lose     int                // responses

	ahead         time.Duration                    // of the server's clock
	publishers    map[string]*sininho.PublisherRef // by slug
	keys          map[string]*key                  // by secret
	channels      map[string]*sininho.Channel      // by address
	notifications []*notification                  // oldest first
	webhooks      []*webhook                       // oldest first
	responses     map[string]*response             // by API key, path and idempotency key

	changes []*notification // on the streams; the place in it is the position
	moved   chan struct{}   // closed at the next change
	cut     chan struct{}   // closed to end the open streams
}

// New starts a server that stops at the end of the test.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t, publishers: map[string]*sininho.PublisherRef{}, keys: map[string]*key{},
		channels: map[string]*sininho.Channel{}, responses: map[string]*response{},
		moved: make(chan struct{}), cut: make(chan struct{})}
	s.APIKey = s.Channel("demo/novidades")
	ctx, stop := context.WithCancel(context.Background()) // of all requests, so that streams end with the server
	server := httptest.NewUnstartedServer(s.scripted(s.routes()))
	server.Config.BaseContext = func(net.Listener) context.Context { return ctx }
	server.Start()
	t.Cleanup(server.Close)
	t.Cleanup(stop)
	s.URL = server.URL
	return s
}

// Client returns a client that calls the server with APIKey. opts are applied last.
func (s *Server) Client(opts ...sininho.Option) *sininho.Client {
	s.t.Helper()
	settings := []sininho.Option{sininho.WithBaseURL(s.URL), sininho.WithAPIKey(s.APIKey)}
	client, err := sininho.New(append(settings, opts...)...)
	if err != nil {
		s.t.Fatalf("sininhotest: new client: %v", err)
	}
	s.t.Cleanup(client.CloseIdleConnections)
	return client
}

// lock locks the server and returns the function that unlocks it.
func (s *Server) lock() (unlock func()) {
	s.mu.Lock()
	return s.mu.Unlock
}

// Step sets the server's clock forward: what is due is published, and what has expired is hidden. Between steps the
// clock goes on like any other, but what is due then waits for the next request or step.
func (s *Server) Step(d time.Duration) {
	defer s.lock()()
	s.ahead += d
	s.settle()
}

// now returns the time of the server's clock, in the precision of the API.
func (s *Server) now() time.Time { return time.Now().Add(s.ahead).UTC().Truncate(time.Microsecond) }
