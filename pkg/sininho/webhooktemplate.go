package sininho

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/sininho/sininho/pkg/api"
)

// WebhookTemplate turns payloads into notifications. Each field is a Liquid template
// (https://shopify.github.io/liquid) with the variables `payload` and `headers` (with lower-case
// names). Title is required; fields that render to nothing are left out.
type WebhookTemplate struct {
	Title string `json:"title"`
	Body  string `json:"body,omitzero"`
	Link  string `json:"link,omitzero"`
	Image string `json:"image,omitzero"`
	Icon  string `json:"icon,omitzero"`
	// Importance renders to important, normal or nothing.
	Importance string `json:"importance,omitzero"`
	// ExternalID renders to the notification's external id: a payload that renders to the same id
	// is not published again.
	ExternalID string `json:"externalId,omitzero"`
	// Skip renders to the reason why nothing is published, or to nothing in order to publish.
	Skip string `json:"skip,omitzero"`
}

func (t *WebhookTemplate) toAPI() *api.WebhookTemplate {
	if t == nil {
		return nil
	}
	return &api.WebhookTemplate{
		Title: t.Title, Body: optional(t.Body), Link: optional(t.Link),
		Image: optional(t.Image), Icon: optional(t.Icon),
		Importance: optional(t.Importance), ExternalID: optional(t.ExternalID), Skip: optional(t.Skip),
	}
}

// template checks only that the texts are UTF-8; the server validates the templates.
func (f *faults) template(t *WebhookTemplate) {
	if t == nil {
		return
	}
	f.texts(map[string]*string{
		"template/title": &t.Title, "template/body": &t.Body, "template/link": &t.Link, "template/image": &t.Image,
		"template/icon": &t.Icon, "template/importance": &t.Importance, "template/externalId": &t.ExternalID,
		"template/skip": &t.Skip,
	})
}

// WebhookPreviewInput is a payload to preview, with the settings of the webhook that would receive it.
type WebhookPreviewInput struct {
	// Sender defaults to [SenderPlain].
	Sender WebhookSender
	// Template replaces the sender's template.
	Template *WebhookTemplate
	// Payload is the JSON object to render.
	Payload json.RawMessage
	// Headers are the headers that identify the type of event, such as x-github-event.
	Headers map[string]string
}

// WebhookPreview is the outcome that a payload would have.
type WebhookPreview struct {
	Outcome WebhookOutcome `json:"outcome"`
	// Detail says why nothing would be published.
	Detail string `json:"detail,omitzero"`
	// Adjusted lists what would be cut, dropped or rewritten.
	Adjusted []Adjustment `json:"adjusted,omitempty"`
	// Notification is nil if none would be published.
	Notification *RenderedNotification `json:"notification,omitempty"`
}

// RenderedNotification is the notification that a template makes from a payload.
type RenderedNotification struct {
	Title      string            `json:"title"`
	Body       string            `json:"body"`
	Image      string            `json:"image,omitzero"`
	Icon       string            `json:"icon,omitzero"`
	Link       string            `json:"link,omitzero"`
	Importance Importance        `json:"importance"`
	ExternalID string            `json:"externalId,omitzero"`
	Data       map[string]string `json:"data,omitempty"`
}

// Preview renders a payload as a webhook with this sender and template would, and publishes
// nothing. It fails with [ErrInvalid] if the template cannot be parsed.
func (s *WebhooksService) Preview(
	ctx context.Context, channel string, in WebhookPreviewInput,
) (*WebhookPreview, error) {
	address, err := ParseAddress(channel)
	if err != nil {
		return nil, err
	}
	var f faults
	f.template(in.Template)
	payload := f.object("payload", in.Payload)
	if err := f.err(); err != nil {
		return nil, err
	}
	body := api.WebhookPreviewInput{
		Sender: optional(api.WebhookSender(in.Sender)), Template: in.Template.toAPI(), Payload: payload,
	}
	if in.Headers != nil {
		body.Headers = (*api.WebhookHeaders)(&in.Headers)
	}
	return decode[WebhookPreview](s.api.PreviewWebhook(ctx, address.Publisher, address.Channel, body))
}

// object parses a JSON object and keeps its numbers as written.
func (f *faults) object(name string, text json.RawMessage) (members map[string]any) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&members) != nil || members == nil || decoder.More() {
		f.add(name, "not_json", "must be one JSON object")
	}
	return members
}
