package core

import (
	"errors"
	"fmt"
	"time"
)

// Code classifies an error. httpapi maps each to a status.
type Code string

// The classes of error.
const (
	CodeMalformed       Code = "malformed"       // cannot be read
	CodeInvalid         Code = "invalid"         // breaks a rule; Fields say which
	CodeUnauthenticated Code = "unauthenticated" // no credential, or one that is not good
	CodeForbidden       Code = "forbidden"       // the credential does not reach that far
	CodeNotFound        Code = "not_found"       // is not there, or is another's
	CodeConflict        Code = "conflict"        // contradicts what there is
	CodeInFlight        Code = "idempotency_in_flight"
	CodeChanged         Code = "precondition_failed" // is not what the caller has seen
	CodeTooLarge        Code = "too_large"
	CodeRateLimited     Code = "rate_limited"
	CodeUnavailable     Code = "unavailable" // something this needs is away; try again
)

// Error is the one error type that leaves this package on purpose. Its text is safe to show to the caller.
type Error struct {
	Code       Code
	Reason     string // a finer code for programs; Code where it is empty
	Detail     Text
	Fields     []FieldError
	RetryAfter time.Duration
	Err        error // for the log, never for the caller
}

// FieldError is one fault of an input.
type FieldError struct {
	Pointer string // "#/title", "query:limit"
	Code    string
	Detail  Text
}

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

// IsCode reports whether err is an *Error of that class.
func IsCode(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

// NotFound is answered for what is not there and for what is another's alike.
func NotFound() *Error {
	return &Error{Code: CodeNotFound, Detail: Text{"There is no such thing here.", "Não existe nada aqui."}}
}

// Forbidden says that the credential does not reach that far.
func Forbidden(detail Text) *Error { return &Error{Code: CodeForbidden, Detail: detail} }

// Unauthenticated says that a credential is missing or not good.
func Unauthenticated(detail Text) *Error { return &Error{Code: CodeUnauthenticated, Detail: detail} }

// Conflict says that the request contradicts what there is; reason is a code for programs.
func Conflict(reason string, detail Text) *Error {
	return &Error{Code: CodeConflict, Reason: reason, Detail: detail}
}

// Malformed says that a request cannot be read.
func Malformed(detail Text) *Error { return &Error{Code: CodeMalformed, Detail: detail} }

// Unavailable says that something this needs is away.
func Unavailable(err error) *Error {
	return &Error{Code: CodeUnavailable, Err: err, RetryAfter: time.Second,
		Detail: Text{"The service is not available at the moment. Try again shortly.", "O serviço não está disponível neste momento. Tente daqui a pouco."}}
}

// faults collects what is wrong with an input, so that all of it is reported at once.
type faults []FieldError

func (f *faults) add(pointer, code string, detail Text) {
	*f = append(*f, FieldError{Pointer: pointer, Code: code, Detail: detail})
}

func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return Invalid(f...)
}

// Invalid reports faults of an input.
func Invalid(fields ...FieldError) *Error {
	d := Text{"The request has 1 fault.", "O pedido tem 1 falha."}
	if n := len(fields); n != 1 {
		d = Text{fmt.Sprintf("The request has %d faults.", n), fmt.Sprintf("O pedido tem %d falhas.", n)}
	}
	return &Error{Code: CodeInvalid, Detail: d, Fields: fields}
}
