package httpapi

import (
	"context"
	"net/http"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// byWebhook finds the webhook that is posted to. Its address is a credential and is guarded as one. What is known of it
// is kept for each network, so that who knows the address of a signed webhook and not its secret does not pass as good.
func (a *server) byWebhook(r *http.Request, c *call) error {
	address := pathValue(r, "id")
	c.credential = "webhook " + address + " " + network(c.client)
	if err := a.limiter.mayTry(c.client, c.credential); err != nil {
		return err
	}
	found, err := a.Webhooks.Find(r.Context(), address)
	if err != nil || !found.Signed {
		a.limiter.tried(c.client, c.credential, err)
	}
	if err == nil {
		c.webhook = &found
	}
	return err
}

// ReceiveWebhook publishes what was posted to a webhook.
func (a *server) ReceiveWebhook(ctx context.Context, in gen.ReceiveWebhookRequestObject) (gen.ReceiveWebhookResponseObject, error) {
	c := callOf(ctx)
	event := core.WebhookEvent{ID: value(in.Params.WebhookID), Body: c.body}
	id, creation, err := a.Webhooks.Receive(ctx, *c.webhook, event, a.verifier(c))
	if err != nil {
		return nil, a.refused(c, err)
	}
	a.limiter.tried(c.client, c.credential, nil)
	return gen.ReceiveWebhook202JSONResponse{NotificationID: id, Duplicate: creation == core.Replayed}, nil
}

// validateEvent is validate, and keeps what was posted to a webhook and is not what the contract wants.
func (a *server) validateEvent(w http.ResponseWriter, r *http.Request, c *call) error {
	err := a.validate(w, r, c)
	if err == nil || c.webhook == nil || c.body == nil {
		return err
	}
	event := core.WebhookEvent{ID: r.Header.Get(webhook.HeaderID), Body: c.body}
	if len(event.ID) > maxEventID {
		event.ID = ""
	}
	return a.refused(c, a.Webhooks.Refuse(r.Context(), *c.webhook, event, a.verifier(c), err))
}

const maxEventID = 255

// refused answers an event's fault. A signature that is not good is counted and not remembered: the same sender may sign
// the next one well.
func (a *server) refused(c *call, err error) error {
	if core.IsCode(err, core.CodeUnauthenticated) {
		a.limiter.failed(c.client)
	}
	return err
}

// verifier checks the signature that came with the call.
func (a *server) verifier(c *call) core.WebhookVerifier {
	return func(secrets []string, body []byte) error {
		_, err := webhook.Verify(c.request.Header, body, secrets, webhook.WithClock(a.Now))
		return err
	}
}

// ListWebhooks lists a channel's webhooks.
func (a *server) ListWebhooks(ctx context.Context, in gen.ListWebhooksRequestObject) (gen.ListWebhooksResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.Webhooks.List(ctx, c.caller, in.PublisherSlug, in.ChannelSlug, page)
	if err != nil {
		return nil, err
	}
	return gen.ListWebhooks200JSONResponse{
		Body:    api.WebhookPage{Data: convert(data, a.toAPIWebhook), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListWebhooks200ResponseHeaders{Link: c.nextOffset(page, len(data), total)},
	}, nil
}

// CreateWebhook makes a webhook.
func (a *server) CreateWebhook(ctx context.Context, in gen.CreateWebhookRequestObject) (gen.CreateWebhookResponseObject, error) {
	key := idempotency(ctx, in.Params.IdempotencyKey)
	made, secret, creation, err := a.Webhooks.Create(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, fromAPIWebhookInput(*in.Body), key)
	if err != nil {
		return nil, err
	}
	location := base + "/channels/" + made.Channel.Address() + "/webhooks/" + made.ID.String()
	return gen.CreateWebhook201JSONResponse{
		Body:    a.toAPIWebhookSecret(made, secret),
		Headers: gen.CreateWebhook201ResponseHeaders{Location: &location, ETag: etag(made.Version()), IdempotencyReplayed: replayed(creation)},
	}, nil
}

// GetWebhook shows a webhook.
func (a *server) GetWebhook(ctx context.Context, in gen.GetWebhookRequestObject) (gen.GetWebhookResponseObject, error) {
	found, err := a.Webhooks.Get(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetWebhook200JSONResponse{Body: a.toAPIWebhook(found), Headers: gen.GetWebhook200ResponseHeaders{ETag: etag(found.Version())}}, nil
}

// UpdateWebhook renames a webhook.
func (a *server) UpdateWebhook(ctx context.Context, in gen.UpdateWebhookRequestObject) (gen.UpdateWebhookResponseObject, error) {
	version, err := seen(in.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	renamed, err := a.Webhooks.Rename(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID, in.Body.Name, version)
	if err != nil {
		return nil, err
	}
	return gen.UpdateWebhook200JSONResponse{Body: a.toAPIWebhook(renamed), Headers: gen.UpdateWebhook200ResponseHeaders{ETag: etag(renamed.Version())}}, nil
}

// RotateWebhook makes a webhook's secret or address anew.
func (a *server) RotateWebhook(ctx context.Context, in gen.RotateWebhookRequestObject) (gen.RotateWebhookResponseObject, error) {
	key := idempotency(ctx, in.Params.IdempotencyKey)
	rotated, secret, creation, err := a.Webhooks.Rotate(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID, core.Rotation(in.Body.What), key)
	if err != nil {
		return nil, err
	}
	return gen.RotateWebhook200JSONResponse{
		Body:    a.toAPIWebhookSecret(rotated, secret),
		Headers: gen.RotateWebhook200ResponseHeaders{ETag: etag(rotated.Version()), IdempotencyReplayed: replayed(creation)},
	}, nil
}

// DeleteWebhook ends a webhook.
func (a *server) DeleteWebhook(ctx context.Context, in gen.DeleteWebhookRequestObject) (gen.DeleteWebhookResponseObject, error) {
	version, err := seen(in.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	if err := a.Webhooks.Delete(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID, version); err != nil {
		return nil, err
	}
	return gen.DeleteWebhook204Response{}, nil
}

// ListWebhookEvents lists what a webhook received.
func (a *server) ListWebhookEvents(ctx context.Context, in gen.ListWebhookEventsRequestObject) (gen.ListWebhookEventsResponseObject, error) {
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
		Headers: gen.ListWebhookEvents200ResponseHeaders{Link: c.nextOffset(page, len(data), total)},
	}, nil
}

func fromAPIWebhookInput(in api.WebhookInput) core.WebhookInput {
	return core.WebhookInput{Name: in.Name, Signed: in.Signed == nil || *in.Signed}
}

// webhookURL is where to post.
func (a *server) webhookURL(w core.Webhook) string {
	return a.PublicURL.JoinPath(base, "webhooks/channels", w.Address).String()
}

func (a *server) toAPIWebhook(w core.Webhook) api.Webhook {
	return api.Webhook{ID: w.ID, Name: w.Name, URL: a.webhookURL(w), Signed: w.Signed, LastEventAt: utc(w.LastEventAt), CreatedAt: w.CreatedAt.UTC()}
}

func (a *server) toAPIWebhookSecret(w core.Webhook, secret string) api.WebhookSecret {
	return api.WebhookSecret{ID: w.ID, Name: w.Name, URL: a.webhookURL(w), Signed: w.Signed, Secret: optional(secret), CreatedAt: w.CreatedAt.UTC()}
}

func toAPIWebhookEvent(e core.ReceivedEvent) api.WebhookEvent {
	out := api.WebhookEvent{ID: e.ID, ReceivedAt: e.ReceivedAt.UTC(), Outcome: api.WebhookEventOutcomePublished,
		NotificationID: e.NotificationID, Detail: optional(e.Detail)}
	if e.NotificationID == nil {
		out.Outcome = api.WebhookEventOutcomeRefused
	}
	return out
}
