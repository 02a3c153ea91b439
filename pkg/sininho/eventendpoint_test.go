//go:build go1.26

package sininho_test

import (
	"errors"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
)

func TestParseEvent(t *testing.T) {
	event, err := sininho.ParseEvent([]byte(`{"type":"notification.finished","timestamp":"2026-03-01T12:00:00Z",
		"data":{"publisher":"metro","channel":"metro/linha-azul",
		"notificationId":"0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f",
		"deliveries":{"targeted":3,"pending":0,"suppressed":{},"accepted":2,"failed":{"unregistered":1},"expired":{},
		"displayed":1,"opened":0,"finished":true},"novo":1}}`))
	if err != nil {
		t.Fatalf("ParseEvent: %v", err)
	}
	equal(t, "type of the event", event.Type, sininho.NotificationFinished)
	equal(t, "unregistered devices", event.Data.Deliveries.Failed["unregistered"], 1)
	if event.Timestamp.IsZero() {
		t.Error("timestamp of the event: got zero, want a time")
	}
	event, err = sininho.ParseEvent([]byte(`{"type":"later","timestamp":"2026-03-01T12:00:00Z","data":{}}`))
	if err != nil {
		t.Fatalf("ParseEvent of an unknown type: %v", err)
	}
	equal(t, "unknown type of an event", event.Type, "later")
	for _, bad := range []string{"", "{}", "[]", `{"type":"test"}`, `{"timestamp":"2026-03-01T12:00:00Z"}`} {
		if _, err := sininho.ParseEvent([]byte(bad)); !errors.Is(err, sininho.ErrInvalid) {
			t.Errorf("ParseEvent(%q): got the error %v, want %v", bad, err, sininho.ErrInvalid)
		}
	}
}
