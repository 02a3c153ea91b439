package sininhotest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"time"
)

// Request is a request that the server received.
type Request struct {
	Method, Path string
	Header       http.Header
	Body         []byte
}

// Requests returns the requests received so far.
func (s *Server) Requests() []Request {
	defer s.lock()()
	return slices.Clone(s.requests)
}

// Respond lets each handler respond to one of the next requests. A nil handler carries its request out.
func (s *Server) Respond(handlers ...http.HandlerFunc) {
	defer s.lock()()
	s.script = append(s.script, handlers...)
}

// Reply responds to the next request with a status and a value as JSON, or without a body if the value is nil.
func (s *Server) Reply(status int, value any) {
	s.Respond(func(w http.ResponseWriter, _ *http.Request) { write(w, status, value) })
}

// Refuse returns a handler for [Server.Respond] that responds with a problem. retryAfter is in seconds; 0 means none.
func Refuse(status int, code string, retryAfter int) http.HandlerFunc {
	e := refusal(status, code, "The test scripted this refusal.")
	e.RetryAfter = time.Duration(retryAfter) * time.Second
	return func(w http.ResponseWriter, _ *http.Request) { writeProblem(w, e) }
}

// Cut is a handler for [Server.Respond] that closes the connection without a response.
func Cut(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// LoseResponses carries out the next n requests that change something, but cuts their connections.
func (s *Server) LoseResponses(n int) {
	defer s.lock()()
	s.lose = n
}

// scripted keeps each request, and lets the script respond to it before next does.
func (s *Server) scripted(next http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
		r.Body = io.NopCloser(bytes.NewReader(body))
		switch respond, lose := s.record(Request{r.Method, r.URL.Path, r.Header.Clone(), body}); {
		case respond != nil:
			respond(w, r)
		case lose:
			next.ServeHTTP(httptest.NewRecorder(), r)
			Cut(w, r)
		default:
			next.ServeHTTP(w, r)
		}
	}
}

func (s *Server) record(r Request) (respond http.HandlerFunc, lose bool) {
	defer s.lock()()
	s.requests = append(s.requests, r)
	if len(s.script) > 0 {
		respond, s.script = s.script[0], s.script[1:]
	}
	if lose = respond == nil && s.lose > 0 && r.Method != http.MethodGet; lose {
		s.lose--
	}
	return respond, lose
}
