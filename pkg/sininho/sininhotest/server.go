package sininhotest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
)

// Server is an in-memory Sininho server.
type Server struct {
	// URL is the server's origin, for example http://127.0.0.1:41234.
	URL string
	// APIKey belongs to the publisher demo and has every scope.
	APIKey string

	t     testing.TB
	store *store
	mux   *http.ServeMux

	mu       sync.Mutex
	requests []Request
	handlers []http.HandlerFunc
	lose     int
}

// Request is a request that the server received.
type Request struct {
	Method, Path string
	Header       http.Header
	Body         []byte
}

// New starts a server that stops at the end of the test.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t, store: newStore()}
	s.APIKey = s.NewAPIKey("demo", sininho.ScopePublish, sininho.ScopeChannels, sininho.ScopeRead)
	s.mux = s.routes()
	server := httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = server.URL
	t.Cleanup(func() {
		close(s.store.ended)
		server.Close()
	})
	return s
}

// Client returns a client that calls the server with APIKey. opts are applied last.
func (s *Server) Client(opts ...sininho.Option) *sininho.Client {
	s.t.Helper()
	client, err := sininho.New(append([]sininho.Option{
		sininho.WithBaseURL(s.URL), sininho.WithAPIKey(s.APIKey),
	}, opts...)...)
	if err != nil {
		s.t.Fatalf("sininhotest: new client: %v", err)
	}
	s.t.Cleanup(client.CloseIdleConnections)
	return client
}

// Respond lets each handler respond to one of the next requests instead of carrying it out. A nil
// handler carries its request out.
func (s *Server) Respond(handlers ...http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handlers = append(s.handlers, handlers...)
}

// Reply responds to the next request with a status and value as JSON, for example 200 and a
// [sininho.Deliveries], or without a body if value is nil.
func (s *Server) Reply(status int, value any) {
	s.Respond(func(w http.ResponseWriter, _ *http.Request) {
		if value == nil {
			w.WriteHeader(status)
			return
		}
		writeJSON(w, status, value)
	})
}

// LoseResponses carries out the next n requests that change something, but cuts their connections
// instead of responding.
func (s *Server) LoseResponses(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lose = n
}

// CutStreams ends all open streams, as a restart of the server does.
func (s *Server) CutStreams() {
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	s.store.cutStreams()
}

// Requests returns the requests received so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Published returns the notifications of a channel, oldest first. It includes scheduled and expired
// ones, but not withdrawn ones.
func (s *Server) Published(channel string) []sininho.Notification {
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	s.store.settle()
	var all []sininho.Notification
	if address, err := sininho.ParseAddress(channel); err == nil {
		for _, n := range s.store.notifications(address) {
			if !n.withdrawn {
				all = append(all, n.Notification)
			}
		}
	}
	return all
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	r.Body = io.NopCloser(bytes.NewReader(body))
	handler, lose := s.record(r, body)
	switch {
	case handler != nil:
		handler(w, r)
	case lose:
		s.mux.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	default:
		s.mux.ServeHTTP(w, r)
	}
}

func (s *Server) record(r *http.Request, body []byte) (handler http.HandlerFunc, lose bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{Method: r.Method, Path: r.URL.Path, Header: r.Header.Clone(), Body: body})
	if len(s.handlers) > 0 {
		handler, s.handlers = s.handlers[0], s.handlers[1:]
	}
	if handler == nil && s.lose > 0 && r.Method != http.MethodGet {
		s.lose--
		lose = true
	}
	return handler, lose
}
