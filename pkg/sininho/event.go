package sininho

import (
	"encoding/json"
	"fmt"
	"time"
)

// EndpointEventType is the type of an event that is posted to event endpoints.
type EndpointEventType string

// The types of events. More may be added.
const (
	// NotificationDispatched: all devices of the notification were found; Data.Targeted is their number.
	NotificationDispatched EndpointEventType = "notification.dispatched"
	// NotificationFinished: every device has its outcome; Data.Deliveries has the numbers.
	NotificationFinished EndpointEventType = "notification.finished"
	// NotificationFailed: the notification is finished and failed on some devices; Data.Failed counts them by cause.
	NotificationFailed EndpointEventType = "notification.failed"
	// ChannelSubscribers: a channel's number of subscribers changed to Data.Subscribers.
	ChannelSubscribers EndpointEventType = "channel.subscribers"
	// EndpointTest: a test event was requested, for example with EventEndpoints.Test.
	EndpointTest EndpointEventType = "test"
	// EndpointChallenge: the endpoint is to be confirmed. Respond with webhook.SignChallenge of Data.Challenge, as a
	// Receiver does.
	EndpointChallenge EndpointEventType = "challenge"
)

// EndpointEvent is the payload posted to an event endpoint.
type EndpointEvent struct {
	// ID is the same for every attempt. A [Receiver] sets it, to the ID that webhook.Verify returns; it is not in the
	// body.
	ID   string            `json:"-"`
	Type EndpointEventType `json:"type"`
	// Timestamp is when the event happened.
	Timestamp time.Time         `json:"timestamp"`
	Data      EndpointEventData `json:"data"`
}

// EndpointEventData describes the subject of an event; the event's type determines which fields are set.
type EndpointEventData struct {
	// Publisher is a slug, Channel an address of the form publisher/channel.
	Publisher      string `json:"publisher,omitzero"`
	Channel        string `json:"channel,omitzero"`
	NotificationID string `json:"notificationId,omitzero"`
	// ExternalID is the publisher's own id of the notification.
	ExternalID string `json:"externalId,omitzero"`
	// Targeted is a number of devices.
	Targeted    int64            `json:"targeted,omitzero"`
	Deliveries  *Deliveries      `json:"deliveries,omitempty"`
	Failed      map[string]int64 `json:"failed,omitempty"`
	Subscribers int64            `json:"subscribers,omitzero"`
	Challenge   string           `json:"challenge,omitzero"`
}

// ParseEvent parses the body of a request to an event endpoint, as a [Receiver] does. Verify the request first, with
// package [github.com/sininho/sininho/pkg/webhook], because anyone can post to the address. A type
// that this version does not know is not an error.
func ParseEvent(body []byte) (*EndpointEvent, error) {
	event := &EndpointEvent{}
	if err := json.Unmarshal(body, event); err != nil {
		return nil, fmt.Errorf("sininho: %w: not an event: %w", ErrInvalid, err)
	}
	if event.Type == "" || event.Timestamp.IsZero() {
		return nil, fmt.Errorf("sininho: %w: not an event: it has no type or no timestamp", ErrInvalid)
	}
	return event, nil
}
