package sininhotest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
)

// Server is a Sininho server in memory.
type Server struct {
	// URL is its origin, as http://127.0.0.1:41234.
	URL string
	// APIKey is the key of the publisher demo, with all scopes.
	APIKey string
	// AccessToken is one of ana@example.com.
	AccessToken string

	t        testing.TB
	contract *contract
	store    *store
	mux      *http.ServeMux

	mu       sync.Mutex
	requests []Request
	answers  []http.HandlerFunc
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
	s := &Server{
		t: t, APIKey: keyPrefix + "sininhotest0000000000000000000000", AccessToken: tokenPrefix + "sininhotest0000000000000000000000",
		contract: loadContract(t), store: newStore(),
	}
	s.mux = s.routes()
	server := httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = server.URL
	t.Cleanup(func() {
		s.store.close()
		server.Close()
	})
	return s
}

// Client makes a client with the server's key; opts come after.
func (s *Server) Client(opts ...sininho.Option) *sininho.Client {
	s.t.Helper()
	client, err := sininho.New(append([]sininho.Option{
		sininho.WithBaseURL(s.URL), sininho.WithAPIKey(s.APIKey),
	}, opts...)...)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(client.CloseIdleConnections)
	return client
}

// Answer lets the next requests be answered by the handlers, one each, instead of being
// carried out; nil carries one out.
func (s *Server) Answer(handlers ...http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = append(s.answers, handlers...)
}

// Reply lets the next request be answered with a status and a value in JSON, as 200 and a
// [sininho.Deliveries], or nil for an answer without a body. It fails the test when that is no
// answer to this request by the contract, and answers a request that breaks it as ever.
func (s *Server) Reply(status int, value any) {
	s.Answer(func(w http.ResponseWriter, r *http.Request) {
		recorder := httptest.NewRecorder()
		switch fault := s.contract.checkRequest(r); {
		case fault != nil:
			writeProblem(recorder, *fault)
		case value == nil:
			recorder.WriteHeader(status)
		default:
			writeJSON(recorder, status, value)
		}
		s.pass(w, r, recorder)
	})
}

// LoseAnswers carries out the next n requests that change something and cuts their
// connections instead of answering.
func (s *Server) LoseAnswers(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lose = n
}

// CutStreams ends all open streams, as a restart of a server does.
func (s *Server) CutStreams() { s.store.cutStreams() }

// Requests gives what was received until now.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Published gives what a channel holds, oldest first.
func (s *Server) Published(channel string) []sininho.Notification {
	return s.store.published(channel)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	r.Body = io.NopCloser(bytes.NewReader(body))
	scripted, lose := s.record(r, body)
	if scripted != nil {
		scripted(w, r)
		return
	}
	if r.Method == http.MethodGet && r.Header.Get("Accept") == "text/event-stream" {
		s.withContract(w, r, body)
		return
	}
	recorder := httptest.NewRecorder()
	s.withContract(recorder, r, body)
	if lose {
		panic(http.ErrAbortHandler)
	}
	s.pass(w, r, recorder)
}

// pass sends an answer if the contract has it.
func (s *Server) pass(w http.ResponseWriter, r *http.Request, recorder *httptest.ResponseRecorder) {
	s.contract.checkAnswer(s.t, r, recorder)
	for name, values := range recorder.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(recorder.Code)
	_, _ = w.Write(recorder.Body.Bytes())
}

func (s *Server) record(r *http.Request, body []byte) (scripted http.HandlerFunc, lose bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{Method: r.Method, Path: r.URL.Path, Header: r.Header.Clone(), Body: body})
	if len(s.answers) > 0 {
		scripted, s.answers = s.answers[0], s.answers[1:]
	}
	if scripted == nil && s.lose > 0 && r.Method != http.MethodGet {
		s.lose--
		lose = true
	}
	return scripted, lose
}

// isGood says whether a credential is one that was there from the start, or was made since
// and not revoked.
func (s *Server) isGood(credential string) bool {
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	return (credential == s.APIKey || credential == s.AccessToken || s.store.secrets[credential] != "") && !s.store.deleted
}

// withContract refuses what breaks the contract, as every Sininho server does.
func (s *Server) withContract(w http.ResponseWriter, r *http.Request, body []byte) {
	w.Header().Set("X-Request-Id", "req-test")
	posted := strings.HasPrefix(r.URL.Path, receivePath) // whose credential is the webhook's
	if bearer := r.Header.Get("Authorization"); bearer != "" && !posted && !s.isGood(strings.TrimPrefix(bearer, "Bearer ")) {
		writeProblem(w, problem(http.StatusUnauthorized, "unauthenticated", "The credential is not good."))
		return
	}
	if fault := s.contract.checkRequest(r); fault != nil {
		writeProblem(w, *fault)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.mux.ServeHTTP(w, r)
}
