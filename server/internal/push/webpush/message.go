package webpush

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/push"
)

const (
	// maxMessage is the size that every push service and bridge takes, encrypted.
	maxMessage = 2_744
	// smallMessage is for a push service that found a message too large.
	smallMessage = 1_024
)

// declarative marks a Declarative Web Push message, which Safari shows without a worker.
const declarative = 8030

// message is what browsers receive. Safari reads web_push and notification; workers read notification and data.
type message struct {
	WebPush      int               `json:"web_push,omitempty"`
	Notification *notification     `json:"notification,omitempty"`
	Data         map[string]string `json:"data"`
}

type notification struct {
	Title    string `json:"title"`
	Body     string `json:"body,omitempty"`
	Navigate string `json:"navigate"`
	Image    string `json:"image,omitempty"`
	Icon     string `json:"icon,omitempty"`
	Tag      string `json:"tag"`
}

// newMessage returns the message of a push, which has at most limit bytes when it is encrypted, as far as possible.
func newMessage(p core.Push, app string, limit int) ([]byte, error) {
	build := func(p core.Push) message {
		if p.Revision != "" {
			return message{Data: push.Revision(p)}
		}
		return message{WebPush: declarative, Data: push.Data(p), Notification: &notification{
			Title: p.Title, Body: p.Body, Navigate: page(p, app), Image: p.Image, Icon: p.Icon, Tag: push.Tag(p)}}
	}
	p = push.Fit(p, limit-push.SealOverhead, func(p core.Push) int {
		b, err := json.Marshal(build(p))
		if err != nil {
			return limit
		}
		return len(b)
	})
	return json.Marshal(build(p))
}

// page returns the address that a click opens where no worker decides it: the link, or the notification in the feed.
// What is of no channel is a digest, whose link is in the app, or a test.
func page(p core.Push, app string) string {
	switch {
	case p.Channel == "":
		return app + cmp.Or(p.Link, "/feed")
	case p.Link != "" && rules.IsPage(p.Link) && rules.MayOpen(p.Link, app):
		return p.Link
	default:
		return app + "/feed?notification=" + url.QueryEscape(p.ID)
	}
}

// newHeader returns the headers of a push, without the authorization.
func newHeader(p core.Push, now time.Time) http.Header {
	urgency := "normal"
	if p.High {
		urgency = "high"
	}
	return http.Header{
		"Content-Type":     {"application/octet-stream"},
		"Content-Encoding": {"aes128gcm"},
		"Ttl":              {strconv.Itoa(int(max(0, p.Expires.Sub(now)) / time.Second))},
		"Urgency":          {urgency},
		"Topic":            {topic(p)},
	}
}

// topic returns the topic of a push, at most 32 characters of base64url. A push that the browser has not received yet
// is replaced by the next one with its topic. A withdrawal replaces the notification; a correction does not, because it
// shows nothing by itself.
func topic(p core.Push) string {
	id, err := uuid.Parse(p.ID)
	if err != nil {
		return ""
	}
	text := base64.RawURLEncoding.EncodeToString(id[:])
	switch {
	case p.Summary:
		return "s" + text
	case p.Revision == core.Corrected:
		return "c" + text
	default:
		return text
	}
}
