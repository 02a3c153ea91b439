package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/api"
)

// EventDeliveryStatus is the state of an event delivery.
type EventDeliveryStatus string

// A pending delivery is still attempted; a failed one is not, unless it is resent by hand. More
// statuses may be added.
const (
	DeliveryPending   EventDeliveryStatus = "pending"
	DeliveryDelivered EventDeliveryStatus = "delivered"
	DeliveryFailed    EventDeliveryStatus = "failed"
)

// EventDelivery is the delivery of one event to one event endpoint.
type EventDelivery struct {
	// ID is the event's id, which the endpoint receives as `webhook-id`.
	ID     string              `json:"id"`
	Type   EndpointEventType   `json:"type"`
	Status EventDeliveryStatus `json:"status"`
	// Attempts is the number of attempts so far.
	Attempts int `json:"attempts"`
	// NextAttemptAt is zero if no further attempt is planned.
	NextAttemptAt time.Time `json:"nextAttemptAt,omitzero"`
	// LastStatus is the HTTP status of the latest response; 0 if there was none.
	LastStatus int `json:"lastStatus,omitzero"`
	// LastError describes a failure other than the HTTP status.
	LastError   string    `json:"lastError,omitzero"`
	CreatedAt   time.Time `json:"createdAt"`
	DeliveredAt time.Time `json:"deliveredAt,omitzero"`
}

// EventDeliveryDetail is an event delivery with its payload and the result of each attempt.
type EventDeliveryDetail struct {
	ID            string              `json:"id"`
	Type          EndpointEventType   `json:"type"`
	Status        EventDeliveryStatus `json:"status"`
	Payload       EndpointEvent       `json:"payload"`
	Attempts      []EventAttempt      `json:"attempts"`
	NextAttemptAt time.Time           `json:"nextAttemptAt,omitzero"`
	CreatedAt     time.Time           `json:"createdAt"`
	DeliveredAt   time.Time           `json:"deliveredAt,omitzero"`
}

// EventAttempt is one attempt of an event delivery.
type EventAttempt struct {
	At time.Time `json:"at"`
	// Status is the HTTP status of the response and Answer the beginning of its body; 0 and empty if there was none.
	Status int    `json:"status,omitzero"`
	Answer string `json:"answer,omitzero"`
	// Error describes what failed before there was a response.
	Error      string `json:"error,omitzero"`
	DurationMs int    `json:"durationMs"`
}

// Deliveries iterates over the deliveries to an event endpoint of the past 30 days, newest first:
// those with the given status, or all if it is empty. The iteration ends at the first error.
func (s *EventEndpointsService) Deliveries(
	ctx context.Context, publisher, id string, status EventDeliveryStatus,
) iter.Seq2[EventDelivery, error] {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return failed[EventDelivery](err)
	}
	return listed(func(d EventDelivery) string { return d.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListEventDeliveries(ctx, slug, parsed,
			&api.ListEventDeliveriesParams{
				Limit: limit, Offset: offset, Status: optional(api.EventDeliveryStatus(status)),
			})
	})
}

// Delivery returns one event delivery with all its attempts.
func (s *EventEndpointsService) Delivery(
	ctx context.Context, publisher, id, deliveryID string,
) (*EventDeliveryDetail, error) {
	slug, parsed, delivery, err := parseDelivery(publisher, id, deliveryID)
	if err != nil {
		return nil, err
	}
	return decode[EventDeliveryDetail](s.api.GetEventDelivery(ctx, slug, parsed, delivery))
}

// Resend attempts a delivery again at once, with the same id and payload, even if it had failed for
// good. It fails with [ErrInvalid] and the code [CodeDisabled] if the endpoint is disabled, or [CodeUnconfirmed] if it
// is not confirmed.
func (s *EventEndpointsService) Resend(ctx context.Context, publisher, id, deliveryID string) (*EventDelivery, error) {
	slug, parsed, delivery, err := parseDelivery(publisher, id, deliveryID)
	if err != nil {
		return nil, err
	}
	return decode[EventDelivery](s.api.ResendEventDelivery(ctx, slug, parsed, delivery))
}

// parseDelivery checks the publisher's slug and the ids of the event endpoint and the delivery.
func parseDelivery(publisher, id, deliveryID string) (slug string, endpoint, delivery uuid.UUID, err error) {
	slug, endpoint, err = parseItem(publisher, id)
	if err != nil {
		return "", uuid.UUID{}, uuid.UUID{}, err
	}
	delivery, err = parseID(deliveryID)
	return slug, endpoint, delivery, err
}
