package sininhotest_test

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
	"github.com/sininho/sininho/pkg/webhook"
)

const nowhere = "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"

func TestUncoveredOperationIsRefused(t *testing.T) {
	server := sininhotest.New(t)
	client := server.Client()
	_, err := client.Channels.Followers(t.Context(), "demo/novidades", 7)
	var refused *sininho.Error
	if !errors.As(err, &refused) {
		t.Fatalf("followers: got the error %v, want a *sininho.Error", err)
	}
	if refused.Status != http.StatusNotImplemented || refused.Code != "not_implemented" {
		t.Errorf("followers: got the status %d and the code %q, want 501 and not_implemented",
			refused.Status, refused.Code)
	}
	for _, words := range []string{"GET /api/v1/channels/demo/novidades/followers", "Server.Reply", "It covers"} {
		if !strings.Contains(refused.Detail, words) {
			t.Errorf("detail of the error: got %q, want one that contains %q", refused.Detail, words)
		}
	}
	if n := len(server.Requests()); n != 1 {
		t.Errorf("requests: got %d, want 1, because a 501 is final", n)
	}
	_, github := client.Webhooks.Create(t.Context(), "demo/novidades",
		sininho.WebhookInput{Name: "CI", Sender: sininho.SenderGitHub})
	_, secret := client.Webhooks.Create(t.Context(), "demo/novidades", sininho.WebhookInput{Name: "CI", Secret: "s"})
	for what, err := range map[string]error{
		"a webhook of GitHub":            github,
		"a webhook with a chosen secret": secret,
		"a version":                      client.Notifications.Withdraw(t.Context(), "demo/novidades", nowhere, sininho.IfVersion("x")),
	} {
		if !errors.As(err, &refused) || refused.Status != http.StatusNotImplemented {
			t.Errorf("%s: got the error %v, want one with the status 501", what, err)
		}
	}
}

func TestReply(t *testing.T) {
	server := sininhotest.New(t)
	client := server.Client()
	server.Reply(http.StatusOK, sininho.Deliveries{Targeted: 3, Failed: map[string]int64{"unregistered": 2}})
	d, err := client.Notifications.Deliveries(t.Context(), "demo/novidades", nowhere)
	if err != nil {
		t.Fatalf("deliveries: %v", err)
	}
	if d.Targeted != 3 {
		t.Errorf("targeted devices: got %d, want 3", d.Targeted)
	}
	if got := d.Failed["unregistered"]; got != 2 {
		t.Errorf("unregistered devices: got %d, want 2", got)
	}
	server.Reply(http.StatusNoContent, nil)
	withdraw := func() error { return client.Notifications.Withdraw(t.Context(), "demo/novidades", nowhere) }
	if err := withdraw(); err != nil {
		t.Errorf("withdraw with a reply: %v", err)
	}
	if err := withdraw(); !errors.Is(err, sininho.ErrNotFound) {
		t.Errorf("withdraw after the replies: got the error %v, want %v", err, sininho.ErrNotFound)
	}
}

func TestKeys(t *testing.T) {
	server := sininhotest.New(t)
	publish := func(key string) error {
		notifications := server.Client(sininho.WithAPIKey(key)).Notifications
		_, err := notifications.Publish(t.Context(), "demo/novidades", sininho.PublishInput{Title: "Um"})
		return err
	}
	if err := publish(server.NewAPIKey("demo", sininho.ScopeRead)); !errors.Is(err, sininho.ErrForbidden) {
		t.Errorf("publish with the scope read: got the error %v, want %v", err, sininho.ErrForbidden)
	}
	if err := publish(server.NewAPIKey("metro", sininho.ScopePublish)); !errors.Is(err, sininho.ErrNotFound) {
		t.Errorf("publish with the key of another publisher: got the error %v, want %v", err, sininho.ErrNotFound)
	}
	key := server.NewAPIKey("demo", sininho.ScopePublish)
	if err := publish(key); err != nil {
		t.Errorf("publish: %v", err)
	}
	var ended error
	notifications := server.Client(sininho.WithAPIKey(key)).Notifications
	options := sininho.StreamOptions{OnConnect: func() { server.RevokeAPIKey(key) }}
	for _, err := range notifications.Stream(t.Context(), "demo/novidades", options) {
		ended = err
	}
	if !errors.Is(ended, sininho.ErrUnauthorized) {
		t.Errorf("stream with a revoked key: got the error %v, want %v", ended, sininho.ErrUnauthorized)
	}
	if err := publish(key); !errors.Is(err, sininho.ErrUnauthorized) {
		t.Errorf("publish with a revoked key: got the error %v, want %v", err, sininho.ErrUnauthorized)
	}
}

// TestStep publishes and hides without waiting, and tells the streams.
func TestStep(t *testing.T) {
	server := sininhotest.New(t)
	notifications := server.Client(sininho.WithAPIKey(server.Channel("metro/avisos"))).Notifications
	publish := func() {
		in := sininho.PublishInput{Title: "Greve", ScheduledAt: time.Now().Add(time.Hour), ExpiresAt: time.Now().Add(3 * time.Hour)}
		if _, err := notifications.Publish(t.Context(), "metro/avisos", in); err != nil {
			t.Errorf("publish: %v", err)
		}
		if n := server.Published("metro/avisos")[0]; !n.PublishedAt.IsZero() {
			t.Errorf("published before the step: got %v, want nothing", n.PublishedAt)
		}
		server.Step(time.Hour)
	}
	var got []sininho.EventType
	for event, err := range notifications.Stream(t.Context(), "metro/avisos", sininho.StreamOptions{OnConnect: publish}) {
		if err != nil {
			t.Fatalf("stream: %v", err)
		}
		if got = append(got, event.Type); len(got) == 2 {
			break
		}
		server.Step(2 * time.Hour)
	}
	if got[0] != sininho.EventNotification || got[1] != sininho.EventWithdrawn {
		t.Errorf("events of two steps: got %q, want a notification that is then withdrawn", got)
	}
}

func TestSetDeliveries(t *testing.T) {
	server := sininhotest.New(t)
	notifications := server.Client().Notifications
	result, err := notifications.Publish(t.Context(), "demo/novidades", sininho.PublishInput{Title: "Um"})
	if err != nil {
		t.Fatalf("publish: %v", err)
	}
	for _, want := range []int64{0, 12} {
		d, err := notifications.Deliveries(t.Context(), "demo/novidades", result.Notification.ID)
		if err != nil {
			t.Fatalf("deliveries: %v", err)
		}
		if d.Accepted != want {
			t.Errorf("accepted devices: got %d, want %d", d.Accepted, want)
		}
		server.SetDeliveries(result.Notification.ID, sininho.Deliveries{Targeted: 12, Accepted: 12, Finished: true})
	}
}

// post signs a payload and posts it to a webhook.
func post(t *testing.T, url, secret string) (status int) {
	t.Helper()
	body := []byte(`{"title": "Versão 2.4 no ar"}`)
	header, err := webhook.Sign(webhook.Message{ID: "evt_1", Timestamp: time.Now(), Body: body}, secret)
	if err != nil {
		t.Fatalf("sign: %v", err)
	}
	req, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	req.Header = header
	defer http.DefaultClient.CloseIdleConnections()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("post: %v", err)
	}
	_ = res.Body.Close()
	return res.StatusCode
}

func TestWebhook(t *testing.T) {
	server := sininhotest.New(t)
	webhooks := server.Client().Webhooks
	server.LoseResponses(1)
	lost, err := webhooks.Create(t.Context(), "demo/novidades", sininho.WebhookInput{Name: "CI"})
	if err != nil {
		t.Fatalf("create a webhook: %v", err)
	}
	if lost.Secret != "" {
		t.Errorf("secret of a webhook whose first response was lost: got %q, want none", lost.Secret)
	}
	hook, err := webhooks.RotateSecret(t.Context(), "demo/novidades", lost.ID, "")
	if err != nil {
		t.Fatalf("rotate the secret: %v", err)
	}
	next, err := webhooks.RotateSecret(t.Context(), "demo/novidades", lost.ID, "")
	if err != nil {
		t.Fatalf("rotate the secret again: %v", err)
	}
	for _, secret := range []string{hook.Secret, next.Secret} {
		if status := post(t, hook.URL, secret); status != http.StatusAccepted {
			t.Errorf("status of a signed event: got %d, want 202", status)
		}
	}
	if status := post(t, hook.URL, webhook.NewSecret()); status != http.StatusUnauthorized {
		t.Errorf("status of an event signed with another secret: got %d, want 401", status)
	}
	if got := server.Published("demo/novidades"); len(got) != 1 || got[0].Title != "Versão 2.4 no ar" {
		t.Errorf("published by the same event twice: got %+v, want it once", got)
	}
	if _, err := webhooks.RotateAddress(t.Context(), "demo/novidades", lost.ID); err != nil {
		t.Fatalf("rotate the address: %v", err)
	}
	if status := post(t, hook.URL, next.Secret); status != http.StatusNotFound {
		t.Errorf("status of an event posted to the old address: got %d, want 404", status)
	}
}
