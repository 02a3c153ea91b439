package fcm

import (
	"encoding/json"
	"strconv"
	"time"

	"firebase.google.com/go/v4/messaging"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/push"
)

// maxPayload is the maximum size of a message in bytes, without its address: FCM accepts 4,096 bytes, and adds some of
// its own on the way to a browser.
const maxPayload = 3_700

// newMessage returns the FCM message of a push. Text that does not fit is cut at a character; the feed has it in full.
// It sets no fcm_options.link, because the SDK refuses links that are not https and so would fail in development.
func newMessage(p core.Push, now time.Time) *messaging.Message {
	urgency := "normal"
	if p.High {
		urgency = "high"
	}
	headers := map[string]string{"TTL": strconv.Itoa(int(max(0, p.Expires.Sub(now)) / time.Second)), "Urgency": urgency}
	build := func(p core.Push) *messaging.Message {
		if p.Revision != "" {
			return &messaging.Message{Data: push.Revision(p), Webpush: &messaging.WebpushConfig{Headers: headers}}
		}
		return &messaging.Message{
			Data:         push.Data(p),
			Notification: &messaging.Notification{Title: p.Title, Body: p.Body, ImageURL: p.Image},
			Webpush: &messaging.WebpushConfig{
				Headers: headers, Notification: &messaging.WebpushNotification{Icon: p.Icon, Tag: push.Tag(p)},
			},
		}
	}
	return build(push.Fit(p, maxPayload, func(p core.Push) int { return measure(build(p)) }))
}

func measure(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		return maxPayload
	}
	return len(b)
}
