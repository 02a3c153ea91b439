package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListWebhooks lists a channel's webhooks.
func (a *server) ListWebhooks(
	ctx context.Context, in gen.ListWebhooksRequestObject,
) (gen.ListWebhooksResponseObject, error) {
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
		Headers: gen.ListWebhooks200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// CreateWebhook creates a webhook.
func (a *server) CreateWebhook(
	ctx context.Context, in gen.CreateWebhookRequestObject,
) (gen.CreateWebhookResponseObject, error) {
	key := idempotency(ctx, in.Params.IdempotencyKey)
	made, secret, creation, err := a.Webhooks.Create(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug,
		fromAPIWebhookInput(*in.Body), key)
	if err != nil {
		return nil, err
	}
	location := prefix + "/channels/" + made.Channel.Address() + "/webhooks/" + made.ID.String()
	return gen.CreateWebhook201JSONResponse{
		Body: a.toAPIWebhookSecret(made, secret),
		Headers: gen.CreateWebhook201ResponseHeaders{
			Location: &location, ETag: etag(made.Version()), IdempotencyReplayed: replayed(creation),
		},
	}, nil
}

// GetWebhook returns a webhook.
func (a *server) GetWebhook(ctx context.Context, in gen.GetWebhookRequestObject) (gen.GetWebhookResponseObject, error) {
	found, err := a.Webhooks.Get(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetWebhook200JSONResponse{
		Body: a.toAPIWebhook(found), Headers: gen.GetWebhook200ResponseHeaders{ETag: etag(found.Version())},
	}, nil
}

// UpdateWebhook updates a webhook.
func (a *server) UpdateWebhook(
	ctx context.Context, in gen.UpdateWebhookRequestObject,
) (gen.UpdateWebhookResponseObject, error) {
	version, err := parseIfMatch(in.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	changed, err := a.Webhooks.Update(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID,
		fromAPIWebhookPatch(*in.Body), version)
	if err != nil {
		return nil, err
	}
	return gen.UpdateWebhook200JSONResponse{
		Body: a.toAPIWebhook(changed), Headers: gen.UpdateWebhook200ResponseHeaders{ETag: etag(changed.Version())},
	}, nil
}

// RotateWebhook replaces a webhook's secret or address.
func (a *server) RotateWebhook(
	ctx context.Context, in gen.RotateWebhookRequestObject,
) (gen.RotateWebhookResponseObject, error) {
	key := idempotency(ctx, in.Params.IdempotencyKey)
	rotation := fromAPIWebhookRotation(*in.Body)
	rotated, secret, creation, err := a.Webhooks.Rotate(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug,
		in.ID, rotation, key)
	if err != nil {
		return nil, err
	}
	return gen.RotateWebhook200JSONResponse{
		Body: a.toAPIWebhookSecret(rotated, secret),
		Headers: gen.RotateWebhook200ResponseHeaders{
			ETag: etag(rotated.Version()), IdempotencyReplayed: replayed(creation),
		},
	}, nil
}

// DeleteWebhook deletes a webhook.
func (a *server) DeleteWebhook(
	ctx context.Context, in gen.DeleteWebhookRequestObject,
) (gen.DeleteWebhookResponseObject, error) {
	version, err := parseIfMatch(in.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	if err := a.Webhooks.Delete(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID, version); err != nil {
		return nil, err
	}
	return gen.DeleteWebhook204Response{}, nil
}

func fromAPIWebhookInput(in api.WebhookInput) core.WebhookInput {
	return core.WebhookInput{
		Name: in.Name, Signed: in.Signed, Signing: core.WebhookSigning(value(in.Signing)), Secret: value(in.Secret),
		Sender: core.WebhookSender(value(in.Sender)), Template: fromAPIWebhookTemplate(in.Template),
	}
}

func fromAPIWebhookRotation(in api.WebhookRotation) core.WebhookRotation {
	return core.WebhookRotation{What: core.Rotation(in.What), Secret: value(in.Secret)}
}

func fromAPIWebhookPatch(in api.WebhookPatch) core.WebhookPatch {
	template := fromAPIPatch(in.Template)
	return core.WebhookPatch{Name: in.Name, Sender: (*core.WebhookSender)(in.Sender),
		Template: core.Patch[core.WebhookTemplate]{Set: template.Set, Value: fromAPIWebhookTemplate(template.Value)}}
}

func fromAPIWebhookTemplate(t *api.WebhookTemplate) *core.WebhookTemplate {
	if t == nil {
		return nil
	}
	return &core.WebhookTemplate{
		Title: t.Title, Body: value(t.Body), Link: value(t.Link), Image: value(t.Image), Icon: value(t.Icon),
		Importance: value(t.Importance), ExternalID: value(t.ExternalID), Skip: value(t.Skip),
	}
}

// webhookURL returns the URL that events are posted to.
func (a *server) webhookURL(w core.Webhook) string {
	return a.PublicURL.JoinPath(prefix, "webhooks/channels", w.Address).String()
}

func (a *server) toAPIWebhook(w core.Webhook) api.Webhook {
	return api.Webhook{
		ID: w.ID, Name: w.Name, URL: a.webhookURL(w), Signed: w.Signed(), Signing: api.WebhookSigning(w.Signing),
		Sender: api.WebhookSender(w.Sender), Template: toAPIWebhookTemplate(w.Template),
		LastEventAt: utc(w.LastEventAt), AddressReplacedAt: utc(w.AddressReplacedAt),
		SecretReplacedAt: utc(w.SecretReplacedAt), CreatedAt: w.CreatedAt.UTC(),
	}
}

func (a *server) toAPIWebhookSecret(w core.Webhook, secret string) api.WebhookSecret {
	return api.WebhookSecret{
		ID: w.ID, Name: w.Name, URL: a.webhookURL(w), Signed: w.Signed(), Signing: api.WebhookSigning(w.Signing),
		Sender: api.WebhookSender(w.Sender), Secret: optional(secret), CreatedAt: w.CreatedAt.UTC(),
	}
}

func toAPIWebhookTemplate(t *core.WebhookTemplate) *api.WebhookTemplate {
	if t == nil {
		return nil
	}
	return &api.WebhookTemplate{
		Title: t.Title, Body: optional(t.Body), Link: optional(t.Link), Image: optional(t.Image),
		Icon: optional(t.Icon), Importance: optional(t.Importance), ExternalID: optional(t.ExternalID),
		Skip: optional(t.Skip),
	}
}
