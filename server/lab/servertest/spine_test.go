package servertest_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

type feed struct {
	Data []struct {
		ID, Title, Body string
		ReadAt          *time.Time
	}
	Meta struct{ Total, Unread int }
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
		t.Fatalf("feed after following: got %+v, want at least 3 notifications, all read", before.Meta)
	}
	stream, err := http.DefaultClient.Do(ana.Request(http.MethodGet, "/subscribers/notifications/stream", nil))
	if err != nil {
		t.Fatalf("open the feed stream: %v", err)
	}
	defer stream.Body.Close()

	began := time.Now()
	in := sininho.PublishInput{Title: "Olá 😀", Body: "corpo", Link: "https://example.com/1"}
	published, err := s.Client().Notifications.Publish(t.Context(), "demo/novidades", in)
	if err != nil {
		t.Fatalf("publish: %v", err)
	}
	var after feed
	ana.Do(http.MethodGet, "/subscribers/notifications", nil, http.StatusOK, &after)
	if n := after.Data[0]; n.ID != published.Notification.ID || n.ReadAt != nil {
		t.Errorf("newest of the feed: got %+v, want %s, unread", n, published.Notification.ID)
	}
	check.Equal(t, "unread notifications", after.Meta.Unread, 1)
	check.Equal(t, "notifications of the feed", after.Meta.Total, before.Meta.Total+1)
	push := s.Sent(t, "token-ana", 0)
	check.Equal(t, "title of the push", push.Message.Notification.Title, "Olá 😀")
	check.Equal(t, "data of the push", push.Message.Data,
		map[string]string{
			"id": published.Notification.ID, "channel": "demo/novidades", "link": "https://example.com/1",
			"channelId":   published.Notification.Channel.ID,
			"publishedAt": strconv.FormatInt(published.Notification.PublishedAt.UnixMilli(), 10),
		})
	check.Equal(t, "body of the push", push.Message.Notification.Body, published.Notification.Channel.Name+" · corpo")
	for lines := bufio.NewScanner(stream.Body); lines.Scan(); {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			var n struct{ ID, Title string }
			if err := json.Unmarshal([]byte(data), &n); err != nil || n.ID != published.Notification.ID {
				t.Errorf("event of the feed stream: got %s (%v), want the notification %s", data, err,
					published.Notification.ID)
			}
			break
		}
	}
	t.Logf("everywhere after %s", time.Since(began))

	ana.Do(http.MethodPost, "/subscribers/notifications/"+published.Notification.ID+"/events",
		map[string]string{"type": "opened"}, http.StatusNoContent, nil)
	ana.Do(http.MethodGet, "/subscribers/notifications", nil, http.StatusOK, &after)
	if after.Data[0].ReadAt == nil || after.Meta.Unread != 0 {
		t.Errorf("feed after the notification was opened: got %+v, want it read", after.Meta)
	}
	if err := s.Client().Notifications.Withdraw(t.Context(), "demo/novidades", published.Notification.ID); err != nil {
		t.Fatalf("withdraw: %v", err)
	}
	ana.Do(http.MethodGet, "/subscribers/notifications", nil, http.StatusOK, &after)
	if after.Meta.Total != before.Meta.Total || after.Data[0].ID == published.Notification.ID {
		t.Errorf("feed after the notification was withdrawn: got %+v, want it gone", after.Meta)
	}
	ana.Do(http.MethodDelete, "/auth", nil, http.StatusNoContent, nil)
	ana.Do(http.MethodGet, "/subscribers/me", nil, http.StatusUnauthorized, nil)
}

func TestWebhooks(t *testing.T) {
	s := servertest.Start(t)
	const body = `{"title":"Do exterior","other":{"is":"ignored"}}`
	post := func(address string, header http.Header) (status int, got receipt) {
		t.Helper()
		return post(t, address, body, header)
	}
	if status, r := post(s.DemoWebhook, nil); status != http.StatusAccepted || r.Duplicate {
		t.Errorf("event to the demo webhook: got %d %+v, want 202 and no duplicate", status, r)
	}
	signed := sign(t, "evt-1", body, s.WebhookSecret)
	status, first := post(s.SignedWebhook, signed)
	if status != http.StatusAccepted || first.Duplicate {
		t.Errorf("signed event: got %d %+v, want 202 and no duplicate", status, first)
	}
	status, again := post(s.SignedWebhook, signed)
	check.Equal(t, "status of the same event again", status, http.StatusAccepted)
	first.Duplicate = true
	check.Equal(t, "receipt of the same event again", again, first)
	sixMinutesAgo := time.Now().Add(-6 * time.Minute)
	old, err := webhook.Sign(webhook.Message{
		ID: "evt-2", Timestamp: sixMinutesAgo, Body: []byte(body),
	}, s.WebhookSecret)
	if err != nil {
		t.Fatalf("sign: %v", err)
	}
	foreign := sign(t, "evt-3", body, webhook.NewSecret())
	for name, header := range map[string]http.Header{
		"unsigned": nil, "six minutes old": old, "signed with another secret": foreign,
	} {
		status, _ := post(s.SignedWebhook, header)
		check.Equal(t, "status of an event that is "+name, status, http.StatusUnauthorized)
	}
	status, _ = post(s.DemoWebhook+"x", nil)
	check.Equal(t, "status at an unknown address", status, http.StatusNotFound)
}
