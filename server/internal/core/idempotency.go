package core

import "time"

// Idempotency makes a request safe to repeat. A key applies to one caller on one route. The store saves the key with
// the response, in the transaction that stores what the request creates. Responses are stored under the JSON names of
// their types, so that a Go field can be renamed while keys are in use. The zero Idempotency is for requests without a
// key.
type Idempotency struct {
	Caller   string
	Route    string // the method and path, with the values of its parameters
	Key      string
	BodyHash []byte
}

// Wanted reports whether the request carries a key.
func (i Idempotency) Wanted() bool { return i.Key != "" }

// Creation is the result of a request to create something.
type Creation int

// The results.
const (
	Created          Creation = iota // the object is new
	Existing                         // the object existed, for example with the same externalId
	Replayed                         // an earlier request with the same idempotency key created the object
	ReplayedExisting                 // an earlier request with the same idempotency key found the object
)

// IdempotencyKept is how long an idempotency key is remembered.
const IdempotencyKept = 24 * time.Hour

// ErrKeyReused returns the error for an idempotency key that came with another body before.
func ErrKeyReused() *Error {
	return &Error{Code: CodeInvalid, Reason: "idempotency_key_reused",
		Detail: Text{
			EN: "This Idempotency-Key was used with another body. Use a new key for a new request.",
			PT: "Esta Idempotency-Key já foi usada com outro conteúdo. Use uma nova chave para um novo pedido."},
		Fields: []FieldError{{Pointer: "header:idempotency-key", Code: "reused",
			Detail: Text{EN: "was used with another body", PT: "foi usada com outro conteúdo"}}}}
}

// ErrKeyInFlight returns the error for an idempotency key whose first request is still running.
func ErrKeyInFlight() *Error {
	return &Error{Code: CodeInFlight, RetryAfter: time.Second,
		Detail: Text{EN: "The first request with this Idempotency-Key is still running. Try again shortly.",
			PT: "O primeiro pedido com esta Idempotency-Key ainda está em curso. Tente daqui a pouco."}}
}
