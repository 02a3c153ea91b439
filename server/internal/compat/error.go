package compat

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
)

// Error is a refusal.
type Error struct {
	Status     int
	Detail     string // a sentence for people, with the faults
	RetryAfter string // the header; empty if there is none
}

func (e *Error) Error() string { return e.Detail }

// newError returns the problem of a response.
func newError(w *recorder) *Error {
	var problem struct {
		Detail string
		Errors []struct{ Pointer, Detail string }
	}
	_ = json.Unmarshal(w.body.Bytes(), &problem) // what is no problem has no detail
	e := &Error{Status: w.status, Detail: problem.Detail, RetryAfter: w.header.Get("Retry-After")}
	if e.Detail == "" {
		e.Detail = http.StatusText(w.status)
	}
	if len(problem.Errors) > 0 {
		faults := make([]string, len(problem.Errors))
		for i, f := range problem.Errors {
			faults[i] = strings.TrimPrefix(f.Pointer, "#/") + " " + f.Detail
		}
		e.Detail = strings.TrimSuffix(e.Detail, ".") + ": " + strings.Join(faults, "; ")
	}
	return e
}

func bodyError(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &Error{Status: http.StatusRequestEntityTooLarge, Detail: "The body is too large."}
	}
	if err != nil {
		return &Error{Status: http.StatusBadRequest, Detail: "The request body ended early."}
	}
	return nil
}
