package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/api"
)

// EventDeliveryStatus is how far a delivery is.
type EventDeliveryStatus string

// A pending delivery is still tried; a failed one is so for good, unless it is sent again by
// hand. Others may come.
const (
	DeliveryPending   EventDeliveryStatus = "pending"
	DeliveryDelivered EventDeliveryStatus = "delivered"
	DeliveryFailed    EventDeliveryStatus = "failed"
)

// EventDelivery is an event on its way to an endpoint.
type EventDelivery struct {
	// ID is the event's, which the endpoint sees as `webhook-id`.
	ID     string              `json:"id"`
	Type   EndpointEventType   `json:"type"`
	Status EventDeliveryStatus `json:"status"`
	// Attempts is how often it was tried.
	Attempts int `json:"attempts"`
	// NextAttemptAt is zero when it is not tried again.
	NextAttemptAt time.Time `json:"nextAttemptAt,omitzero"`
	// LastStatus is that of the latest answer; 0 when there was none.
	LastStatus int `json:"lastStatus,omitzero"`
	// LastError is what else went wrong.
	LastError   string    `json:"lastError,omitzero"`
	CreatedAt   time.Time `json:"createdAt"`
	DeliveredAt time.Time `json:"deliveredAt,omitzero"`
}

// EventDeliveryDetail is a delivery with what is sent and what came of each attempt.
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

// EventAttempt is one try of a delivery.
type EventAttempt struct {
	At time.Time `json:"at"`
	// Status is the answer's, Answer its beginning; 0 and empty when there was none.
	Status int    `json:"status,omitzero"`
	Answer string `json:"answer,omitzero"`
	// Error is what went wrong before there was an answer.
	Error      string `json:"error,omitzero"`
	DurationMs int    `json:"durationMs"`
}

// Deliveries goes through what was sent to an event endpoint, newest first: all of it with "",
// or what has a status. It is kept for 30 days. An error ends it.
func (s *EventEndpointsService) Deliveries(ctx context.Context, publisher, id string, status EventDeliveryStatus) iter.Seq2[EventDelivery, error] {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return failed[EventDelivery](err)
	}
	return listed(func(d EventDelivery) string { return d.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListEventDeliveries(ctx, slug, parsed,
			&api.ListEventDeliveriesParams{Limit: limit, Offset: offset, Status: optional(api.EventDeliveryStatus(status))})
	})
}

// Delivery shows one delivery with each attempt.
func (s *EventEndpointsService) Delivery(ctx context.Context, publisher, id, deliveryID string) (*EventDeliveryDetail, error) {
	slug, parsed, delivery, err := parseDelivery(publisher, id, deliveryID)
	if err != nil {
		return nil, err
	}
	return decode[EventDeliveryDetail](s.api.GetEventDelivery(ctx, slug, parsed, delivery))
}

// Resend tries a delivery again at once, with the same id and payload, also when it had
// failed for good. When the endpoint is switched off it is an [ErrInvalid] with the code
// [CodeDisabled].
func (s *EventEndpointsService) Resend(ctx context.Context, publisher, id, deliveryID string) (*EventDelivery, error) {
	slug, parsed, delivery, err := parseDelivery(publisher, id, deliveryID)
	if err != nil {
		return nil, err
	}
	return decode[EventDelivery](s.api.ResendEventDelivery(ctx, slug, parsed, delivery))
}

// parseDelivery checks an endpoint's publisher and id and the id of something sent to it.
func parseDelivery(publisher, id, deliveryID string) (slug string, endpoint, delivery uuid.UUID, err error) {
	slug, endpoint, err = parseItem(publisher, id)
	if err != nil {
		return "", uuid.UUID{}, uuid.UUID{}, err
	}
	delivery, err = parseID(deliveryID)
	return slug, endpoint, delivery, err
}
