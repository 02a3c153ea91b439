package core

import "time"

// Idempotency makes repeating a request safe. A key counts for one caller on one route. The store keeps it, with the
// response, in the same transaction as what the request creates. Responses are stored by the JSON names of their types,
// so that a Go field can be renamed while keys are in use. The zero Idempotency is for requests that carry no key.
type Idempotency struct {
	Caller   string
	Route    string // the method and path, with the values of its parameters
	Key      string
	BodyHash []byte
}

// Wanted reports whether the request carries a key.
func (i Idempotency) Wanted() bool { return i.Key != "" }

// Creation tells how a request to create something was met.
type Creation int

// The ways.
const (
	Created          Creation = iota // it is new
	Existing                         // there was one with that externalId
	Replayed                         // the answer to an earlier request with the same idempotency key, which created it
	ReplayedExisting                 // the same, which found it
)

// IdempotencyKept is how long an idempotency key is remembered.
const IdempotencyKept = 24 * time.Hour

// ErrKeyReused says that an idempotency key came with another body than before.
func ErrKeyReused() *Error {
	return &Error{Code: CodeInvalid, Reason: "idempotency_key_reused",
		Detail: Text{
			"This Idempotency-Key was used with another body. Use a new key for a new request.",
			"Esta Idempotency-Key já foi usada com outro conteúdo. Use uma nova chave para um novo pedido."},
		Fields: []FieldError{{"header:idempotency-key", "reused",
			Text{"was used with another body", "foi usada com outro conteúdo"}}}}
}

// ErrKeyInFlight says that the first request with an idempotency key is still under way.
func ErrKeyInFlight() *Error {
	return &Error{Code: CodeInFlight, RetryAfter: time.Second,
		Detail: Text{"The first request with this Idempotency-Key is still under way. Try again shortly.", "O primeiro pedido com esta Idempotency-Key ainda está em curso. Tente daqui a pouco."}}
}
