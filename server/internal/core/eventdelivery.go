package core

import (
	"context"
	"math/rand/v2"
	"time"
)

// EventDeliveryStatus is how far an event's delivery is.
type EventDeliveryStatus string

// The states of delivery.
const (
	EventPending     EventDeliveryStatus = "pending" // still tried
	EventDelivered   EventDeliveryStatus = "delivered"
	EventUndelivered EventDeliveryStatus = "failed" // for good, unless it is sent again by hand
)

// EventDelivery is an event on its way to one endpoint.
type EventDelivery struct {
	ID         ID // the event's id, the same whenever it is sent
	EndpointID ID
	Subject    ID // what it is about: of one subject the older event is sent first
	Type       EventType
	Payload    string
	Status     EventDeliveryStatus
	Attempts   int // in all
	Tries      int // since it was to be sent for the first time or by hand
	// NextAttemptAt is nil when there is none.
	NextAttemptAt *time.Time
	LastStatus    int    // what was answered last; 0 for no answer
	LastError     string // what else went wrong
	CreatedAt     time.Time
	DeliveredAt   *time.Time
}

// NewEventDelivery is a new event's delivery to an endpoint.
func NewEventDelivery(endpointID, subject ID, e Event) EventDelivery {
	return EventDelivery{ID: NewID(), EndpointID: endpointID, Subject: subject, Type: e.Type, Payload: e.Payload(),
		Status: EventPending, NextAttemptAt: &e.Timestamp, CreatedAt: e.Timestamp}
}

// EventAttempt is what came of sending an event once.
type EventAttempt struct {
	At         time.Time
	Duration   time.Duration
	Status     int           // of the answer; 0 for none
	Answer     string        // the beginning of it
	Error      string        // what went wrong otherwise
	RetryAfter time.Duration // how long the endpoint wants to be left alone
}

// MaxEventAnswer is how many characters of an answer are kept.
const MaxEventAnswer = 1_000

const statusGone = 410

// Delivered reports whether the endpoint has taken the event.
func (a EventAttempt) Delivered() bool { return a.Error == "" && a.Status >= 200 && a.Status < 300 }

// eventRetries is how long to wait after each failed try; after the last the delivery has failed.
var eventRetries = []time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute,
	time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour}

// longestRetryAfter bounds what an endpoint may ask for.
const longestRetryAfter = 24 * time.Hour

// Take keeps what came of an attempt, and when to try again.
func (d *EventDelivery) Take(a EventAttempt) {
	end := a.At.Add(a.Duration)
	d.Attempts++
	d.Tries++
	d.NextAttemptAt, d.LastStatus, d.LastError = nil, a.Status, a.Error
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

// jittered is up to a fifth more, so that what failed together does not come back together.
func jittered(d time.Duration) time.Duration {
	return d + rand.N(d/5+1) //nolint:gosec // only spreads load
}

// Resend has the event sent at once, as if for the first time.
func (d *EventDelivery) Resend(now time.Time) {
	d.Status, d.Tries, d.NextAttemptAt, d.DeliveredAt = EventPending, 0, &now, nil
}

// NextEvents answers which of the events that are due, oldest first, to send together: at most n, and one of each subject.
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

// EventSender posts an event to its endpoint, once. It returns when there is an answer, or none in time.
type EventSender interface {
	Send(ctx context.Context, e EventEndpoint, secrets EventSecrets, d EventDelivery) EventAttempt
}
