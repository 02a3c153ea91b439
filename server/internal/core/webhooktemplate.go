package core

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/rules"
)

// WebhookTemplate is a set of Liquid templates that turn a payload into a notification.
type WebhookTemplate struct {
	Title      string `json:"title"`
	Body       string `json:"body,omitempty"`
	Link       string `json:"link,omitempty"`
	Image      string `json:"image,omitempty"`
	Icon       string `json:"icon,omitempty"`
	Importance string `json:"importance,omitempty"`
	ExternalID string `json:"externalId,omitempty"`
	Skip       string `json:"skip,omitempty"`
}

// Rendered is the result of rendering a payload.
type Rendered struct {
	ID, Kind     string // from the sender, if present
	Skip         string // why no notification is published; empty if one is
	Notification PublishInput
}

// Templates turns the payloads of senders into notifications.
type Templates interface {
	// Check returns the faults of a custom template; their pointers begin with #/template.
	Check(t WebhookTemplate) []FieldError
	// Render uses the custom template own or, if that is nil, the sender's; plain has none. If it fails, with
	// CodeMalformed or CodeInvalid, the result still contains the id and the kind that could be rendered.
	Render(
		ctx context.Context, sender WebhookSender, own *WebhookTemplate, payload []byte, headers map[string]string,
	) (Rendered, error)
}

// WebhookPreview is the input for rendering an event as a webhook with that sender and template would.
type WebhookPreview struct {
	Sender   WebhookSender
	Template *WebhookTemplate
	Event    WebhookEvent
}

// Validate implements Input.
func (in WebhookPreview) Validate(r *Rules, _ time.Time) []FieldError {
	if in.Template == nil {
		return nil
	}
	return r.templates.Check(*in.Template)
}

// Preview renders a payload in a channel that the caller may edit. If the payload could not be published, the returned
// event has the outcome and the reason.
func (w *Webhooks) Preview(
	ctx context.Context, caller Caller, publisherSlug, slug string, in WebhookPreview,
) (ReceivedEvent, PublishInput, error) {
	if _, err := editable(ctx, w.store, caller, publisherSlug, slug, ScopeChannels, ScopePublish); err != nil {
		return ReceivedEvent{}, PublishInput{}, err
	}
	if err := w.rules.check(in, w.now()); err != nil {
		return ReceivedEvent{}, PublishInput{}, err
	}
	to := Webhook{Sender: WebhookInput{Sender: in.Sender}.sender(), Template: in.Template}
	received, rendered, err := w.render(ctx, to, in.Event)
	if IsCode(err, CodeInvalid) || IsCode(err, CodeMalformed) {
		return received, rendered, nil // the returned event contains the fault
	}
	return received, rendered, err
}

// render turns an event into a notification and determines its outcome. The error is the reason for a refusal.
func (w *Webhooks) render(
	ctx context.Context, to Webhook, e WebhookEvent,
) (received ReceivedEvent, in PublishInput, err error) {
	now := w.now()
	var rendered Rendered
	var f faults
	if to.Sender == SenderPlain && to.Template == nil {
		rendered.Notification, f, err = plainPayload(e.Body)
	} else {
		rendered, err = w.rules.templates.Render(ctx, to.Sender, to.Template, e.Body, e.Headers)
		leaveOut(&rendered.Notification, w.rules.links)
	}
	received = ReceivedEvent{ID: e.id(to, rendered.ID), Kind: rendered.Kind, ReceivedAt: now, Outcome: OutcomePublished,
		Payload: e.kept(to), BodyHash: e.bodyHash(to), Headers: e.Headers}
	if err == nil && rendered.Skip == "" {
		f.merge(rendered.Notification.prepareFor(to.Channel, w.rules, now))
		err = invalid(f.Faults)
	}
	switch {
	case err != nil:
		received.Outcome, received.Detail = OutcomeRefused, reason(err)
	case rendered.Skip != "":
		received.Outcome, received.Detail = OutcomeSkipped, oneLine(rendered.Skip)
	}
	return received, rendered.Notification, err
}

// leaveOut removes links and pictures that are not allowed. The sender cannot correct them, so they do not make the
// event fail.
func leaveOut(in *PublishInput, links LinkRules) {
	for _, picture := range []*string{&in.Image, &in.Icon} {
		if !links.AllowPicture(*picture) {
			*picture = ""
		}
	}
	if !links.Allow(in.Link) || !rules.MayOpen(in.Link, links.Origin) {
		in.Link = ""
	}
}

// plainPayload reads the fields of a notification from a JSON object and ignores all others. The faults are those of
// fields with a wrong type.
func plainPayload(body []byte) (in PublishInput, f faults, err error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return in, f, Malformed(Text{EN: "The body is not a JSON object.", PT: "O corpo não é um objeto JSON."})
	}
	text := func(name string) string { return f.readText("#/"+name, members[name]) }
	in = PublishInput{
		Title: text("title"), Body: text("body"), Image: text("image"), Icon: text("icon"), Link: text("link"),
		Importance: Importance(text("importance")), Data: f.readTexts("#/data", members["data"]),
		ExternalID: text("externalId"),
	}
	return in, f, nil
}

// readText reads a string; a missing value or null is an empty string.
func (f *faults) readText(pointer string, raw json.RawMessage) (s string) {
	if raw != nil && json.Unmarshal(raw, &s) != nil {
		f.Add(pointer, "type", Text{EN: "is not a text", PT: "não é um texto"})
	}
	return s
}

// readTexts reads an object of strings.
func (f *faults) readTexts(pointer string, raw json.RawMessage) map[string]string {
	var members map[string]json.RawMessage
	if raw != nil && json.Unmarshal(raw, &members) != nil {
		f.Add(pointer, "type", Text{EN: "is not an object", PT: "não é um objeto"})
	}
	texts := make(map[string]string, len(members))
	for name, member := range members {
		texts[name] = f.readText(pointer+"/"+escapePointer.Replace(name), member)
	}
	return texts
}

var escapePointer = strings.NewReplacer("~", "~0", "/", "~1")
