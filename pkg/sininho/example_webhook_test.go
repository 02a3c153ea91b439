//go:build go1.26

package sininho_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/webhook"
)

func ExampleWebhooksService_Preview() {
	client, stop := exampleReplies(sininho.WebhookPreview{
		Outcome: sininho.WebhookPublished, Notification: &sininho.RenderedNotification{Title: "Versão 2.4 no ar"},
	})
	defer stop()

	preview, err := client.Webhooks.Preview(context.Background(), "demo/novidades", sininho.WebhookPreviewInput{
		Sender:  sininho.SenderPlain,
		Payload: json.RawMessage(`{"title": "Versão 2.4 no ar", "ambiente": "produção"}`),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(preview.Outcome, preview.Notification.Title)
	// Output: published Versão 2.4 no ar
}

// Lists the events that a webhook received, with their outcomes.
func ExampleWebhooksService_Events() {
	client, stop := exampleReplies(exampleList(
		sininho.WebhookEvent{ID: "evt_2", Outcome: sininho.WebhookRefused, Detail: "#/title is missing"},
		sininho.WebhookEvent{ID: "evt_1", Outcome: sininho.WebhookPublished},
	))
	defer stop()

	for event, err := range client.Webhooks.Events(context.Background(), "demo/novidades", exampleID) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(event.ID, event.Outcome, event.Detail)
	}
	// Output:
	// evt_2 refused #/title is missing
	// evt_1 published
}

// send signs and posts a payload, as a sender does.
func send(url, secret, id, body string) {
	header, err := webhook.Sign(webhook.Message{ID: id, Timestamp: time.Now(), Body: []byte(body)}, secret)
	if err != nil {
		panic(err)
	}
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	req.Header = header
	req.Header.Set("Content-Type", "application/json")
	defer http.DefaultClient.CloseIdleConnections()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		panic(err)
	}
	_ = res.Body.Close()
}

func ExampleChannelsService_Deliveries() {
	client, stop := exampleReplies(sininho.ChannelDeliveries{
		Interval: sininho.Daily, Total: sininho.DeliveryCounts{Notifications: 3},
	})
	defer stop()
	ctx := context.Background()

	lastWeek := sininho.DeliveriesOptions{From: time.Now().AddDate(0, 0, -7), Until: time.Now().Add(time.Minute)}
	numbers, err := client.Channels.Deliveries(ctx, "demo/novidades", lastWeek)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(numbers.Interval, numbers.Total.Notifications, numbers.Total.Failed)
	// Output: day 3 map[]
}

func ExampleEventEndpointsService_Create() {
	client, stop := exampleReplies(
		sininho.EventEndpointSecret{ID: exampleID, Name: "Painel", Enabled: true, Secret: "whsec_MfKQ9r8GKYqrTwjU"},
		sininho.EventChallenge{Confirmed: true},
		sininho.EventDelivery{Type: sininho.EndpointTest, Status: sininho.DeliveryPending},
	)
	defer stop()
	ctx := context.Background()

	endpoint, err := client.EventEndpoints.Create(ctx, "demo", sininho.EventEndpointInput{
		URL: "https://example.com/hooks/sininho", Name: "Painel",
		Events: []sininho.EndpointEventType{sininho.NotificationFinished, sininho.NotificationFailed},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(endpoint.Name, endpoint.Enabled, strings.HasPrefix(endpoint.Secret, "whsec_"))

	// Once the receiver has the secret:
	challenge, err := client.EventEndpoints.Challenge(ctx, "demo", endpoint.ID)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(challenge.Confirmed)

	delivery, err := client.EventEndpoints.Test(ctx, "demo", endpoint.ID)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(delivery.Type, delivery.Status)
	// Output:
	// Painel true true
	// true
	// test pending
}

// The handler of an event endpoint verifies the raw body before it parses it. The id is the same
// each time the event is sent.
func ExampleParseEvent() {
	secret := webhook.NewSecret() // in a real program, the secret from EventEndpoints.Create
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, "too large", http.StatusRequestEntityTooLarge)
			return
		}
		message, err := webhook.Verify(r.Header, body, []string{secret})
		if err != nil {
			http.Error(w, "not signed", http.StatusUnauthorized)
			return
		}
		event, err := sininho.ParseEvent(body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		switch event.Type {
		case sininho.EndpointChallenge: // confirms the endpoint, which gets no events before
			response, err := webhook.SignChallenge(message, event.Data.Challenge, secret)
			if err != nil {
				http.Error(w, "no challenge", http.StatusBadRequest)
				return
			}
			fmt.Fprint(w, response)
			return
		case sininho.NotificationFailed:
			fmt.Println(message.ID, event.Data.Channel, event.Data.Failed)
		default: // later versions may add types
		}
		w.WriteHeader(http.StatusNoContent)
	})

	server := httptest.NewServer(handler)
	defer server.Close()
	send(server.URL, secret, "evt_1", `{"type": "notification.failed", "timestamp": "2026-03-01T12:00:00Z",
		"data": {"publisher": "metro", "channel": "metro/linha-azul", "failed": {"unregistered": 2}}}`)
	// Output: evt_1 metro/linha-azul map[unregistered:2]
}
