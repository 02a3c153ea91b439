package sininho

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/mend"
)

// WebhookOutcome is the outcome of a webhook event.
type WebhookOutcome string

// A webhook event was published; or skipped, because its template produces no notification for it;
// or refused, because no valid notification could be made from it. More outcomes may be added.
const (
	WebhookPublished WebhookOutcome = "published"
	WebhookSkipped   WebhookOutcome = "skipped"
	WebhookRefused   WebhookOutcome = "refused"
)

// WebhookEvent is a payload that was posted to a webhook.
type WebhookEvent struct {
	// ID is the sender's id of the event, or one that the server created.
	ID string `json:"id"`
	// Kind is the sender's name for the type of event, for example issues (GitHub).
	Kind       string         `json:"kind,omitzero"`
	ReceivedAt time.Time      `json:"receivedAt"`
	Outcome    WebhookOutcome `json:"outcome"`
	// NotificationID identifies the notification that was published.
	NotificationID string `json:"notificationId,omitzero"`
	// Detail says why nothing was published.
	Detail string `json:"detail,omitzero"`
	// Adjusted lists what was cut, dropped or rewritten to make a notification.
	Adjusted []Adjustment `json:"adjusted,omitempty"`
}

// Adjustment says what was cut, dropped or rewritten to make a notification of what a sender posted.
type Adjustment = mend.Adjustment

// WebhookEventDetail is a webhook event with its payload.
type WebhookEventDetail struct {
	WebhookEvent
	// Payload is the JSON that was posted; nil if it was not stored.
	Payload json.RawMessage `json:"payload,omitempty"`
	// Headers are the headers that identify the type of event, with lower-case names; never a credential.
	Headers map[string]string `json:"headers"`
}

// Events iterates over the payloads posted to a webhook in the past 30 days, newest first. The
// iteration ends at the first error.
func (s *WebhooksService) Events(ctx context.Context, channel, id string) iter.Seq2[WebhookEvent, error] {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return failed[WebhookEvent](err)
	}
	// A sender may repeat an id, so events are identified by id and time.
	name := func(e WebhookEvent) string { return e.ReceivedAt.String() + e.ID }
	return listed(name, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListWebhookEvents(ctx, address.Publisher, address.Channel, parsed,
			&api.ListWebhookEventsParams{Limit: limit, Offset: offset})
	})
}

// Event returns one webhook event with its payload.
func (s *WebhooksService) Event(ctx context.Context, channel, id, eventID string) (*WebhookEventDetail, error) {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return nil, err
	}
	if err := checkEventID(eventID); err != nil {
		return nil, err
	}
	return decode[WebhookEventDetail](s.api.GetWebhookEvent(ctx, address.Publisher, address.Channel, parsed, eventID))
}

// Replay renders a webhook event again with the webhook's current settings and publishes the result.
// If the event was published before, nothing is published again and the original outcome is returned.
func (s *WebhooksService) Replay(ctx context.Context, channel, id, eventID string) (*WebhookEvent, error) {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return nil, err
	}
	if err := checkEventID(eventID); err != nil {
		return nil, err
	}
	return decode[WebhookEvent](s.api.ReplayWebhookEvent(ctx, address.Publisher, address.Channel, parsed, eventID))
}

// checkEventID refuses ids that would change the path.
func checkEventID(id string) error {
	if id == "" || id == "." || id == ".." {
		return inputFault("path:eventId", "invalid_id", "must be the id of an event from Events; got "+quote(id))
	}
	return nil
}
