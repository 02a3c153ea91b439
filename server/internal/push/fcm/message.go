package fcm

import (
	"encoding/json"
	"maps"
	"strconv"
	"time"
	"unicode/utf8"

	"firebase.google.com/go/v4/messaging"

	"github.com/sininho/sininho/server/internal/core"
)

// maxPayload is the maximum size of a message in bytes, without its token: FCM accepts 4,096 bytes, and adds some of
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
	build := func() *messaging.Message {
		if p.Revision != "" {
			return &messaging.Message{Data: revision(p), Webpush: &messaging.WebpushConfig{Headers: headers}}
		}
		return &messaging.Message{
			Data:         filled(map[string]string{"id": p.ID, "channel": p.Channel, "link": p.Link}),
			Notification: &messaging.Notification{Title: p.Title, Body: p.Body, ImageURL: p.Image},
			Webpush: &messaging.WebpushConfig{
				Headers: headers, Notification: &messaging.WebpushNotification{Icon: p.Icon, Tag: tag(p)},
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

// tag returns the tag of a push. Of several pushes with the same tag a device shows only one. A summary has its own
// tag, so that a revision of a notification does not replace it.
func tag(p core.Push) string {
	if p.Summary {
		return "summary-" + p.ID
	}
	return p.ID
}

// revision returns the data of a data-only message: the device shows the change if it still shows the notification.
func revision(p core.Push) map[string]string {
	data := map[string]string{
		"id": p.ID, "revision": string(p.Revision), "revisedAt": strconv.FormatInt(p.RevisedAt.UnixMilli(), 10),
	}
	if p.Revision == core.Corrected {
		maps.Copy(data, map[string]string{
			"channel": p.Channel, "link": p.Link, "title": p.Title, "body": p.Body, "image": p.Image, "icon": p.Icon,
		})
	}
	return filled(data)
}

func filled(data map[string]string) map[string]string {
	maps.DeleteFunc(data, func(_, v string) bool { return v == "" })
	return data
}

// minBody is the number of bytes of the body that take precedence over an image.
const minBody = 300

func measure(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		return maxPayload
	}
	return len(b)
}

// cut shortens s to at most size bytes as JSON, without the quotes.
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
