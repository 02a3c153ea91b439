package sininho

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/sininho/sininho/pkg/api"
)

// WebhookTemplate makes notifications of payloads, in Liquid (https://shopify.github.io/liquid),
// with `payload` and `headers` (in lower case) as its variables. Title is needed; what
// renders to nothing is left out.
type WebhookTemplate struct {
	Title string `json:"title"`
	Body  string `json:"body,omitzero"`
	Link  string `json:"link,omitzero"`
	Image string `json:"image,omitzero"`
	Icon  string `json:"icon,omitzero"`
	// Importance renders to important, normal or nothing.
	Importance string `json:"importance,omitzero"`
	// ExternalID renders to the id of the thing: what comes again with the same one is not
	// published again.
	ExternalID string `json:"externalId,omitzero"`
	// Skip renders to the reason why nothing is published, or to nothing.
	Skip string `json:"skip,omitzero"`
}

func (t *WebhookTemplate) toAPI() *api.WebhookTemplate {
	if t == nil {
		return nil
	}
	return &api.WebhookTemplate{
		Title: t.Title, Body: optional(t.Body), Link: optional(t.Link), Image: optional(t.Image), Icon: optional(t.Icon),
		Importance: optional(t.Importance), ExternalID: optional(t.ExternalID), Skip: optional(t.Skip),
	}
}

// template checks only what JSON cannot carry; the server judges what it says.
func (f *faults) template(t *WebhookTemplate) {
	if t == nil {
		return
	}
	f.texts(map[string]*string{
		"template/title": &t.Title, "template/body": &t.Body, "template/link": &t.Link, "template/image": &t.Image,
		"template/icon": &t.Icon, "template/importance": &t.Importance, "template/externalId": &t.ExternalID, "template/skip": &t.Skip,
	})
}

// WebhookPreviewInput is a payload, and what a webhook is made of that would receive it.
type WebhookPreviewInput struct {
	// Sender is [SenderPlain] unless set.
	Sender WebhookSender
	// Template takes the place of the sender's.
	Template *WebhookTemplate
	// Payload is the JSON object that is posted.
	Payload json.RawMessage
	// Headers are those that tell what it is, such as x-github-event.
	Headers map[string]string
}

// WebhookPreview is what would come of a payload.
type WebhookPreview struct {
	Outcome WebhookOutcome `json:"outcome"`
	// Detail says why nothing would be published.
	Detail string `json:"detail,omitzero"`
	// Notification is nil when there would be none.
	Notification *RenderedNotification `json:"notification,omitempty"`
}

// RenderedNotification is what a template makes of a payload.
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

// Preview renders a payload as a webhook of that sender and template would, and publishes
// nothing. A template that cannot be read is an [ErrInvalid].
func (s *WebhooksService) Preview(ctx context.Context, channel string, in WebhookPreviewInput) (*WebhookPreview, error) {
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
	body := api.WebhookPreviewInput{Sender: optional(api.WebhookSender(in.Sender)), Template: in.Template.toAPI(), Payload: payload}
	if in.Headers != nil {
		body.Headers = (*api.WebhookHeaders)(&in.Headers)
	}
	return decode[WebhookPreview](s.api.PreviewWebhook(ctx, address.Publisher, address.Channel, body))
}

// object reads a JSON object with its numbers as they are written.
func (f *faults) object(name string, text json.RawMessage) (members map[string]any) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&members) != nil || members == nil || decoder.More() {
		f.add(name, "not_json", "must be one JSON object")
	}
	return members
}
