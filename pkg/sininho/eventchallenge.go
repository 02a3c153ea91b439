package sininho

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
)

// EventChallenge is what became of a challenge to an event endpoint.
type EventChallenge struct {
	// Confirmed reports whether the endpoint is confirmed.
	Confirmed bool `json:"confirmed"`
	// Status is that of the response; 0 if there was none, or nothing was sent because the endpoint was confirmed.
	Status int `json:"status,omitzero"`
	// Error is why the challenge did not confirm the endpoint.
	Error string `json:"error,omitzero"`
	// DurationMs is how many milliseconds the exchange took.
	DurationMs int `json:"durationMs,omitzero"`
}

// Challenge posts an event of the type [EndpointChallenge] to an event endpoint, once, and waits up to 15 seconds for
// the response. The endpoint is confirmed if its receiver responds with the result of
// [github.com/sininho/sininho/pkg/webhook.SignChallenge]. If it cannot, read Data.Challenge from the receiver's log
// and call [EventEndpointsService.Confirm]. It fails with [ErrInvalid] and the code [CodeDisabled] if the endpoint is
// disabled, and with [ErrRateLimited] after too many challenges that failed.
func (s *EventEndpointsService) Challenge(ctx context.Context, publisher, id string) (*EventChallenge, error) {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return nil, err
	}
	return decode[EventChallenge](s.api.ChallengeEventEndpoint(ctx, slug, parsed))
}

// Confirm confirms an event endpoint with the latest challenge that it received, which expires after an hour. It fails
// with [ErrInvalid] if the challenge is another one.
func (s *EventEndpointsService) Confirm(
	ctx context.Context, publisher, id, challenge string,
) (*EventEndpoint, error) {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return nil, err
	}
	return decodeVersion[EventEndpoint](
		s.api.ConfirmEventEndpoint(ctx, slug, parsed, api.EventConfirmation{Challenge: challenge}))
}
