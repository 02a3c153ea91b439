package core

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/rules"
)

// Code classifies an error. Package httpapi maps each code to a status.
type Code string

// The error codes.
const (
	CodeMalformed       Code = "malformed"       // cannot be parsed
	CodeInvalid         Code = "invalid"         // breaks a rule; Fields lists the faults
	CodeUnauthenticated Code = "unauthenticated" // no credential, or an invalid one
	CodeForbidden       Code = "forbidden"       // the credential lacks the permission
	CodeNotFound        Code = "not_found"       // does not exist, or belongs to someone else
	CodeConflict        Code = "conflict"        // contradicts the stored state
	CodeInFlight        Code = "idempotency_in_flight"
	CodeChanged         Code = "precondition_failed" // changed after the caller read it
	CodeTooLarge        Code = "too_large"
	CodeRateLimited     Code = "rate_limited"
	CodeUnavailable     Code = "unavailable" // a dependency is down; try again
	CodeFull            Code = "full"        // there is no room for it; try again later
)

// Error is the only error type that this package returns on purpose. Detail and Fields are safe to show to the caller;
// Err and the string from Error are for the log.
type Error struct {
	Code       Code
	Reason     string // a finer code for programs; if empty, Code applies
	Detail     Text
	Fields     []FieldError
	RetryAfter time.Duration
	Err        error // for the log, never for the caller
}

// FieldError is one fault of an input.
type FieldError = rules.Fault

// EscapePointer escapes the name of a member for a JSON pointer.
func EscapePointer(name string) string { return escapePointer.Replace(name) }

var escapePointer = strings.NewReplacer("~", "~0", "/", "~1")

func (e *Error) Error() string {
	s := string(e.Code) + ": " + e.Detail.EN
	for _, f := range e.Fields {
		s += fmt.Sprintf("; %s %s", f.Pointer, f.Detail.EN)
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// IsCode reports whether err is or wraps an *Error with that code.
func IsCode(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

// NotFound returns the error for something that does not exist or belongs to someone else, which callers cannot tell
// apart.
func NotFound() *Error {
	return &Error{Code: CodeNotFound, Detail: Text{EN: "Not found.", PT: "Não encontrado."}}
}

// Forbidden returns the error for a credential that lacks a permission.
func Forbidden(detail Text) *Error { return &Error{Code: CodeForbidden, Detail: detail} }

// Unauthenticated returns the error for a missing or invalid credential.
func Unauthenticated(detail Text) *Error { return &Error{Code: CodeUnauthenticated, Detail: detail} }

// Conflict returns the error for a request that contradicts the stored state; reason is a code for programs.
func Conflict(reason string, detail Text) *Error {
	return &Error{Code: CodeConflict, Reason: reason, Detail: detail}
}

// Malformed returns the error for a request that cannot be parsed.
func Malformed(detail Text) *Error { return &Error{Code: CodeMalformed, Detail: detail} }

// Unavailable returns the error for a dependency that is down.
func Unavailable(err error) *Error {
	return &Error{Code: CodeUnavailable, Err: err, RetryAfter: time.Second,
		Detail: Text{EN: "The service is unavailable. Try again shortly.",
			PT: "O serviço não está disponível. Tente daqui a pouco."}}
}

// Invalid returns the error for an input with these faults.
func Invalid(fields ...FieldError) *Error {
	d := Text{EN: "The request has 1 fault.", PT: "O pedido tem 1 falha."}
	if n := len(fields); n != 1 {
		d = Text{EN: fmt.Sprintf("The request has %d faults.", n), PT: fmt.Sprintf("O pedido tem %d falhas.", n)}
	}
	return &Error{Code: CodeInvalid, Detail: d, Fields: fields}
}
