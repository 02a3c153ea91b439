package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// findWebhook finds the webhook that the request is posted to. Many senders share an address, for example all users of
// GitHub, so the failures of one must not count against another. Unknown webhooks are counted by network and never
// affect known ones. Invalid signatures are counted by webhook and network, and do not stop a sender whose signature
// was valid recently.
func (a *server) findWebhook(r *http.Request, c *call) error {
	address, from := pathValue(r, "id"), core.NetworkOf(c.client)
	var found core.Webhook
	err := a.limiter.lookUp(lookUps, from, credential("webhook", address), func() (err error) {
		found, err = a.Webhooks.Find(r.Context(), address)
		return err
	})
	if err != nil {
		if rejected(err) {
			a.refusals.add(r.Context(), c.client, refusedWebhook)
		}
		return err
	}
	if found.Signed() {
		c.signer = party{id: found.ID, network: from}
		if err := a.limiter.mayFail(c.signer); err != nil {
			return err // before it counts against the webhook's quota, which the real sender needs
		}
	}
	c.webhook = &found
	return nil
}

// ReceiveWebhook publishes a webhook event.
func (a *server) ReceiveWebhook(
	ctx context.Context, _ gen.ReceiveWebhookRequestObject,
) (gen.ReceiveWebhookResponseObject, error) {
	c := callOf(ctx)
	received, creation, err := a.Webhooks.Receive(ctx, *c.webhook, c.event(), a.verifier(c))
	if err != nil {
		return nil, a.refused(c, err)
	}
	a.Metrics.WebhookEvent(string(received.Outcome))
	return c.toAPIReceipt(received, creation), nil
}

// validateWebhookEvent is validate, and also records webhook events that the contract refuses.
func (a *server) validateWebhookEvent(w http.ResponseWriter, r *http.Request, c *call) error {
	err := a.validate(w, r, c)
	if err == nil || c.webhook == nil || c.body == nil {
		return err
	}
	return a.refused(c, a.Webhooks.Refuse(r.Context(), *c.webhook, c.event(), a.verifier(c), err))
}

const maxEventID = 255

// event returns the webhook event of the call.
func (c *call) event() core.WebhookEvent {
	id := webhook.EventID(c.request.Header)
	if utf8.RuneCountInString(id) > maxEventID || strings.ContainsRune(id, 0) || !utf8.ValidString(id) {
		id = "" // invalid: validation refuses it
	}
	headers := make(map[string]string, len(c.request.Header))
	for name := range c.request.Header {
		headers[name] = c.request.Header.Get(name)
	}
	return core.WebhookEvent{ID: id, Headers: payloadHeaders(headers), Body: c.payload.JSON, Signed: c.body,
		Adjusted: c.payload.Adjusted, Cut: c.payload.Cut}
}

// credentialHeaders matches names of headers that may contain credentials, connectionHeaders those about
// the connection or the network path, and eventKeyHeaders those that look like credentials but identify the payload.
var (
	credentialHeaders = regexp.MustCompile(`auth|cookie|cred|key|pass|secret|session|signature|token`)
	connectionHeaders = regexp.MustCompile(`^(accept.*|connection|content-(encoding|length)|forwarded|host)$|` +
		`^(te|trailer|transfer-encoding|upgrade.*|via)$|` +
		`forward|(^|-)ip(-|$)|^cf-|^x-(real|envoy|amzn|cloud|request-start)`)
	eventKeyHeaders = regexp.MustCompile(`^(idempotency-key|x-[a-z0-9-]*event-key)$`)
)

const maxHeaders, maxHeaderValue = 50, 1000

// payloadHeaders returns the headers that describe a payload, with lower-case names: all except credentials and those
// about the connection.
func payloadHeaders(headers map[string]string) map[string]string {
	kept := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		value := headers[name]
		name = strings.ToLower(name)
		if len(kept) < maxHeaders && describesPayload(name) && utf8.ValidString(value) &&
			!strings.ContainsRune(value, 0) && utf8.RuneCountInString(value) <= maxHeaderValue {
			kept[name] = value
		}
	}
	return kept
}

func describesPayload(name string) bool {
	excluded := credentialHeaders.MatchString(name) || connectionHeaders.MatchString(name)
	return !excluded || eventKeyHeaders.MatchString(name)
}

// refused handles the error of a refused event. An invalid signature is counted but not remembered, because the same
// sender's next signature may be valid.
func (a *server) refused(c *call, err error) error {
	a.Metrics.WebhookEvent(outcomeOf(err))
	if core.IsCode(err, core.CodeUnauthenticated) {
		_ = a.limiter.countFailure(c.signer) // mayFail refuses later events once there are too many
	}
	return err
}

// outcomeOf returns the outcome, in metrics, of an event that fails with err.
func outcomeOf(err error) string {
	e, known := errors.AsType[*core.Error](err)
	switch {
	case !known || e.Code == core.CodeUnavailable:
		return "failed"
	case e.Code == core.CodeUnauthenticated:
		return "unauthenticated"
	default:
		return string(core.OutcomeRefused)
	}
}

// ListWebhookEvents lists the events that a webhook received.
func (a *server) ListWebhookEvents(
	ctx context.Context, in gen.ListWebhookEventsRequestObject,
) (gen.ListWebhookEventsResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.Webhooks.Events(ctx, c.caller, in.PublisherSlug, in.ChannelSlug, in.ID, page)
	if err != nil {
		return nil, err
	}
	return gen.ListWebhookEvents200JSONResponse{
		Body:    api.WebhookEventPage{Data: convert(data, toAPIWebhookEvent), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListWebhookEvents200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// GetWebhookEvent returns a webhook event with its payload.
func (a *server) GetWebhookEvent(
	ctx context.Context, in gen.GetWebhookEventRequestObject,
) (gen.GetWebhookEventResponseObject, error) {
	found, err := a.Webhooks.Event(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID, in.EventID)
	if err != nil {
		return nil, err
	}
	return gen.GetWebhookEvent200JSONResponse(toAPIWebhookEventDetail(found)), nil
}

// ReplayWebhookEvent renders and publishes a webhook event again.
func (a *server) ReplayWebhookEvent(
	ctx context.Context, in gen.ReplayWebhookEventRequestObject,
) (gen.ReplayWebhookEventResponseObject, error) {
	replayed, err := a.Webhooks.Replay(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID, in.EventID)
	if err != nil {
		return nil, err
	}
	return gen.ReplayWebhookEvent200JSONResponse(toAPIWebhookEvent(replayed)), nil
}

// PreviewWebhook returns the notification that a payload would become.
func (a *server) PreviewWebhook(
	ctx context.Context, in gen.PreviewWebhookRequestObject,
) (gen.PreviewWebhookResponseObject, error) {
	c := callOf(ctx)
	var raw struct{ Payload json.RawMessage } // raw JSON, because decoding would round large numbers
	if err := json.Unmarshal(c.body, &raw); err != nil {
		return nil, err
	}
	if len(raw.Payload) > core.MaxPayload {
		return nil, errTooLarge(core.MaxPayload)
	}
	preview := fromAPIWebhookPreviewInput(*in.Body)
	preview.Event.Body = raw.Payload
	received, rendered, err := a.Webhooks.Preview(ctx, c.caller, in.PublisherSlug, in.ChannelSlug, preview)
	if err != nil {
		return nil, err
	}
	body := api.WebhookPreview{Outcome: api.WebhookOutcome(received.Outcome), Detail: optional(received.Detail),
		Adjusted: toAPIAdjusted(received.Adjusted)}
	if received.Outcome == core.OutcomePublished {
		body.Notification = toAPIRenderedNotification(rendered)
	}
	return gen.PreviewWebhook200JSONResponse(body), nil
}

func fromAPIWebhookPreviewInput(in api.WebhookPreviewInput) core.WebhookPreview {
	return core.WebhookPreview{
		Sender: core.WebhookSender(value(in.Sender)), Template: fromAPIWebhookTemplate(in.Template),
		Event: core.WebhookEvent{Headers: payloadHeaders(value(in.Headers))},
	}
}

func toAPIWebhookEvent(e core.ReceivedEvent) api.WebhookEvent {
	return api.WebhookEvent{
		ID: e.ID, Kind: optional(e.Kind), ReceivedAt: e.ReceivedAt.UTC(), Outcome: api.WebhookOutcome(e.Outcome),
		NotificationID: e.NotificationID, Detail: optional(e.Detail), Adjusted: toAPIAdjusted(e.Adjusted),
	}
}

func toAPIAdjusted(list mend.Adjustments) *api.Adjustments {
	if len(list) == 0 {
		return nil
	}
	return new(convert(list, func(a mend.Adjustment) api.Adjustment {
		return api.Adjustment{Pointer: truncate(a.Pointer, maxPointer), Reason: truncate(a.Reason, maxPointer)}
	}))
}

func toAPIWebhookEventDetail(e core.ReceivedEvent) api.WebhookEventDetail {
	out := api.WebhookEventDetail{
		ID: e.ID, Kind: optional(e.Kind), ReceivedAt: e.ReceivedAt.UTC(), Outcome: api.WebhookOutcome(e.Outcome),
		NotificationID: e.NotificationID, Detail: optional(e.Detail), Headers: e.Headers,
		Adjusted: toAPIAdjusted(e.Adjusted),
	}
	if out.Headers == nil {
		out.Headers = api.WebhookHeaders{}
	}
	_ = json.Unmarshal(e.Payload, &out.Payload) // a payload that is not an object is not shown
	return out
}

func toAPIRenderedNotification(in core.PublishInput) *api.RenderedNotification {
	out := &api.RenderedNotification{
		Title: in.Title, Body: in.Body, Image: optional(in.Image), Icon: optional(in.Icon), Link: optional(in.Link),
		Importance: api.Importance(in.Importance), ExternalID: optional(in.ExternalID),
	}
	if in.Importance == "" {
		out.Importance = api.Importance(core.Normal)
	}
	if len(in.Data) > 0 {
		out.Data = (*api.NotificationData)(&in.Data)
	}
	return out
}
