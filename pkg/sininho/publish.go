package sininho

import (
	"context"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/rules"
)

// Limits of a notification's texts, in characters (Unicode code points).
const (
	MaxTitle     = rules.MaxTitle
	MaxBody      = rules.MaxBody
	MaxDataValue = rules.MaxDataValue
)

// PublishInput describes a notification to publish. Only Title is required; zero fields are not sent.
type PublishInput struct {
	// Title has 1 to 200 characters.
	Title string `json:"title"`
	// Body has at most 20,000 characters and is stored byte for byte.
	Body string `json:"body,omitzero"`
	// Image and Icon are https or http addresses of at most 2,048 bytes, and Link is an https address.
	Image string `json:"image,omitzero"`
	Icon  string `json:"icon,omitzero"`
	Link  string `json:"link,omitzero"`
	// Importance defaults to [Normal].
	Importance Importance `json:"importance,omitzero"`
	// Data has at most 20 values of at most 500 characters each, for use by programs.
	Data map[string]string `json:"data,omitempty"`
	// ExternalID is your own id of the notification, 1 to 255 characters. A channel never accepts the
	// same id twice: publishing it again publishes nothing and returns the existing notification.
	ExternalID string `json:"externalId,omitzero"`
	// ScheduledAt is when to publish, at most a year ahead; zero or a past time means at once.
	ScheduledAt time.Time `json:"scheduledAt,omitzero"`
	// ExpiresAt is when the notification disappears from every feed, list and device and is no longer pushed.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
}

// PublishResult is the result of a publish: Created or, if nothing new was published, Existing or
// Replayed. Both are set for the replay of a response that had found an existing notification.
type PublishResult struct {
	// Notification is the new notification or, if nothing was created, the existing one.
	Notification Notification
	// Created reports whether this call published the notification.
	Created bool
	// Existing reports whether the channel already had the ExternalID.
	Existing bool
	// Replayed reports whether the response is that of an earlier request with the same idempotency key.
	Replayed bool
}

// Publish publishes to a channel. Once it returns without an error, the notification is stored. It is then in every
// follower's feed, or will be at ScheduledAt, and is pushed to each of their devices that wants it. All attempts use
// one idempotency key, so at most one notification is published.
//
// It fails with an [*InputError] (nothing was sent), an [*Error], [ErrUnreachable] or the context's error.
func (s *NotificationsService) Publish(
	ctx context.Context, channel string, in PublishInput, opts ...CallOption,
) (*PublishResult, error) {
	address, err := ParseAddress(channel)
	if err != nil {
		return nil, err
	}
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	if err := in.checkText().err(); err != nil {
		return nil, err
	}
	resp, err := s.api.PublishNotification(ctx, address.Publisher, address.Channel,
		&api.PublishNotificationParams{IdempotencyKey: &c.key}, in.toAPI())
	notification, err := decodeVersion[Notification](resp, err)
	if err != nil {
		return nil, err
	}
	result := &PublishResult{Notification: *notification}
	result.Existing = resp.StatusCode == http.StatusOK
	result.Replayed = resp.Header.Get("Idempotency-Replayed") == "true"
	result.Created = !result.Existing && !result.Replayed
	return result, nil
}

func (in PublishInput) toAPI() api.NotificationInput {
	out := api.NotificationInput{
		Title: in.Title, Body: optional(in.Body), Image: optional(in.Image), Icon: optional(in.Icon),
		Link: optional(in.Link), ExternalID: optional(in.ExternalID),
		Importance:  optional(api.Importance(in.Importance)),
		ScheduledAt: optionalTime(in.ScheduledAt), ExpiresAt: optionalTime(in.ExpiresAt),
	}
	if len(in.Data) > 0 {
		data := api.NotificationData(in.Data)
		out.Data = &data
	}
	return out
}

// Validate returns an [*InputError] with every fault that can be found without the server; it
// compares the times with this machine's clock. Publish leaves validation to the server and checks
// only that the texts are UTF-8; call Validate to check many inputs before sending the first.
func (in PublishInput) Validate() error {
	return inputError(in.fields().Faults(anyServer, time.Now()))
}

func (in PublishInput) fields() rules.Notification {
	return rules.Notification{Title: in.Title, Body: in.Body, Image: in.Image, Icon: in.Icon, Link: in.Link,
		Importance: string(in.Importance), Data: in.Data, ExternalID: in.ExternalID,
		ScheduledAt: optionalTime(in.ScheduledAt), ExpiresAt: optionalTime(in.ExpiresAt)}
}

func (in PublishInput) checkText() faults {
	var f faults
	for _, field := range []struct{ name, value string }{
		{"title", in.Title}, {"body", in.Body}, {"image", in.Image}, {"icon", in.Icon},
		{"link", in.Link}, {"externalId", in.ExternalID},
	} {
		f.text(field.name, field.value)
	}
	for key, value := range in.Data {
		f.text("data", key+value)
	}
	return f
}
