package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ChallengeEventEndpoint posts a challenge to an event endpoint.
func (a *server) ChallengeEventEndpoint(
	ctx context.Context, in gen.ChallengeEventEndpointRequestObject,
) (gen.ChallengeEventEndpointResponseObject, error) {
	confirmed, sent, err := a.EventEndpoints.Challenge(ctx, callOf(ctx).caller, in.PublisherSlug, in.ID)
	if err != nil {
		return nil, err
	}
	return gen.ChallengeEventEndpoint200JSONResponse(toAPIEventChallenge(confirmed, sent)), nil
}

// ConfirmEventEndpoint confirms an event endpoint with a challenge that it has received.
func (a *server) ConfirmEventEndpoint(
	ctx context.Context, in gen.ConfirmEventEndpointRequestObject,
) (gen.ConfirmEventEndpointResponseObject, error) {
	e, err := a.EventEndpoints.Confirm(ctx, callOf(ctx).caller, in.PublisherSlug, in.ID, in.Body.Challenge)
	if err != nil {
		return nil, err
	}
	return gen.ConfirmEventEndpoint200JSONResponse{
		Body: toAPIEventEndpoint(e), Headers: gen.ConfirmEventEndpoint200ResponseHeaders{ETag: etag(e.Version())},
	}, nil
}

func toAPIEventChallenge(confirmed bool, sent *core.EventAttempt) api.EventChallenge {
	out := api.EventChallenge{Confirmed: confirmed}
	if sent != nil {
		out.Status = optional(int32(sent.Status)) //nolint:gosec // three digits
		out.Error = optional(sent.Error)
		out.DurationMs = new(int32(sent.Duration.Milliseconds())) //nolint:gosec // a timeout bounds it
	}
	return out
}
