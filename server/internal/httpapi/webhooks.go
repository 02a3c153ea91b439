package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ReceiveWebhook publishes what was posted to a webhook. Its address is a credential and is guarded as one.
func (a *server) ReceiveWebhook(ctx context.Context, in gen.ReceiveWebhookRequestObject) (gen.ReceiveWebhookResponseObject, error) {
	c := callOf(ctx)
	if err := a.limiter.mayTry(c.client, in.ID); err != nil {
		return nil, err
	}
	event := core.WebhookEvent{ID: value(in.Params.WebhookID), Body: c.body}
	id, creation, err := a.Webhooks.Receive(ctx, in.ID, event, a.verifier(c))
	if err == nil || core.IsCode(err, core.CodeNotFound) || core.IsCode(err, core.CodeUnauthenticated) {
		a.limiter.tried(c.client, in.ID, err == nil)
	}
	if err != nil {
		return nil, err
	}
	return gen.ReceiveWebhook202JSONResponse{NotificationID: id, Duplicate: creation == core.Replayed}, nil
}

// verifier checks the signature that came with the call.
func (a *server) verifier(c *call) core.WebhookVerifier {
	return func(secret string, body []byte) error {
		_, err := webhook.Verify(c.request.Header, body, []string{secret}, webhook.WithClock(a.Now))
		return err
	}
}
