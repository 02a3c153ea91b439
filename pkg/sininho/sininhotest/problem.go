package sininhotest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/sininho/sininho/pkg/sininho"
)

// refusal is an error with the HTTP status of its response.
type refusal struct {
	status       int
	code, detail string
	fields       []sininho.FieldError
}

func (e *refusal) Error() string { return e.code + ": " + e.detail }

func notFound() *refusal {
	return &refusal{status: http.StatusNotFound, code: "not_found", detail: "Not found."}
}

func unauthenticated(detail string) *refusal {
	return &refusal{status: http.StatusUnauthorized, code: "unauthenticated", detail: detail}
}

func malformed(detail string) *refusal {
	return &refusal{status: http.StatusBadRequest, code: "malformed", detail: detail}
}

func changed() *refusal {
	return &refusal{status: http.StatusPreconditionFailed, code: "precondition_failed",
		detail: "It has changed since it was read."}
}

func invalid(fields ...sininho.FieldError) *refusal {
	return &refusal{status: http.StatusUnprocessableEntity, code: "invalid",
		detail: fmt.Sprintf("The request has %d faults.", len(fields)), fields: fields}
}

// problem is an error as the API writes it (RFC 9457).
type problem struct {
	Type      string               `json:"type"`
	Title     string               `json:"title"`
	Status    int                  `json:"status"`
	Detail    string               `json:"detail"`
	Code      string               `json:"code"`
	RequestID string               `json:"requestId"`
	Errors    []sininho.FieldError `json:"errors,omitempty"`
}

func writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	var e *refusal
	if !errors.As(err, &e) {
		e = &refusal{status: http.StatusInternalServerError, code: "internal", detail: err.Error()}
	}
	if e.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", challenge(r))
	}
	slices.SortStableFunc(e.fields, func(a, b sininho.FieldError) int { return cmp.Compare(a.Pointer, b.Pointer) })
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(e.status)
	_ = json.NewEncoder(w).Encode(problem{
		Type: "about:blank", Title: http.StatusText(e.status), Status: e.status,
		Detail: e.detail, Code: e.code, RequestID: "req-test", Errors: e.fields,
	})
}

func challenge(r *http.Request) string {
	if r.Header.Get("Authorization") == "" {
		return `Bearer realm="sininho"`
	}
	return `Bearer realm="sininho", error="invalid_token"`
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}

// Refuse returns a handler for [Server.Respond] that responds with a problem. retryAfter is in
// seconds; 0 omits the header.
func Refuse(status int, code string, retryAfter int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if retryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
		}
		writeProblem(w, r, &refusal{status: status, code: code, detail: "The test scripted this refusal."})
	}
}

// Cut is a handler for [Server.Respond] that closes the connection without a response.
func Cut(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
