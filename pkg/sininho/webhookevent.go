package sininho

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// WebhookOutcome is what became of an event.
type WebhookOutcome string

// An event was published; skipped, as its template has no notification for it; or refused,
// as none could be made of it. Others may come.
const (
	WebhookPublished WebhookOutcome = "published"
	WebhookSkipped   WebhookOutcome = "skipped"
	WebhookRefused   WebhookOutcome = "refused"
)

// WebhookEvent is something that was posted to a webhook.
type WebhookEvent struct {
	// ID is the sender's, or one that the server made.
	ID string `json:"id"`
	// Kind is what the sender says it is, as issues of GitHub.
	Kind       string         `json:"kind,omitzero"`
	ReceivedAt time.Time      `json:"receivedAt"`
	Outcome    WebhookOutcome `json:"outcome"`
	// NotificationID is what it became.
	NotificationID string `json:"notificationId,omitzero"`
	// Detail says why nothing was published.
	Detail string `json:"detail,omitzero"`
}

// WebhookEventDetail is an event with what was posted.
type WebhookEventDetail struct {
	WebhookEvent
	// Payload is the JSON that was posted; nil when it was not kept.
	Payload json.RawMessage `json:"payload,omitempty"`
	// Headers are those that tell what it is, in lower case; never a credential.
	Headers map[string]string `json:"headers"`
}

// Events goes through what was posted to a webhook, newest first; it is kept for 30 days.
// An error ends it.
func (s *WebhooksService) Events(ctx context.Context, channel, id string) iter.Seq2[WebhookEvent, error] {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return failed[WebhookEvent](err)
	}
	// The sender's id may come again, so the time is part of what tells events apart.
	name := func(e WebhookEvent) string { return e.ReceivedAt.String() + e.ID }
	return listed(name, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListWebhookEvents(ctx, address.Publisher, address.Channel, parsed,
			&api.ListWebhookEventsParams{Limit: limit, Offset: offset})
	})
}

// Event shows one event with its payload.
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

// Replay renders an event again with the webhook as it is now, and publishes it. One that was
// published before is answered as it was, and nothing is published again.
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

// checkEventID refuses what would make another path.
func checkEventID(id string) error {
	if id == "" || id == "." || id == ".." {
		return inputFault("path:eventId", "invalid_id", "must be the id of an event as Events gives it; got "+quote(id))
	}
	return nil
}
