package servertest_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/servertest"
)

type feed struct {
	Data []struct {
		ID, Title, Body string
		ReadAt          *time.Time
	}
	Meta struct{ Total, Unread int64 }
}

// TestAPublishReachesEverything follows one publish to the feed, the live stream and the push service.
func TestAPublishReachesEverything(t *testing.T) {
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	ana.Follow("demo/novidades")
	ana.Device("token-ana")
	var before feed
	ana.Do(http.MethodGet, "/subscribers/notifications", nil, http.StatusOK, &before)
	if before.Meta.Total < 3 || before.Meta.Unread != 0 {
		t.Fatalf("the history is there and read: %+v", before.Meta)
	}
	stream, err := http.DefaultClient.Do(ana.Request(http.MethodGet, "/subscribers/notifications/stream", nil))
	if err != nil {
		t.Fatalf("open the feed stream: %v", err)
	}
	defer stream.Body.Close()

	began := time.Now()
	published, err := s.Client().Notifications.Publish(t.Context(), "demo/novidades", sininho.PublishInput{Title: "Olá 😀", Body: "corpo", Link: "https://example.com/1"})
	if err != nil {
		t.Fatalf("publish: %v", err)
	}
	var after feed
	ana.Do(http.MethodGet, "/subscribers/notifications", nil, http.StatusOK, &after)
	if n := after.Data[0]; n.ID != published.Notification.ID || n.ReadAt != nil || after.Meta.Unread != 1 || after.Meta.Total != before.Meta.Total+1 {
		t.Errorf("the feed: %+v", after)
	}
	push := s.Sent(t, "token-ana", 0)
	if push.Message.Notification.Title != "Olá 😀" || push.Message.Data["id"] != published.Notification.ID || push.Message.Data["channel"] != "demo/novidades" {
		t.Errorf("the push: %+v", push)
	}
	for lines := bufio.NewScanner(stream.Body); lines.Scan(); {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			var n struct{ ID, Title string }
			if err := json.Unmarshal([]byte(data), &n); err != nil || n.ID != published.Notification.ID {
				t.Errorf("the stream: %s %v", data, err)
			}
			break
		}
	}
	t.Logf("everywhere after %s", time.Since(began))

	ana.Do(http.MethodPost, "/subscribers/notifications/"+published.Notification.ID+"/events", map[string]string{"type": "opened"}, http.StatusNoContent, nil)
	ana.Do(http.MethodGet, "/subscribers/notifications", nil, http.StatusOK, &after)
	if after.Data[0].ReadAt == nil || after.Meta.Unread != 0 {
		t.Errorf("opened, but not read: %+v", after.Meta)
	}
	if err := s.Client().Notifications.Withdraw(t.Context(), "demo/novidades", published.Notification.ID); err != nil {
		t.Fatalf("withdraw: %v", err)
	}
	ana.Do(http.MethodGet, "/subscribers/notifications", nil, http.StatusOK, &after)
	if after.Meta.Total != before.Meta.Total || after.Data[0].ID == published.Notification.ID {
		t.Errorf("withdrawn, but there: %+v", after.Meta)
	}
	ana.Do(http.MethodDelete, "/auth", nil, http.StatusNoContent, nil)
	ana.Do(http.MethodGet, "/subscribers/me", nil, http.StatusUnauthorized, nil)
}

func TestWebhooks(t *testing.T) {
	s := servertest.Start(t)
	body := []byte(`{"title":"Do exterior","other":{"is":"ignored"}}`)
	post := func(address string, header http.Header) (status int, receipt struct {
		NotificationID string
		Duplicate      bool
	}) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, bytes.NewReader(body))
		if err != nil {
			t.Fatalf("new request: %v", err)
		}
		req.Header = header.Clone()
		if req.Header == nil {
			req.Header = http.Header{}
		}
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatalf("%s %s: %v", req.Method, req.URL, err)
		}
		defer res.Body.Close() // only the start of the body is needed
		_ = json.NewDecoder(res.Body).Decode(&receipt)
		return res.StatusCode, receipt
	}
	if status, r := post(s.DemoWebhook, nil); status != http.StatusAccepted || r.Duplicate {
		t.Errorf("the demo webhook: %d %+v", status, r)
	}
	signed, err := webhook.Sign(webhook.Message{ID: "evt-1", Timestamp: time.Now(), Body: body}, s.WebhookSecret)
	if err != nil {
		t.Fatalf("sign: %v", err)
	}
	status, first := post(s.SignedWebhook, signed)
	if status != http.StatusAccepted || first.Duplicate {
		t.Errorf("signed: %d %+v", status, first)
	}
	if status, again := post(s.SignedWebhook, signed); status != http.StatusAccepted || !again.Duplicate || again.NotificationID != first.NotificationID {
		t.Errorf("the same event again: %d %+v", status, again)
	}
	old, err := webhook.Sign(webhook.Message{ID: "evt-2", Timestamp: time.Now().Add(-6 * time.Minute), Body: body}, s.WebhookSecret)
	if err != nil {
		t.Fatalf("sign: %v", err)
	}
	foreign, err := webhook.Sign(webhook.Message{ID: "evt-3", Timestamp: time.Now(), Body: body}, webhook.NewSecret())
	if err != nil {
		t.Fatalf("sign: %v", err)
	}
	for what, header := range map[string]http.Header{"unsigned": nil, "six minutes old": old, "signed with another secret": foreign} {
		if status, _ := post(s.SignedWebhook, header); status != http.StatusUnauthorized {
			t.Errorf("%s: %d", what, status)
		}
	}
	if status, _ := post(s.DemoWebhook+"x", nil); status != http.StatusNotFound {
		t.Errorf("no such address: %d", status)
	}
}
