package sdktest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/lab/check"
)

func testWebhooks(t *testing.T, f *fixture) {
	client := f.key
	ctx := t.Context()
	signed, err := client.Webhooks.Create(ctx, f.channel, sininho.WebhookInput{Name: "CI"})
	if err != nil || signed.Secret == "" {
		t.Fatalf("create the webhook: got %+v, %v, want one with a secret", signed, err)
	}
	check.Equal(t, "a new webhook is signed", signed.Signed, true)
	check.Equal(t, "sender of a new webhook", signed.Sender, sininho.SenderPlain)
	check.Equal(t, "signing of a new webhook", signed.Signing, sininho.SigningStandard)
	unsigned, err := client.Webhooks.Create(ctx, f.channel,
		sininho.WebhookInput{Name: "Formulário", Signing: sininho.SigningNone})
	if err != nil || unsigned.Secret != "" || unsigned.Signed {
		t.Errorf("create an unsigned webhook: got %+v, %v, want no secret", unsigned, err)
	}
	in := sininho.WebhookInput{Name: "Stripe", Sender: sininho.SenderStripe, Secret: "whsec_of-stripe"}
	stripe, err := client.Webhooks.Create(ctx, f.channel, in)
	if err != nil || stripe.Secret != "" || stripe.Signing != sininho.SigningStripe {
		t.Errorf("create a webhook with its sender's secret: got %+v, %v, want Stripe's signing and no secret", stripe,
			err)
	}
	rotated, err := client.Webhooks.RotateSecret(ctx, f.channel, signed.ID, "")
	if err != nil || rotated.Secret == "" || rotated.Secret == signed.Secret {
		t.Fatalf("rotate the secret: got %+v, %v, want another secret", rotated, err)
	}
	check.Equal(t, "URL after the secret was rotated", rotated.URL, signed.URL)
	if given, err := client.Webhooks.RotateSecret(ctx, f.channel, stripe.ID, "whsec_the-next"); err != nil ||
		given.Secret != "" {
		t.Errorf("rotate to a secret of the sender: got %+v, %v, want none in the result", given, err)
	}
	moved, err := client.Webhooks.RotateAddress(ctx, f.channel, signed.ID)
	if err != nil || moved.Secret != "" || moved.URL == signed.URL {
		t.Errorf("rotate the address: got %+v, %v, want another URL and no secret", moved, err)
	}
	if _, err := client.Webhooks.RotateSecret(ctx, f.channel, unsigned.ID, ""); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("rotate the secret of an unsigned webhook: got error %v, want %v", err, sininho.ErrInvalid)
	}
	if err := client.Webhooks.Delete(ctx, f.channel, signed.ID, sininho.IfVersion(`"old"`)); !errors.Is(err,
		sininho.ErrChanged) {
		t.Errorf("delete a changed webhook: got error %v, want %v", err, sininho.ErrChanged)
	}
	if err := client.Webhooks.Delete(ctx, f.channel, signed.ID); err != nil {
		t.Errorf("delete the webhook: %v", err)
	}
	if left := collect(t, client.Webhooks.List(ctx, f.channel)); len(left) != 2 {
		t.Errorf("webhooks after the deletion: got %+v, want 2", left)
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
	change := sininho.WebhookUpdate{Sender: &github}
	changed, err := client.Webhooks.Update(ctx, f.channel, made.ID, change, sininho.IfVersion(hook.Version))
	if err != nil {
		t.Fatalf("change the sender: %v", err)
	}
	check.Equal(t, "changed sender", changed.Sender, github)
	check.Equal(t, "name that was not changed", changed.Name, "CI")
	check.Equal(t, "template that was not changed", changed.Template, &template)
	late := sininho.WebhookUpdate{Name: new("x")}
	_, err = client.Webhooks.Update(ctx, f.channel, made.ID, late, sininho.IfVersion(hook.Version))
	if !errors.Is(err, sininho.ErrChanged) {
		t.Errorf("update an old version: got error %v, want %v", err, sininho.ErrChanged)
	}
	changed, err = client.Webhooks.Update(ctx, f.channel, made.ID,
		sininho.WebhookUpdate{Template: &sininho.WebhookTemplate{}})
	if err != nil || changed.Template != nil {
		t.Errorf("remove the template: got %+v, %v, want none", changed, err)
	}
	requests := f.recorded()
	if last := requests[len(requests)-1]; !strings.HasSuffix(last, ` {"template":null}`) {
		t.Errorf("request of the removal: got %s, want the body {\"template\":null}", last)
	}
	invalid := sininho.WebhookUpdate{Template: &sininho.WebhookTemplate{Title: "\xff"}}
	if _, err := client.Webhooks.Update(ctx, f.channel, made.ID, invalid); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("template that is not UTF-8: got error %v, want %v", err, sininho.ErrInvalid)
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
		t.Fatalf("request %s %s: %v", req.Method, req.URL, err)
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
		t.Fatalf("post a title: got status %d, want %d", status, http.StatusAccepted)
	}
	if status := post(t, hook, "evt_b", `{"sem":"título"}`); status != http.StatusUnprocessableEntity {
		t.Fatalf("post no title: got status %d, want %d", status, http.StatusUnprocessableEntity)
	}
	events := collect(t, client.Webhooks.Events(ctx, f.channel, hook.ID))
	check.Equal(t, "number of webhook events", len(events), 2)
	check.Equal(t, "number of published notifications", len(f.published()), 1)
	event, err := client.Webhooks.Event(ctx, f.channel, hook.ID, "evt_a")
	if err != nil || event.NotificationID == "" {
		t.Fatalf("get the webhook event: got %+v, %v, want one with a notification", event, err)
	}
	check.Equal(t, "outcome of the webhook event", event.Outcome, sininho.WebhookPublished)
	if !bytes.Contains(event.Payload, []byte(`"title":"Um"`)) {
		t.Errorf("payload of the webhook event: got %s, want the title Um", event.Payload)
	}
	again, err := client.Webhooks.Replay(ctx, f.channel, hook.ID, "evt_a")
	if err != nil || again.NotificationID != event.NotificationID || len(f.published()) != 1 {
		t.Errorf("replay a published event: got %+v, %v, want the same notification", again, err)
	}
	refused, err := client.Webhooks.Replay(ctx, f.channel, hook.ID, "evt_b")
	if err != nil || refused.Outcome != sininho.WebhookRefused || refused.Detail == "" {
		t.Errorf("replay a refused event: got %+v, %v, want it refused with a detail", refused, err)
	}
	if _, err := client.Webhooks.Event(ctx, f.channel, hook.ID, "nada"); !errors.Is(err, sininho.ErrNotFound) {
		t.Errorf("get an unknown webhook event: got error %v, want %v", err, sininho.ErrNotFound)
	}
	for _, id := range []string{"", "..", "."} {
		if _, err := client.Webhooks.Event(ctx, f.channel, hook.ID, id); !errors.Is(err, sininho.ErrInvalid) {
			t.Errorf("event with the id %q: got error %v, want %v", id, err, sininho.ErrInvalid)
		}
	}
}

func testWebhookPreview(t *testing.T, f *fixture) {
	client := f.key
	ctx := t.Context()
	in := sininho.WebhookPreviewInput{Payload: json.RawMessage(`{"title":"Um","id":12345678901234567890}`)}
	preview, err := client.Webhooks.Preview(ctx, f.channel, in)
	if err != nil || preview.Outcome != sininho.WebhookPublished {
		t.Fatalf("preview: got %+v, %v, want it published", preview, err)
	}
	check.Equal(t, "title of the preview", preview.Notification.Title, "Um")
	check.Equal(t, "importance of the preview", preview.Notification.Importance, sininho.Normal)
	if sent := f.recorded()[0]; !strings.Contains(sent, "12345678901234567890") {
		t.Errorf("request of a preview: got %s, want the number 12345678901234567890", sent)
	}
	if len(f.published()) != 0 {
		t.Error("a preview was published")
	}
	for _, bad := range []string{"", "[]", "null", `{"a":1} x`, "{"} {
		in := sininho.WebhookPreviewInput{Payload: json.RawMessage(bad)}
		if _, err := client.Webhooks.Preview(ctx, f.channel, in); !errors.Is(err, sininho.ErrInvalid) {
			t.Errorf("preview of the payload %q: got error %v, want %v", bad, err, sininho.ErrInvalid)
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
		numbers, err := client.Channels.Deliveries(ctx, f.channel,
			sininho.DeliveriesOptions{Until: time.Now().Add(time.Minute)})
		return err == nil && numbers.Total.Notifications == 2
	})
	now := time.Now()
	options := sininho.DeliveriesOptions{
		From: now.Add(-48 * time.Hour), Until: now.Add(time.Minute), Interval: sininho.Hourly,
	}
	numbers, err := client.Channels.Deliveries(ctx, f.channel, options)
	if err != nil || len(numbers.Data) == 0 {
		t.Fatalf("deliveries by hour: got %+v, %v, want some", numbers, err)
	}
	check.Equal(t, "interval of the deliveries", numbers.Interval, sininho.Hourly)
	check.Equal(t, "number of notifications", numbers.Total.Notifications, 2)
	check.Equal(t, "audience of a channel that nobody follows", numbers.Audience, sininho.ChannelAudience{})
	if numbers.Data[0].Counts.Notifications == 0 {
		t.Error("the first hour of the deliveries has no notifications")
	}
	numbers, err = client.Channels.Deliveries(ctx, f.channel, sininho.DeliveriesOptions{})
	if err != nil || numbers.Interval != sininho.Daily {
		t.Errorf("deliveries by default: got %+v, %v, want them by day", numbers, err)
	}
	if _, err := client.Channels.Deliveries(ctx, f.channel,
		sininho.DeliveriesOptions{Interval: "week"}); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("deliveries by weeks: got error %v, want %v", err, sininho.ErrInvalid)
	}
}
