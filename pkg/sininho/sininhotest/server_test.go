package sininhotest_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

const nowhere = "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"

func TestUncoveredOperationIsRefused(t *testing.T) {
	server := sininhotest.New(t)
	_, err := server.Client().Notifications.Deliveries(t.Context(), "demo/novidades", nowhere)
	var refused *sininho.Error
	if !errors.As(err, &refused) {
		t.Fatalf("deliveries: got the error %v, want a *sininho.Error", err)
	}
	if refused.Status != http.StatusNotImplemented || refused.Code != "not_implemented" {
		t.Errorf("deliveries: got the status %d and the code %q, want 501 and not_implemented",
			refused.Status, refused.Code)
	}
	request := "GET /api/v1/channels/demo/novidades/notifications/" + nowhere + "/deliveries"
	for _, words := range []string{request, "Server.Reply", "It covers"} {
		if !strings.Contains(refused.Detail, words) {
			t.Errorf("detail of the error: got %q, want one that contains %q", refused.Detail, words)
		}
	}
	if n := len(server.Requests()); n != 1 {
		t.Errorf("requests: got %d, want 1, because a 501 is final", n)
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
