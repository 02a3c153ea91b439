package sdktest_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

func testEventEndpoints(t *testing.T, f *fixture) {
	client := f.owner
	ctx := t.Context()
	in := sininho.EventEndpointInput{URL: "https://localhost:9/hook", Name: "Painel",
		Events: []sininho.EndpointEventType{sininho.NotificationFinished}}
	made, err := client.EventEndpoints.Create(ctx, f.slug, in, sininho.WithIdempotencyKey("k"))
	if err != nil || made.Secret == "" {
		t.Fatalf("create the event endpoint: got %+v, %v, want one with a secret", made, err)
	}
	check.Equal(t, "a new event endpoint is enabled", made.Enabled, true)
	check.Equal(t, "event types of a new event endpoint", made.Events, in.Events)
	again, err := client.EventEndpoints.Create(ctx, f.slug, in, sininho.WithIdempotencyKey("k"))
	if err != nil || again.ID != made.ID || again.Secret != "" {
		t.Errorf("replayed event endpoint: got %+v, %v, want %s without its secret", again, err, made.ID)
	}
	ofAll := sininho.EventEndpointInput{URL: "https://example.com/x", Name: "Tudo"}
	if all, err := client.EventEndpoints.Create(ctx, f.slug, ofAll); err != nil || len(all.Events) != 5 {
		t.Errorf("event endpoint of all types: got %+v, %v, want 5 types", all, err)
	}
	rotated, err := client.EventEndpoints.Rotate(ctx, f.slug, made.ID)
	if err != nil || rotated.Secret == "" || rotated.Secret == made.Secret {
		t.Errorf("rotate the event endpoint: got %+v, %v, want another secret", rotated, err)
	}
	seen, err := client.EventEndpoints.Get(ctx, f.slug, made.ID)
	if err != nil || seen.Version == "" {
		t.Fatalf("get the event endpoint: got %+v, %v", seen, err)
	}
	change := sininho.EventEndpointUpdate{Enabled: new(false), Name: new("Outro")}
	off, err := client.EventEndpoints.Update(ctx, f.slug, made.ID, change, sininho.IfVersion(seen.Version))
	if err != nil {
		t.Fatalf("disable the event endpoint: %v", err)
	}
	check.Equal(t, "a disabled event endpoint is enabled", off.Enabled, false)
	check.Equal(t, "changed name", off.Name, "Outro")
	check.Equal(t, "URL that was not changed", off.URL, in.URL)
	check.Equal(t, "event types that were not changed", off.Events, in.Events)
	var refused *sininho.Error
	if _, err := client.EventEndpoints.Test(ctx, f.slug, made.ID); !errors.As(err, &refused) ||
		refused.Code != sininho.CodeDisabled {
		t.Errorf("test a disabled event endpoint: got error %v, want code %s", err, sininho.CodeDisabled)
	}
	if err := client.EventEndpoints.Delete(ctx, f.slug, made.ID, sininho.IfVersion(seen.Version)); !errors.Is(err,
		sininho.ErrChanged) {
		t.Errorf("delete a changed event endpoint: got error %v, want %v", err, sininho.ErrChanged)
	}
	if err := client.EventEndpoints.Delete(ctx, f.slug, made.ID); err != nil {
		t.Errorf("delete the event endpoint: %v", err)
	}
	if left := collect(t, client.EventEndpoints.List(ctx, f.slug)); len(left) != 1 || left[0].Name != "Tudo" {
		t.Errorf("event endpoints after the deletion: got %+v, want Tudo alone", left)
	}
	if _, err := f.key.EventEndpoints.Create(ctx, f.slug, in); !errors.Is(err, sininho.ErrForbidden) {
		t.Errorf("create an event endpoint with a key: got error %v, want %v", err, sininho.ErrForbidden)
	}
}

// testEventEndpointConfirmation confirms an endpoint with the challenge that its receiver has logged.
func testEventEndpointConfirmation(t *testing.T, f *fixture) {
	client := f.owner.EventEndpoints
	ctx := t.Context()
	var challenge atomic.Value
	receiver := servertest.NewReceiver(t, func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		event, err := sininho.ParseEvent(body)
		if err != nil || event.Type != sininho.EndpointChallenge {
			t.Errorf("request to an unconfirmed endpoint: got %s, want a challenge", body)
			return
		}
		challenge.Store(event.Data.Challenge)
	})
	made, err := client.Create(ctx, f.slug, sininho.EventEndpointInput{URL: receiver.URL, Name: "Painel"})
	if err != nil {
		t.Fatalf("create the event endpoint: %v", err)
	}
	var refused *sininho.Error
	if _, err := client.Test(ctx, f.slug, made.ID); !errors.As(err, &refused) ||
		refused.Code != sininho.CodeUnconfirmed {
		t.Errorf("test an unconfirmed event endpoint: got error %v, want code %s", err, sininho.CodeUnconfirmed)
	}
	got, err := client.Challenge(ctx, f.slug, made.ID)
	if err != nil || got.Confirmed || got.Status != 200 || got.Error == "" {
		t.Errorf("challenge a receiver that does not sign: got %+v, %v, want it unconfirmed, with the reason", got, err)
	}
	if _, err := client.Confirm(ctx, f.slug, made.ID, "other"); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("confirm with another challenge: got error %v, want %v", err, sininho.ErrInvalid)
	}
	is, err := client.Confirm(ctx, f.slug, made.ID, challenge.Load().(string))
	if err != nil || is.ConfirmedAt.IsZero() || is.Version == "" {
		t.Errorf("confirm with the challenge: got %+v, %v, want it confirmed", is, err)
	}
}

func testEventDeliveries(t *testing.T, f *fixture) {
	client := f.owner
	ctx := t.Context()
	receiver := servertest.NewReceiver(t, nil)
	in := sininho.EventEndpointInput{URL: receiver.URL, Name: "Painel"}
	made, err := client.EventEndpoints.Create(ctx, f.slug, in)
	if err != nil {
		t.Fatalf("create the event endpoint: %v", err)
	}
	receiver.Know(made.Secret)
	if got, err := client.EventEndpoints.Challenge(ctx, f.slug, made.ID); err != nil || !got.Confirmed {
		t.Fatalf("challenge the event endpoint: got %+v, %v, want it confirmed", got, err)
	}
	sent, err := client.EventEndpoints.Test(ctx, f.slug, made.ID)
	if err != nil || sent.Type != sininho.EndpointTest || sent.Status != sininho.DeliveryPending {
		t.Fatalf("test the event endpoint: got %+v, %v", sent, err)
	}
	eventually.True(t, "the test to be delivered", func() bool {
		got, err := client.EventEndpoints.Delivery(ctx, f.slug, made.ID, sent.ID)
		return err == nil && got.Status == sininho.DeliveryDelivered
	})
	for status, want := range map[sininho.EventDeliveryStatus]int{
		"": 1, sininho.DeliveryDelivered: 1, sininho.DeliveryFailed: 0,
	} {
		got := collect(t, client.EventEndpoints.Deliveries(ctx, f.slug, made.ID, status))
		check.Equal(t, fmt.Sprintf("number of event deliveries with the status %q", status), len(got), want)
	}
	if err := lastError(client.EventEndpoints.Deliveries(ctx, f.slug, made.ID, "lost")); !errors.Is(err,
		sininho.ErrInvalid) {
		t.Errorf("list event deliveries with an unknown status: got error %v, want %v", err, sininho.ErrInvalid)
	}
	detail, err := client.EventEndpoints.Delivery(ctx, f.slug, made.ID, sent.ID)
	if err != nil || detail.Payload.Type != sininho.EndpointTest || detail.Payload.Data.Publisher != f.slug {
		t.Errorf("event delivery: got %+v, %v, want a test of %s", detail, err, f.slug)
	}
	if again, err := client.EventEndpoints.Resend(ctx, f.slug, made.ID, sent.ID); err != nil || again.ID != sent.ID {
		t.Errorf("resend the event: got %+v, %v, want %s", again, err, sent.ID)
	}
	if _, err := client.EventEndpoints.Resend(ctx, f.slug, made.ID, "x"); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("resend an event with an invalid id: got error %v, want %v", err, sininho.ErrInvalid)
	}
}
