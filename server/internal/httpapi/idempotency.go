package httpapi

import (
	"context"
	"crypto/sha256"

	"github.com/sininho/sininho/server/internal/core"
)

// idempotency returns what identifies a repetition of this request. It is empty for callers without a credential.
func idempotency(ctx context.Context, key *string) core.Idempotency {
	c := callOf(ctx)
	if key == nil || c.caller.Identity() == "" {
		return core.Idempotency{}
	}
	sum := sha256.Sum256(c.body)
	return core.Idempotency{Caller: c.caller.Identity(), Route: c.request.Method + " " + c.request.URL.Path, Key: *key, BodyHash: sum[:]}
}

// replayed returns the value of the Idempotency-Replayed header, or nil when the request was not replayed.
func replayed(c core.Creation) *string {
	if c != core.Replayed && c != core.ReplayedExisting {
		return nil
	}
	return new("true")
}
