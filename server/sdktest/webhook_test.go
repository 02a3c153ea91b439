package sdktest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/eventually"
)

func testWebhooks(t *testing.T, f *fixture) {
	client := f.key
	ctx := t.Context()
	signed, err := client.Webhooks.Create(ctx, f.channel, sininho.WebhookInput{Name: "CI"})
	if err != nil || signed.Secret == "" || !signed.Signed || signed.Sender != sininho.SenderPlain || signed.Signing != sininho.SigningStandard {
		t.Fatalf("create the webhook: got %+v, %v", signed, err)
	}
	unsigned, err := client.Webhooks.Create(ctx, f.channel, sininho.WebhookInput{Name: "Formulário", Signing: sininho.SigningNone})
	if err != nil || unsigned.Secret != "" || unsigned.Signed {
		t.Errorf("unsigned %+v, %v", unsigned, err)
	}
	stripe, err := client.Webhooks.Create(ctx, f.channel, sininho.WebhookInput{Name: "Stripe", Sender: sininho.SenderStripe, Secret: "whsec_of-stripe"})
	if err != nil || stripe.Secret != "" || stripe.Signing != sininho.SigningStripe {
		t.Errorf("stripe %+v, %v", stripe, err)
	}
	rotated, err := client.Webhooks.RotateSecret(ctx, f.channel, signed.ID, "")
	if err != nil || rotated.Secret == "" || rotated.Secret == signed.Secret || rotated.URL != signed.URL {
		t.Errorf("secret: %+v, %v", rotated, err)
	}
	if given, err := client.Webhooks.RotateSecret(ctx, f.channel, stripe.ID, "whsec_the-next"); err != nil || given.Secret != "" {
		t.Errorf("a given secret: %+v, %v", given, err)
	}
	moved, err := client.Webhooks.RotateAddress(ctx, f.channel, signed.ID)
	if err != nil || moved.Secret != "" || moved.URL == signed.URL {
		t.Errorf("address: %+v, %v", moved, err)
	}
	if _, err := client.Webhooks.RotateSecret(ctx, f.channel, unsigned.ID, ""); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("a secret of an unsigned one: %v", err)
	}
	if err := client.Webhooks.Delete(ctx, f.channel, signed.ID, sininho.IfVersion(`"old"`)); !errors.Is(err, sininho.ErrChanged) {
		t.Errorf("deleted what was changed: %v", err)
	}
	if err := client.Webhooks.Delete(ctx, f.channel, signed.ID); err != nil {
		t.Errorf("delete the webhook: %v", err)
	}
	if left := collect(t, client.Webhooks.List(ctx, f.channel)); len(left) != 2 {
		t.Errorf("left %+v", left)
	}
}

func testWebhookUpdate(t *testing.T, f *fixture) {
	client := f.key
	ctx := t.Context()
	template := sininho.WebhookTemplate{Title: "{{ payload.title }}", Skip: "nunca"}
	made, err := client.Webhooks.Create(ctx, f.channel, sininho.WebhookInput{Name: "CI", Template: &template})
	if err != nil {
		t.Fatalf("create the webhook: %v", err)
	}
	hook, err := client.Webhooks.Get(ctx, f.channel, made.ID)
	if err != nil || hook.Template == nil || *hook.Template != template {
		t.Fatalf("get the webhook: got %+v, %v", hook, err)
	}
	github := sininho.SenderGitHub
	changed, err := client.Webhooks.Update(ctx, f.channel, made.ID, sininho.WebhookUpdate{Sender: &github}, sininho.IfVersion(hook.Version))
	if err != nil || changed.Sender != github || changed.Name != "CI" || changed.Template == nil {
		t.Errorf("sender: %+v, %v", changed, err)
	}
	if _, err := client.Webhooks.Update(ctx, f.channel, made.ID, sininho.WebhookUpdate{Name: new("x")}, sininho.IfVersion(hook.Version)); !errors.Is(err, sininho.ErrChanged) {
		t.Errorf("an old version: %v", err)
	}
	changed, err = client.Webhooks.Update(ctx, f.channel, made.ID, sininho.WebhookUpdate{Template: &sininho.WebhookTemplate{}})
	if err != nil || changed.Template != nil {
		t.Errorf("back to the sender's: %+v, %v", changed, err)
	}
	requests := f.recorded()
	if last := requests[len(requests)-1]; !strings.HasSuffix(last, ` {"template":null}`) {
		t.Errorf("sent %s, want the body {\"template\":null}", last)
	}
	if _, err := client.Webhooks.Update(ctx, f.channel, made.ID, sininho.WebhookUpdate{Template: &sininho.WebhookTemplate{Title: "\xff"}}); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("not UTF-8: %v", err)
	}
}

// post sends a signed webhook event.
func post(t *testing.T, hook *sininho.WebhookSecret, id, body string) int {
	t.Helper()
	header, err := webhook.Sign(webhook.Message{ID: id, Timestamp: time.Now(), Body: []byte(body)}, hook.Secret)
	if err != nil {
		t.Fatalf("sign: %v", err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, hook.URL, bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	header.Set("Content-Type", "application/json")
	req.Header = header
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", req.Method, req.URL, err)
	}
	res.Body.Close()
	return res.StatusCode
}

func testWebhookEvents(t *testing.T, f *fixture) {
	client := f.key
	ctx := t.Context()
	hook, err := client.Webhooks.Create(ctx, f.channel, sininho.WebhookInput{Name: "CI"})
	if err != nil {
		t.Fatalf("create the webhook: %v", err)
	}
	if status := post(t, hook, "evt_a", `{"title":"Um","outra":12345678901234567890}`); status != http.StatusAccepted {
		t.Fatalf("post a title: status %d, want %d", status, http.StatusAccepted)
	}
	if status := post(t, hook, "evt_b", `{"sem":"título"}`); status != http.StatusUnprocessableEntity {
		t.Fatalf("post no title: status %d, want %d", status, http.StatusUnprocessableEntity)
	}
	events := collect(t, client.Webhooks.Events(ctx, f.channel, hook.ID))
	if len(events) != 2 || len(f.published()) != 1 {
		t.Fatalf("%+v", events)
	}
	event, err := client.Webhooks.Event(ctx, f.channel, hook.ID, "evt_a")
	if err != nil || event.Outcome != sininho.WebhookPublished || event.NotificationID == "" || !bytes.Contains(event.Payload, []byte(`"title":"Um"`)) {
		t.Errorf("event %+v, %v", event, err)
	}
	again, err := client.Webhooks.Replay(ctx, f.channel, hook.ID, "evt_a")
	if err != nil || again.NotificationID != event.NotificationID || len(f.published()) != 1 {
		t.Errorf("replayed %+v, %v", again, err)
	}
	if refused, err := client.Webhooks.Replay(ctx, f.channel, hook.ID, "evt_b"); err != nil || refused.Outcome != sininho.WebhookRefused || refused.Detail == "" {
		t.Errorf("refused %+v, %v", refused, err)
	}
	if _, err := client.Webhooks.Event(ctx, f.channel, hook.ID, "nada"); !errors.Is(err, sininho.ErrNotFound) {
		t.Errorf("none: %v", err)
	}
	for _, id := range []string{"", "..", "."} {
		if _, err := client.Webhooks.Event(ctx, f.channel, hook.ID, id); !errors.Is(err, sininho.ErrInvalid) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func testWebhookPreview(t *testing.T, f *fixture) {
	client := f.key
	ctx := t.Context()
	preview, err := client.Webhooks.Preview(ctx, f.channel, sininho.WebhookPreviewInput{Payload: json.RawMessage(`{"title":"Um","id":12345678901234567890}`)})
	if err != nil || preview.Outcome != sininho.WebhookPublished || preview.Notification.Title != "Um" || preview.Notification.Importance != sininho.Normal {
		t.Errorf("preview %+v, %v", preview, err)
	}
	if sent := f.recorded()[0]; !strings.Contains(sent, "12345678901234567890") {
		t.Errorf("a number became another: %s", sent)
	}
	if len(f.published()) != 0 {
		t.Error("a preview was published")
	}
	for _, bad := range []string{"", "[]", "null", `{"a":1} x`, "{"} {
		if _, err := client.Webhooks.Preview(ctx, f.channel, sininho.WebhookPreviewInput{Payload: json.RawMessage(bad)}); !errors.Is(err, sininho.ErrInvalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func testChannelDeliveries(t *testing.T, f *fixture) {
	client := f.key
	ctx := t.Context()
	for range 2 {
		if _, err := client.Notifications.Publish(ctx, f.channel, sininho.PublishInput{Title: "Um"}); err != nil {
			t.Fatalf("publish: %v", err)
		}
	}
	eventually.True(t, "two notifications in the numbers", func() bool {
		numbers, err := client.Channels.Deliveries(ctx, f.channel, sininho.DeliveriesOptions{Until: time.Now().Add(time.Minute)})
		return err == nil && numbers.Total.Notifications == 2
	})
	now := time.Now()
	numbers, err := client.Channels.Deliveries(ctx, f.channel, sininho.DeliveriesOptions{From: now.Add(-48 * time.Hour), Until: now.Add(time.Minute), Interval: sininho.Hourly})
	if err != nil || numbers.Interval != sininho.Hourly || numbers.Total.Notifications != 2 || len(numbers.Data) == 0 || numbers.Data[0].Counts.Notifications == 0 {
		t.Errorf("%+v, %v", numbers, err)
	}
	if numbers, err = client.Channels.Deliveries(ctx, f.channel, sininho.DeliveriesOptions{}); err != nil || numbers.Interval != sininho.Daily {
		t.Errorf("%+v, %v", numbers, err)
	}
	if _, err := client.Channels.Deliveries(ctx, f.channel, sininho.DeliveriesOptions{Interval: "week"}); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("by weeks: %v", err)
	}
}
