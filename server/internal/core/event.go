package core

import (
	"encoding/json"
	"time"
)

// EventType is a type of event that event endpoints can receive.
type EventType string

// The types of event.
const (
	EventDispatched  EventType = "notification.dispatched" // all devices of the notification have been found
	EventFinished    EventType = "notification.finished"   // every device has its outcome
	EventFailed      EventType = "notification.failed"     // it is finished and failed on some devices
	EventSubscribers EventType = "channel.subscribers"     // the number of a channel's subscribers changed
	EventTest        EventType = "test"                    // sent by hand, even to endpoints that did not choose it
	EventChallenge   EventType = "challenge"               // has the endpoint confirm itself
)

// AllEvents returns the types for an endpoint that chooses none.
func AllEvents() []EventType {
	return []EventType{EventDispatched, EventFinished, EventFailed, EventSubscribers, EventTest}
}

// Event is the JSON object that is posted to event endpoints.
type Event struct {
	Type      EventType `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Data      EventData `json:"data"`
}

// EventData describes the subject of an event.
type EventData struct {
	Publisher      string           `json:"publisher"`         // its slug
	Channel        string           `json:"channel,omitempty"` // its address
	NotificationID *ID              `json:"notificationId,omitempty"`
	ExternalID     string           `json:"externalId,omitempty"`
	Targeted       *int64           `json:"targeted,omitempty"`
	Deliveries     *DeliverySummary `json:"deliveries,omitempty"`
	Failed         Causes           `json:"failed,omitempty"`
	Subscribers    *int64           `json:"subscribers,omitempty"`
	Challenge      string           `json:"challenge,omitempty"`
}

// Payload returns the event as the JSON that is posted.
func (e Event) Payload() string {
	e.Timestamp = e.Timestamp.UTC()
	b, err := json.Marshal(e)
	if err != nil {
		panic(err) // cannot happen: it contains only strings, numbers and current times
	}
	return string(b)
}

// EventSubject is a notification that events are about.
type EventSubject struct {
	Publisher, Channel string // slugs
	NotificationID     ID
	ExternalID         string
}

func (s EventSubject) event(t EventType, now time.Time) Event {
	return Event{
		Type: t, Timestamp: now,
		Data: EventData{
			Publisher: s.Publisher, Channel: s.Publisher + "/" + s.Channel, NotificationID: &s.NotificationID,
			ExternalID: s.ExternalID,
		},
	}
}

// Dispatched returns the event that all devices of the notification have been found.
func (s EventSubject) Dispatched(targeted int64, now time.Time) Event {
	e := s.event(EventDispatched, now)
	e.Data.Targeted = &targeted
	return e
}

// Finished returns the event that every device has its outcome, and a second event if the notification failed on some.
func (s EventSubject) Finished(f DeliverySummary, now time.Time) []Event {
	finished := s.event(EventFinished, now)
	finished.Data.Deliveries = &f
	if len(f.Failed) == 0 {
		return []Event{finished}
	}
	failed := s.event(EventFailed, now)
	failed.Data.Targeted, failed.Data.Failed = &f.Targeted, f.Failed
	return []Event{finished, failed}
}

// NewSubscribersEvent returns the event that the number of a channel's subscribers has changed.
func NewSubscribersEvent(publisher, channel string, subscribers int64, now time.Time) Event {
	return Event{Type: EventSubscribers, Timestamp: now,
		Data: EventData{Publisher: publisher, Channel: publisher + "/" + channel, Subscribers: &subscribers}}
}
