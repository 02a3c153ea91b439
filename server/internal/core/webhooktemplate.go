package core

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/sininho/sininho/pkg/mend"
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
	ID, Kind     string       // from the sender, if present
	Skip         string       // why no notification is published; empty if one is
	Notification PublishInput // as its templates say; what is wrong with it is mended later
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

// render turns an event into a notification and determines its outcome. The sender cannot correct it, so what can be
// mended does not make it fail. The error is the reason for a refusal.
func (w *Webhooks) render(
	ctx context.Context, to Webhook, e WebhookEvent,
) (received ReceivedEvent, in PublishInput, err error) {
	now := w.now()
	var rendered Rendered
	adjusted := slices.Clone(e.Adjusted)
	if to.isPlain() {
		rendered.Notification, err = plainPayload(e.Body, &adjusted)
	} else {
		rendered, err = w.rules.templates.Render(ctx, to.Sender, to.Template, e.Body, e.Headers)
	}
	if rendered.Skip == "" {
		rendered.Notification.mend(w.rules.links, &adjusted)
	}
	received = ReceivedEvent{ID: e.id(to, rendered.ID), Kind: rendered.Kind, ReceivedAt: now, Outcome: OutcomePublished,
		Payload: e.kept(to), BodyHash: e.bodyHash(to), Headers: e.Headers, Adjusted: adjusted}
	if err == nil && rendered.Skip == "" {
		rendered.Notification.expireDemonstration(to.Channel, now)
		err = invalid(rendered.Notification.faultsIn(to.Channel, w.rules, now))
	}
	switch {
	case err != nil:
		received.Outcome, received.Detail = OutcomeRefused, reason(err)
	case rendered.Skip != "":
		received.Outcome, received.Detail = OutcomeSkipped, oneLine(rendered.Skip)
	}
	return received, rendered.Notification, err
}

// isPlain reports whether the fields of the notification are read from the payload.
func (w Webhook) isPlain() bool { return w.Sender == SenderPlain && w.Template == nil }

// ReadsTexts reports whether a payload that is a text and not JSON can be read.
func (w Webhook) ReadsTexts() bool {
	return w.Sender == SenderPlain || w.Sender == SenderSlack || w.Sender == SenderDiscord
}

// TakesParameters reports whether the query and the headers of a request can say what a text or form does not. A
// signature is not of them.
func (w Webhook) TakesParameters() bool { return w.isPlain() && !w.Signed() }

// mend makes the notification one without faults, if it has a text, and adds what it changed.
func (in *PublishInput) mend(links LinkRules, adjusted *mend.Adjustments) {
	n, changes := mend.Notification(in.fields(), links)
	in.Title, in.Body, in.Image, in.Icon, in.Link = n.Title, n.Body, n.Image, n.Icon, n.Link
	in.Importance, in.Data, in.ExternalID = Importance(n.Importance), n.Data, n.ExternalID
	for _, each := range changes {
		adjusted.Add(each.Pointer, each.Reason)
	}
}

// The names under which senders put the title and the text of what they have to say, the most telling first.
var (
	titleNames = []string{"title", "subject"}
	textNames  = []string{"body", "message", "text", "content", "msg", "description"}
)

// IsPlainMember reports whether a plain webhook reads a member with that name as the title or the text.
func IsPlainMember(name string) bool {
	return slices.Contains(titleNames, name) || slices.Contains(textNames, name)
}

// plainPayload reads the fields of a notification from a JSON object and ignores all others.
func plainPayload(body []byte, adjusted *mend.Adjustments) (in PublishInput, err error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil || members == nil {
		return in, Malformed(Text{EN: "The body is not a JSON object.", PT: "O corpo não é um objeto JSON."})
	}
	text := func(pointer string, names ...string) string {
		for _, name := range names {
			if s := readText(pointer, members[name], adjusted); !rules.IsBlank(s) {
				return s
			}
		}
		return ""
	}
	return PublishInput{
		Title: text("#/title", titleNames...), Body: text("#/body", textNames...), Image: text("#/image", "image"),
		Icon: text("#/icon", "icon"), Link: text("#/link", "link"),
		Importance: Importance(text("#/importance", "importance")), Data: readTexts(members["data"], adjusted),
		ExternalID: text("#/externalId", "externalId"),
	}, nil
}

// readText reads a string; a missing value or null is an empty string, and any other value is its JSON.
func readText(pointer string, raw json.RawMessage, adjusted *mend.Adjustments) (s string) {
	if raw == nil || json.Unmarshal(raw, &s) == nil {
		return s
	}
	if raw[0] == '{' || raw[0] == '[' {
		adjusted.Add(pointer, "is not a text; its JSON is")
	}
	return string(raw)
}

// readTexts reads an object of strings.
func readTexts(raw json.RawMessage, adjusted *mend.Adjustments) map[string]string {
	var members map[string]json.RawMessage
	if raw != nil && json.Unmarshal(raw, &members) != nil {
		adjusted.Add("#/data", "is not an object, and was dropped")
	}
	texts := make(map[string]string, len(members))
	for name, member := range members {
		texts[name] = readText("#/data/"+EscapePointer(name), member, adjusted)
	}
	return texts
}
