package core

import (
	"context"
	"encoding/json"
	"strings"

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
	Render(ctx context.Context, sender WebhookSender, own *WebhookTemplate, payload []byte, headers map[string]string) (Rendered, error)
}

// Preview renders a payload as a webhook with that sender and template would, in a channel that the caller may edit. If
// the payload could not be published, the returned event has the outcome and the reason.
func (w *Webhooks) Preview(ctx context.Context, caller Caller, publisherSlug, slug string, sender WebhookSender, own *WebhookTemplate, e WebhookEvent) (ReceivedEvent, PublishInput, error) {
	if _, err := editable(ctx, w.Store, caller, publisherSlug, slug, ScopeChannels, ScopePublish); err != nil {
		return ReceivedEvent{}, PublishInput{}, err
	}
	if own != nil {
		if f := faults(w.Templates.Check(*own)); len(f) > 0 {
			return ReceivedEvent{}, PublishInput{}, f.err()
		}
	}
	received, in, err := w.render(ctx, Webhook{Sender: WebhookInput{Sender: sender}.sender(), Template: own}, e)
	if IsCode(err, CodeInvalid) || IsCode(err, CodeMalformed) {
		return received, in, nil // the returned event contains the fault
	}
	return received, in, err
}

// render turns an event into a notification and determines its outcome. The error is the reason for a refusal.
func (w *Webhooks) render(ctx context.Context, to Webhook, e WebhookEvent) (received ReceivedEvent, in PublishInput, err error) {
	now := w.Now()
	rendered := Rendered{}
	if to.Sender == SenderPlain && to.Template == nil {
		rendered.Notification, err = plainPayload(e.Body)
	} else {
		rendered, err = w.Templates.Render(ctx, to.Sender, to.Template, e.Body, e.Headers)
		w.Links.leaveOut(&rendered.Notification)
	}
	received = ReceivedEvent{ID: e.id(to, rendered.ID), Kind: rendered.Kind, ReceivedAt: now, Outcome: OutcomePublished,
		Payload: e.kept(to), Headers: e.Headers}
	if err == nil && rendered.Skip == "" {
		err = rendered.Notification.checkIn(to.Channel, w.Links, now)
	}
	switch {
	case err != nil:
		received.Outcome, received.Detail = OutcomeRefused, reason(err)
	case rendered.Skip != "":
		received.Outcome, received.Detail = OutcomeSkipped, oneLine(rendered.Skip)
	}
	return received, rendered.Notification, err
}

// leaveOut removes links that are not allowed. The sender cannot correct them, so they do not make the event fail.
func (r LinkRules) leaveOut(in *PublishInput) {
	for _, link := range []*string{&in.Link, &in.Image, &in.Icon} {
		if !r.ok(*link) {
			*link = ""
		}
	}
	if !rules.MayOpen(in.Link, r.Origin) {
		in.Link = ""
	}
}

// plainPayload reads the fields of a notification from a JSON object and ignores all others.
func plainPayload(body []byte) (PublishInput, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return PublishInput{}, Malformed(Text{"The body is not a JSON object.", "O corpo não é um objeto JSON."})
	}
	var f faults
	text := func(name string) string { return f.readText("#/"+name, members[name]) }
	in := PublishInput{Title: text("title"), Body: text("body"), Image: text("image"), Icon: text("icon"), Link: text("link"),
		Importance: Importance(text("importance")), Data: f.readTexts("#/data", members["data"]), ExternalID: text("externalId")}
	if in.Importance != "" && in.Importance != Normal && in.Importance != Important {
		f.add("#/importance", "enum", Text{"is neither normal nor important", "não é normal nem important"})
	}
	f.length("#/externalId", in.ExternalID, MaxExternalID)
	return in, f.err()
}

// readText reads a string; a missing value or null is an empty string.
func (f *faults) readText(pointer string, raw json.RawMessage) (s string) {
	if raw != nil && json.Unmarshal(raw, &s) != nil {
		f.add(pointer, "type", Text{"is not a text", "não é um texto"})
	}
	return s
}

// readTexts reads an object of strings.
func (f *faults) readTexts(pointer string, raw json.RawMessage) map[string]string {
	var members map[string]json.RawMessage
	if raw != nil && json.Unmarshal(raw, &members) != nil {
		f.add(pointer, "type", Text{"is not an object", "não é um objeto"})
	}
	texts := make(map[string]string, len(members))
	for name, member := range members {
		texts[name] = f.readText(pointer+"/"+escapePointer.Replace(name), member)
	}
	return texts
}

var escapePointer = strings.NewReplacer("~", "~0", "/", "~1")
