package sininho

import (
	"encoding/json"
	"fmt"
	"time"
)

// EndpointEventType is what an event endpoint is told.
type EndpointEventType string

// What event endpoints can be told. Others may come.
const (
	// NotificationDispatched: every device it is for has been found; Data.Targeted says how many.
	NotificationDispatched EndpointEventType = "notification.dispatched"
	// NotificationFinished: every device has its outcome; Data.Deliveries has the numbers.
	NotificationFinished EndpointEventType = "notification.finished"
	// NotificationFailed: it is finished and failed on some; Data.Failed says on how many, by cause.
	NotificationFailed EndpointEventType = "notification.failed"
	// ChannelSubscribers: the number of a channel's subscribers changed; it is Data.Subscribers.
	ChannelSubscribers EndpointEventType = "channel.subscribers"
	// EndpointTest was asked for by hand.
	EndpointTest EndpointEventType = "test"
)

// EndpointEvent is what is posted to an event endpoint. Its id is the one that the request
// was signed with: the ID that webhook.Verify returns, the same for each attempt.
type EndpointEvent struct {
	Type EndpointEventType `json:"type"`
	// Timestamp is when it happened.
	Timestamp time.Time         `json:"timestamp"`
	Data      EndpointEventData `json:"data"`
}

// EndpointEventData is what an event is about; its type says what of it is set.
type EndpointEventData struct {
	// Publisher is a slug, Channel an address as publisher/channel.
	Publisher      string `json:"publisher,omitzero"`
	Channel        string `json:"channel,omitzero"`
	NotificationID string `json:"notificationId,omitzero"`
	// ExternalID is what the publisher gave to the notification.
	ExternalID string `json:"externalId,omitzero"`
	// Targeted counts devices.
	Targeted    int64            `json:"targeted,omitzero"`
	Deliveries  *Deliveries      `json:"deliveries,omitempty"`
	Failed      map[string]int64 `json:"failed,omitempty"`
	Subscribers int64            `json:"subscribers,omitzero"`
}

// ParseEvent reads what was posted to an event endpoint. Verify the request first, with
// package [github.com/sininho/sininho/pkg/webhook]: anyone can post to an address. A type that
// this version does not know is no error.
func ParseEvent(body []byte) (*EndpointEvent, error) {
	event := &EndpointEvent{}
	if err := json.Unmarshal(body, event); err != nil {
		return nil, fmt.Errorf("sininho: %w: this is no event: %w", ErrInvalid, err)
	}
	if event.Type == "" || event.Timestamp.IsZero() {
		return nil, fmt.Errorf("sininho: %w: this is no event: it has no type or no timestamp", ErrInvalid)
	}
	return event, nil
}
