package httpapi

import (
	"context"
	"crypto/sha256"

	"github.com/sininho/sininho/server/internal/core"
)

// idempotency is what makes repeating this request safe. Who has no credential has none.
func idempotency(ctx context.Context, key *string) core.Idempotency {
	c := callOf(ctx)
	if key == nil || c.caller.Identity() == "" {
		return core.Idempotency{}
	}
	sum := sha256.Sum256(c.body)
	return core.Idempotency{Caller: c.caller.Identity(), Route: c.request.Method + " " + c.request.URL.Path, Key: *key, BodyHash: sum[:]}
}

// replayed is the header Idempotency-Replayed.
func replayed(c core.Creation) *string {
	if c != core.Replayed && c != core.ReplayedExisting {
		return nil
	}
	return new("true")
}
