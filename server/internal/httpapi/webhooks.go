package httpapi

import (
	"context"
	"net/http"

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
	if err != nil || !found.Signed() {
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
	if core.IsCode(err, core.CodeUnauthenticated) {
		a.limiter.failed(c.client) // counted, not remembered: the same sender may sign the next one well
	}
	if err != nil {
		return nil, err
	}
	a.limiter.tried(c.client, c.credential, nil)
	return gen.ReceiveWebhook202JSONResponse{NotificationID: id, Duplicate: creation == core.Replayed}, nil
}

// verifier checks the signature that came with the call.
func (a *server) verifier(c *call) core.WebhookVerifier {
	return func(secret string, body []byte) error {
		_, err := webhook.Verify(c.request.Header, body, []string{secret}, webhook.WithClock(a.Now))
		return err
	}
}
