package fcm

import (
	"encoding/json"
	"strconv"
	"time"
	"unicode/utf8"

	"firebase.google.com/go/v4/messaging"

	"github.com/sininho/sininho/server/internal/core"
)

// maxPayload is what a message may measure without its token: FCM takes 4,096 bytes, and adds some of its own on the way
// to a browser.
const maxPayload = 3_700

// newMessage is the FCM message of a push. What is too long for one is cut at a character; the feed has it whole.
// There is no fcm_options.link: the SDK refuses one that is not https, and with it all of development.
func newMessage(p core.Push, now time.Time) *messaging.Message {
	urgency := "normal"
	if p.High {
		urgency = "high"
	}
	build := func() *messaging.Message {
		data := map[string]string{"id": p.ID, "channel": p.Channel}
		if p.Link != "" {
			data["link"] = p.Link
		}
		return &messaging.Message{
			Data:         data,
			Notification: &messaging.Notification{Title: p.Title, Body: p.Body, ImageURL: p.Image},
			Webpush: &messaging.WebpushConfig{
				Headers:      map[string]string{"TTL": strconv.Itoa(int(max(0, p.Expires.Sub(now)) / time.Second)), "Urgency": urgency},
				Notification: &messaging.WebpushNotification{Icon: p.Icon, Tag: p.ID},
			},
		}
	}
	body := p.Body
	p.Body = ""
	for _, drop := range []*string{&p.Image, &p.Icon, &p.Link} {
		if measure(build()) <= maxPayload-minBody {
			break
		}
		*drop = ""
	}
	p.Body = cut(body, maxPayload-measure(build()))
	return build()
}

// minBody is how much of the body is worth more than an image.
const minBody = 300

func measure(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		return maxPayload
	}
	return len(b)
}

// cut shortens s so that it takes at most size bytes as JSON.
func cut(s string, size int) string {
	const ellipsis = "…"
	if measure(s)-2 <= size {
		return s
	}
	used, end := len(ellipsis), 0
	for i, r := range s {
		if used += measure(string(r)) - 2; used > size {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	return s[:end] + ellipsis
}
