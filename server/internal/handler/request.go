// Package handler is what the handlers of both contracts share: the facts about a request that are not among its
// parameters, and conversions between optional values of the generated types and plain ones.
package handler

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// Request is what a handler learns about its request besides the parameters. Package httpapi provides it.
type Request interface {
	// ID identifies the request in logs and responses.
	ID() string
	// Caller returns the caller, who may be a visitor.
	Caller() core.Caller
	// Language returns the language that the request asks for.
	Language() core.Language
	// Idempotency returns what identifies a repetition of the request. It is empty without a key, and for visitors.
	Idempotency(key *string) core.Idempotency
	// NextOffset returns the Link header to the page after one that has returned items, or nil when there is none.
	NextOffset(p core.Page, returned int, total int64) *string
}

type requestKey struct{}

// WithRequest returns a context that holds r.
func WithRequest(ctx context.Context, r Request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

// RequestOf returns the request of a context. It panics when the context has none.
func RequestOf(ctx context.Context) Request { return ctx.Value(requestKey{}).(Request) }

// RequestID returns the id of the request of a context, or "" when the context has none.
func RequestID(ctx context.Context) string {
	if r, ok := ctx.Value(requestKey{}).(Request); ok {
		return r.ID()
	}
	return ""
}
