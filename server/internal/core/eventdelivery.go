package core

import (
	"context"
	"math/rand/v2"
	"time"
)

// EventDeliveryStatus is the state of an event's delivery.
type EventDeliveryStatus string

// The states of a delivery.
const (
	EventPending     EventDeliveryStatus = "pending" // waits for its next attempt
	EventDelivered   EventDeliveryStatus = "delivered"
	EventUndelivered EventDeliveryStatus = "failed" // final, unless it is sent again by hand
)

// EventDelivery is an event on its way to one endpoint.
type EventDelivery struct {
	ID         ID // the event's id, the same at every attempt
	EndpointID ID
	Subject    ID // what the event is about; events of one subject are sent oldest first
	Type       EventType
	Payload    string
	Status     EventDeliveryStatus
	Attempts   int // in total
	Tries      int // since it was created or last sent again by hand
	// NextAttemptAt is nil when no attempt is planned.
	NextAttemptAt *time.Time
	LastStatus    int    // of the last response; 0 without a response
	LastError     string // the last failure that is not an HTTP status
	CreatedAt     time.Time
	DeliveredAt   *time.Time
}

// NewEventDelivery returns the delivery of a new event to an endpoint.
func NewEventDelivery(endpointID, subject ID, e Event) EventDelivery {
	return EventDelivery{ID: NewID(), EndpointID: endpointID, Subject: subject, Type: e.Type, Payload: e.Payload(),
		Status: EventPending, NextAttemptAt: &e.Timestamp, CreatedAt: e.Timestamp}
}

// EventAttempt is the result of sending an event once.
type EventAttempt struct {
	At         time.Time
	Duration   time.Duration
	Status     int           // of the response; 0 without a response
	Response   string        // the beginning of the response body
	Error      string        // a failure other than the status
	RetryAfter time.Duration // requested by the endpoint
}

// MaxEventResponse is the number of characters of a response that are kept.
const MaxEventResponse = 1_000

const statusGone = 410

// Delivered reports whether the endpoint accepted the event.
func (a EventAttempt) Delivered() bool { return a.Error == "" && a.Status >= 200 && a.Status < 300 }

// eventRetries lists the waits after each failed attempt; after the last one the delivery has failed.
var eventRetries = []time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute,
	time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour}

// longestRetryAfter is the longest wait that an endpoint may request.
const longestRetryAfter = 24 * time.Hour

// Take records the result of an attempt and plans the next one.
func (d *EventDelivery) Take(a EventAttempt) {
	end := a.At.Add(a.Duration)
	d.Attempts++
	d.Tries++
	d.NextAttemptAt = nil
	d.LastStatus = a.Status
	d.LastError = a.Error
	switch {
	case a.Delivered():
		d.Status, d.DeliveredAt = EventDelivered, &end
	case a.Status == statusGone || d.Tries > len(eventRetries):
		d.Status = EventUndelivered
	default:
		wait := max(jittered(eventRetries[d.Tries-1]), min(a.RetryAfter, longestRetryAfter))
		d.Status, d.NextAttemptAt = EventPending, new(end.Add(wait))
	}
}

// jittered returns d plus up to a fifth of it, so that events that failed together are not retried together.
func jittered(d time.Duration) time.Duration {
	return d + rand.N(d/5+1) //nolint:gosec // only spreads load
}

// Resend plans an immediate attempt, with all retries available again.
func (d *EventDelivery) Resend(now time.Time) {
	d.Status = EventPending
	d.Tries = 0
	d.NextAttemptAt = &now
	d.DeliveredAt = nil
}

// waitFor moves the next attempt to the end of the endpoint's pause.
func (d *EventDelivery) waitFor(e EventEndpoint) {
	if d.NextAttemptAt != nil && e.PausedUntil != nil && d.NextAttemptAt.Before(*e.PausedUntil) {
		d.NextAttemptAt = e.PausedUntil
	}
}

// NextEvents returns the deliveries to send together, out of those that are due, oldest first: at most n, and one of
// each subject.
func NextEvents(due []EventDelivery, n int) []EventDelivery {
	var next []EventDelivery
	taken := map[ID]bool{}
	for _, d := range due {
		if len(next) == n {
			break
		}
		if !taken[d.Subject] {
			taken[d.Subject] = true
			next = append(next, d)
		}
	}
	return next
}

// EventDeliveriesKept is how long the log of deliveries is kept.
const EventDeliveriesKept = 30 * 24 * time.Hour

// EventSender posts an event to its endpoint once. Send returns when there is a response or the time is up.
type EventSender interface {
	Send(ctx context.Context, e EventEndpoint, secrets EventSecrets, d EventDelivery) EventAttempt
}

// Test sends a test event to an endpoint of a publisher of which the caller is a member.
func (s *EventEndpoints) Test(ctx context.Context, c Caller, publisherSlug string, id ID) (EventDelivery, error) {
	e, err := s.open(ctx, c, publisherSlug, id)
	if err != nil {
		return EventDelivery{}, err
	}
	event := Event{Type: EventTest, Timestamp: s.now(), Data: EventData{Publisher: publisherSlug}}
	d := NewEventDelivery(e.ID, NewID(), event)
	if err = s.store.AddEventDelivery(ctx, d); err == nil {
		s.nudge()
	}
	return d, err
}

// open returns an endpoint that may be posted to.
func (s *EventEndpoints) open(ctx context.Context, c Caller, publisherSlug string, id ID) (EventEndpoint, error) {
	e, err := s.Get(ctx, c, publisherSlug, id)
	switch {
	case err != nil:
		return e, err
	case !e.Enabled:
		return e, errEventEndpointOff()
	case !e.Confirmed():
		return e, errEventEndpointUnconfirmed()
	}
	return e, nil
}

// Deliveries returns the deliveries to an endpoint of a publisher of which the caller is a member, newest first.
func (s *EventEndpoints) Deliveries(
	ctx context.Context, c Caller, publisherSlug string, id ID, status EventDeliveryStatus, page Page,
) ([]EventDelivery, int64, error) {
	e, err := s.Get(ctx, c, publisherSlug, id)
	if err != nil {
		return nil, 0, err
	}
	data, total, err := s.store.EventDeliveries(ctx, e.ID, status, page)
	for i := range data {
		data[i].waitFor(e)
	}
	return data, total, err
}

// Delivery returns one delivery with its attempts.
func (s *EventEndpoints) Delivery(
	ctx context.Context, c Caller, publisherSlug string, id, deliveryID ID,
) (EventDelivery, []EventAttempt, error) {
	e, err := s.Get(ctx, c, publisherSlug, id)
	if err != nil {
		return EventDelivery{}, nil, err
	}
	d, attempts, err := s.store.EventDelivery(ctx, e.ID, deliveryID)
	d.waitFor(e)
	return d, attempts, err
}

// Resend sends an event again immediately, with the same id and payload.
func (s *EventEndpoints) Resend(
	ctx context.Context, c Caller, publisherSlug string, id, deliveryID ID,
) (EventDelivery, error) {
	e, err := s.open(ctx, c, publisherSlug, id)
	if err != nil {
		return EventDelivery{}, err
	}
	now := s.now()
	d, err := s.store.UpdateEventDelivery(ctx, e.ID, deliveryID, func(d *EventDelivery) { d.Resend(now) })
	if err != nil {
		return d, err
	}
	s.nudge()
	return d, nil
}
