//go:build go1.26

package sininho_test

import (
	"errors"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
)

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
