package httpapi

import (
	"context"
	"crypto/sha256"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/handler"
)

// idempotency returns the key under which a repetition of this request is recognized. It is empty for callers without a
// credential.
func idempotency(ctx context.Context, key *string) core.Idempotency {
	return callOf(ctx).Idempotency(key)
}

// Idempotency implements handler.Request.
func (c *call) Idempotency(key *string) core.Idempotency {
	if key == nil || c.caller.Identity() == "" {
		return core.Idempotency{}
	}
	sum := sha256.Sum256(c.body)
	return core.Idempotency{Caller: c.caller.Identity(), Route: c.request.Method + " " + c.request.URL.Path, Key: *key,
		BodyHash: sum[:]}
}

// replayed returns the value of the Idempotency-Replayed header, or nil when the request was not replayed.
func replayed(c core.Creation) *string { return handler.Replayed(c) }
