package sdktest_test

import (
	"errors"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
)

func testEventEndpoints(t *testing.T, f *fixture) {
	client := f.owner
	ctx := t.Context()
	in := sininho.EventEndpointInput{URL: "https://localhost:9/hook", Name: "Painel", Events: []sininho.EndpointEventType{sininho.NotificationFinished}}
	made, err := client.EventEndpoints.Create(ctx, f.slug, in, sininho.WithIdempotencyKey("k"))
	if err != nil || made.Secret == "" || !made.Enabled || len(made.Events) != 1 {
		t.Fatalf("create the event endpoint: got %+v, %v", made, err)
	}
	if again, err := client.EventEndpoints.Create(ctx, f.slug, in, sininho.WithIdempotencyKey("k")); err != nil || again.ID != made.ID || again.Secret != "" {
		t.Errorf("again %+v, %v", again, err)
	}
	if all, err := client.EventEndpoints.Create(ctx, f.slug, sininho.EventEndpointInput{URL: "https://example.com/x", Name: "Tudo"}); err != nil || len(all.Events) != 5 {
		t.Errorf("all events: %+v, %v", all, err)
	}
	if rotated, err := client.EventEndpoints.Rotate(ctx, f.slug, made.ID); err != nil || rotated.Secret == "" || rotated.Secret == made.Secret {
		t.Errorf("rotated %+v, %v", rotated, err)
	}
	seen, err := client.EventEndpoints.Get(ctx, f.slug, made.ID)
	if err != nil || seen.Version == "" {
		t.Fatalf("get the event endpoint: got %+v, %v", seen, err)
	}
	off, err := client.EventEndpoints.Update(ctx, f.slug, made.ID, sininho.EventEndpointUpdate{Enabled: new(false), Name: new("Outro")}, sininho.IfVersion(seen.Version))
	if err != nil || off.Enabled || off.Name != "Outro" || off.URL != in.URL || len(off.Events) != 1 {
		t.Errorf("off %+v, %v", off, err)
	}
	var refused *sininho.Error
	if _, err := client.EventEndpoints.Test(ctx, f.slug, made.ID); !errors.As(err, &refused) || refused.Code != sininho.CodeDisabled {
		t.Errorf("tested one that is off: %v", err)
	}
	if err := client.EventEndpoints.Delete(ctx, f.slug, made.ID, sininho.IfVersion(seen.Version)); !errors.Is(err, sininho.ErrChanged) {
		t.Errorf("deleted what was changed: %v", err)
	}
	if err := client.EventEndpoints.Delete(ctx, f.slug, made.ID); err != nil {
		t.Errorf("delete the event endpoint: %v", err)
	}
	if left := collect(t, client.EventEndpoints.List(ctx, f.slug)); len(left) != 1 || left[0].Name != "Tudo" {
		t.Errorf("left %+v", left)
	}
	if _, err := f.key.EventEndpoints.Create(ctx, f.slug, in); !errors.Is(err, sininho.ErrForbidden) {
		t.Errorf("a key made one: %v", err)
	}
}

func testEventDeliveries(t *testing.T, f *fixture) {
	client := f.owner
	ctx := t.Context()
	made, err := client.EventEndpoints.Create(ctx, f.slug, sininho.EventEndpointInput{URL: "https://localhost:9/hook", Name: "Painel"})
	if err != nil {
		t.Fatalf("create the event endpoint: %v", err)
	}
	sent, err := client.EventEndpoints.Test(ctx, f.slug, made.ID)
	if err != nil || sent.Type != sininho.EndpointTest || sent.Status != sininho.DeliveryPending {
		t.Fatalf("test the event endpoint: got %+v, %v", sent, err)
	}
	for status, want := range map[sininho.EventDeliveryStatus]int{"": 1, sininho.DeliveryPending: 1, sininho.DeliveryFailed: 0} {
		if got := collect(t, client.EventEndpoints.Deliveries(ctx, f.slug, made.ID, status)); len(got) != want {
			t.Errorf("%q: %+v", status, got)
		}
	}
	if err := lastError(client.EventEndpoints.Deliveries(ctx, f.slug, made.ID, "lost")); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("no such status: %v", err)
	}
	detail, err := client.EventEndpoints.Delivery(ctx, f.slug, made.ID, sent.ID)
	if err != nil || detail.Payload.Type != sininho.EndpointTest || detail.Payload.Data.Publisher != f.slug {
		t.Errorf("detail %+v, %v", detail, err)
	}
	if again, err := client.EventEndpoints.Resend(ctx, f.slug, made.ID, sent.ID); err != nil || again.ID != sent.ID {
		t.Errorf("again %+v, %v", again, err)
	}
	if _, err := client.EventEndpoints.Resend(ctx, f.slug, made.ID, "x"); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("no id: %v", err)
	}
}
