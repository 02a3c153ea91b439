package sininhotest

import (
	"net/http"

	"github.com/sininho/sininho/pkg/sininho"
)

// replayKey identifies an idempotency key, which applies to one API key on one route.
type replayKey struct {
	of         *key
	route, key string
}

// replay is the body of the first request with an idempotency key, and the response.
type replay struct {
	body  string
	reply reply
}

// replayOf returns the response to an earlier request with the idempotency key, or nil.
func (s *store) replayOf(r *request) (*reply, error) {
	first, known := s.replays[keyOf(r)]
	if !known {
		return nil, nil
	}
	if first.body != string(r.body) {
		return nil, &refusal{status: http.StatusUnprocessableEntity, code: "idempotency_key_reused",
			detail: "The Idempotency-Key was used with another body.", fields: []sininho.FieldError{
				{Pointer: "header:idempotency-key", Code: "reused", Detail: "was used with another body"}}}
	}
	again := first.reply
	again.replayed = true
	return &again, nil
}

// once carries out a request that creates something, unless its idempotency key was used before.
func (s *store) once(r *request, create func() (*reply, error)) (*reply, error) {
	if again, err := s.replayOf(r); again != nil || err != nil {
		return again, err
	}
	out, err := create()
	if err == nil && keyOf(r).key != "" {
		s.replays[keyOf(r)] = replay{body: string(r.body), reply: *out}
	}
	return out, err
}

func keyOf(r *request) replayKey {
	return replayKey{of: r.key, route: r.Method + " " + r.URL.Path, key: r.Header.Get("Idempotency-Key")}
}
