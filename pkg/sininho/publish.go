package sininho

import (
	"context"
	"net/http"
	"net/url"
	"time"
	"unicode/utf8"

	"github.com/sininho/sininho/pkg/api"
)

// Bounds of what is published, in characters (Unicode code points).
const (
	MaxTitle     = 200
	MaxBody      = 20_000
	MaxAddress   = 2048
	MaxData      = 20
	MaxDataValue = 500
	MaxExternal  = 255
)

// PublishInput is what to publish. Only Title is needed; what is zero is not sent.
type PublishInput struct {
	// Title has 1 to 200 characters.
	Title string `json:"title"`
	// Body has at most 20,000 characters and is kept byte for byte.
	Body string `json:"body,omitzero"`
	// Image, Icon and Link are https addresses.
	Image string `json:"image,omitzero"`
	Icon  string `json:"icon,omitzero"`
	Link  string `json:"link,omitzero"`
	// Importance is [Normal] unless set.
	Importance Importance `json:"importance,omitzero"`
	// Data has at most 20 texts of at most 500 characters, for programs.
	Data map[string]string `json:"data,omitempty"`
	// ExternalID is your own id for it, 1 to 255 characters. The channel takes each once,
	// for good: publishing it again publishes nothing and returns the first.
	ExternalID string `json:"externalId,omitzero"`
	// ScheduledAt, in the future, is when it is to appear.
	ScheduledAt time.Time `json:"scheduledAt,omitzero"`
	// ExpiresAt is when it is no longer worth a push.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
}

// PublishResult is what became of a publish: Created or, when nothing new was needed,
// Existing or Replayed (or both: the replay of an answer that found an existing one).
type PublishResult struct {
	// Notification is the new one or, if nothing was created, the one there was.
	Notification Notification
	// Created: this call published it.
	Created bool
	// Existing: the channel already had the ExternalID.
	Existing bool
	// Replayed: an earlier request with the same idempotency key published it, or found it.
	Replayed bool
}

// Publish publishes to a channel. Once it returns without an error the notification is
// stored, is in every follower's feed, and will be pushed to each of their devices that
// wants it. All attempts run under one idempotency key, so at most one is published.
//
// Errors: [*InputError] (nothing sent), [*Error], [ErrUnreachable], the context's.
func (s *NotificationsService) Publish(ctx context.Context, channel string, in PublishInput, opts ...CallOption) (*PublishResult, error) {
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

// Validate reports, as an [*InputError], every fault that can be known without the server.
// Publish leaves judging to the server and checks only that the texts are UTF-8; call
// Validate to check many before the first is sent.
func (in PublishInput) Validate() error {
	f := in.checkText()
	if in.Title == "" {
		f.add("title", "required", "is needed")
	}
	f.length("title", in.Title, MaxTitle)
	f.length("body", in.Body, MaxBody)
	f.length("externalId", in.ExternalID, MaxExternal)
	f.address("image", in.Image)
	f.address("icon", in.Icon)
	f.address("link", in.Link)
	if in.Importance != "" && in.Importance != Normal && in.Importance != Important {
		f.add("importance", "unknown", "is normal or important, not %s", quote(string(in.Importance)))
	}
	f.data(in.Data)
	return f.err()
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

func (f *faults) address(name, value string) {
	if value == "" {
		return
	}
	f.length(name, value, MaxAddress)
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		f.add(name, "invalid_url", "must be an address as https://example.com/page, not %s", quote(value))
	}
}

func (f *faults) data(data map[string]string) {
	if len(data) > MaxData {
		f.add("data", "too_many", "has at most %d members, not %d", MaxData, len(data))
	}
	for key, value := range data {
		if utf8.RuneCountInString(value) > MaxDataValue {
			f.add("data/"+key, "too_long", "has at most %d characters", MaxDataValue)
		}
	}
}
