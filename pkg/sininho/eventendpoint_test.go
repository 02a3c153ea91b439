package sininho_test

import (
	"errors"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
)

func TestEventEndpoints(t *testing.T) {
	server, client := asAna(t)
	ctx := t.Context()
	in := sininho.EventEndpointInput{URL: "https://example.com/hook", Name: "Painel", Events: []sininho.EndpointEventType{sininho.NotificationFinished}}
	made, err := client.EventEndpoints.Create(ctx, "demo", in, sininho.WithIdempotencyKey("k"))
	if err != nil || made.Secret == "" || !made.Enabled || len(made.Events) != 1 {
		t.Fatal(made, err)
	}
	if again, err := client.EventEndpoints.Create(ctx, "demo", in, sininho.WithIdempotencyKey("k")); err != nil || again.ID != made.ID || again.Secret != "" {
		t.Errorf("again %+v, %v", again, err)
	}
	if all, err := client.EventEndpoints.Create(ctx, "demo", sininho.EventEndpointInput{URL: "https://example.com/x", Name: "Tudo"}); err != nil || len(all.Events) != 5 {
		t.Errorf("all events: %+v, %v", all, err)
	}
	if rotated, err := client.EventEndpoints.Rotate(ctx, "demo", made.ID); err != nil || rotated.Secret == "" || rotated.Secret == made.Secret {
		t.Errorf("rotated %+v, %v", rotated, err)
	}
	seen, err := client.EventEndpoints.Get(ctx, "demo", made.ID)
	if err != nil || seen.Version == "" {
		t.Fatal(seen, err)
	}
	off, err := client.EventEndpoints.Update(ctx, "demo", made.ID, sininho.EventEndpointUpdate{Enabled: new(false), Name: new("Outro")}, sininho.IfVersion(seen.Version))
	if err != nil || off.Enabled || off.Name != "Outro" || off.URL != in.URL || len(off.Events) != 1 {
		t.Errorf("off %+v, %v", off, err)
	}
	var refused *sininho.Error
	if _, err := client.EventEndpoints.Test(ctx, "demo", made.ID); !errors.As(err, &refused) || refused.Code != sininho.CodeDisabled {
		t.Errorf("tested one that is off: %v", err)
	}
	if err := client.EventEndpoints.Delete(ctx, "demo", made.ID, sininho.IfVersion(seen.Version)); !errors.Is(err, sininho.ErrChanged) {
		t.Errorf("deleted what was changed: %v", err)
	}
	if err := client.EventEndpoints.Delete(ctx, "demo", made.ID); err != nil {
		t.Error(err)
	}
	if left := collect(t, client.EventEndpoints.List(ctx, "demo")); len(left) != 1 || left[0].Name != "Tudo" {
		t.Errorf("left %+v", left)
	}
	if _, err := server.Client().EventEndpoints.Create(ctx, "demo", in); !errors.Is(err, sininho.ErrUnauthorized) {
		t.Errorf("a key made one: %v", err)
	}
}

func TestEventDeliveries(t *testing.T) {
	_, client := asAna(t)
	ctx := t.Context()
	made, err := client.EventEndpoints.Create(ctx, "demo", sininho.EventEndpointInput{URL: "https://example.com/hook", Name: "Painel"})
	if err != nil {
		t.Fatal(err)
	}
	sent, err := client.EventEndpoints.Test(ctx, "demo", made.ID)
	if err != nil || sent.Type != sininho.EndpointTest || sent.Status != sininho.DeliveryPending {
		t.Fatal(sent, err)
	}
	for status, want := range map[sininho.EventDeliveryStatus]int{"": 1, sininho.DeliveryPending: 1, sininho.DeliveryFailed: 0} {
		if got := collect(t, client.EventEndpoints.Deliveries(ctx, "demo", made.ID, status)); len(got) != want {
			t.Errorf("%q: %+v", status, got)
		}
	}
	if err := lastError(client.EventEndpoints.Deliveries(ctx, "demo", made.ID, "lost")); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("no such status: %v", err)
	}
	detail, err := client.EventEndpoints.Delivery(ctx, "demo", made.ID, sent.ID)
	if err != nil || detail.Payload.Type != sininho.EndpointTest || detail.Payload.Data.Publisher != "demo" {
		t.Errorf("detail %+v, %v", detail, err)
	}
	if again, err := client.EventEndpoints.Resend(ctx, "demo", made.ID, sent.ID); err != nil || again.ID != sent.ID {
		t.Errorf("again %+v, %v", again, err)
	}
	if _, err := client.EventEndpoints.Resend(ctx, "demo", made.ID, "x"); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("no id: %v", err)
	}
}

func TestParseEvent(t *testing.T) {
	event, err := sininho.ParseEvent([]byte(`{"type":"notification.finished","timestamp":"2026-03-01T12:00:00Z","data":{"publisher":"metro",
		"channel":"metro/linha-azul","notificationId":"0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f","deliveries":{"targeted":3,"pending":0,
		"suppressed":{},"accepted":2,"failed":{"unregistered":1},"expired":{},"displayed":1,"opened":0,"finished":true},"novo":1}}`))
	if err != nil || event.Type != sininho.NotificationFinished || event.Data.Deliveries.Failed["unregistered"] != 1 || event.Timestamp.IsZero() {
		t.Errorf("%+v, %v", event, err)
	}
	if event, err := sininho.ParseEvent([]byte(`{"type":"later","timestamp":"2026-03-01T12:00:00Z","data":{}}`)); err != nil || event.Type != "later" {
		t.Errorf("a later type: %+v, %v", event, err)
	}
	for _, bad := range []string{"", "{}", "[]", `{"type":"test"}`, `{"timestamp":"2026-03-01T12:00:00Z"}`} {
		if _, err := sininho.ParseEvent([]byte(bad)); !errors.Is(err, sininho.ErrInvalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
