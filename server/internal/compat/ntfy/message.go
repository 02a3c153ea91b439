package ntfy

import (
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// The kinds of events.
const (
	eventOpen      = "open"
	eventKeepalive = "keepalive"
	eventMessage   = "message"
	eventClear     = "message_clear"
	eventDelete    = "message_delete"
)

// message is an event of ntfy.
type message struct {
	ID          string      `json:"id"`
	Time        int64       `json:"time"` // seconds since 1970
	Expires     int64       `json:"expires,omitempty"`
	Event       string      `json:"event"`
	Topic       string      `json:"topic"`
	SequenceID  string      `json:"sequence_id,omitempty"`
	Title       string      `json:"title,omitempty"`
	Message     string      `json:"message,omitempty"`
	Priority    int         `json:"priority,omitempty"`
	Tags        []string    `json:"tags,omitempty"`
	Click       string      `json:"click,omitempty"`
	Icon        string      `json:"icon,omitempty"`
	Attachment  *attachment `json:"attachment,omitempty"`
	ContentType string      `json:"content_type,omitempty"`
}

type attachment struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// Members of a notification's data that keep what it has no member for.
const (
	dataPriority   = "priority" // a number, unless it is 3
	dataTags       = "tags"     // separated by commas
	dataAttachment = "attachment"
	dataFilename   = "filename"
	dataMarkdown   = "markdown"
	dataUntitled   = "untitled" // the title is the first line of the message
)

// newMessage returns a notification as a message.
func newMessage(t topic, n api.Notification) message {
	data := map[string]string{}
	if n.Data != nil {
		data = *n.Data
	}
	m := message{ID: n.ID.String(), Time: timeOf(n).Unix(), Event: eventMessage, Topic: t.String(), Title: n.Title,
		Message: n.Body, Priority: priorityOf(n, data), Tags: splitList(data[dataTags]), Click: value(n.Link),
		Icon: value(n.Icon), SequenceID: value(n.ExternalID), Attachment: attachmentOf(n, data)}
	m.Title = strings.TrimPrefix(m.Title, emojis(m.Tags))
	switch {
	case n.Body == "":
		m.Title, m.Message = "", m.Title
	case data[dataUntitled] != "":
		m.Title, m.Message = "", m.Title+"\n"+n.Body
	}
	if n.ExpiresAt != nil {
		m.Expires = n.ExpiresAt.Unix()
	}
	if data[dataMarkdown] != "" {
		m.ContentType = "text/markdown"
	}
	return m
}

func timeOf(n api.Notification) time.Time {
	switch {
	case n.PublishedAt != nil:
		return *n.PublishedAt
	case n.ScheduledAt != nil:
		return *n.ScheduledAt
	default:
		return time.Time{}
	}
}

func priorityOf(n api.Notification, data map[string]string) int {
	if p, err := strconv.Atoi(data[dataPriority]); err == nil && 1 <= p && p <= 5 {
		return p
	}
	if n.Importance == api.ImportanceImportant {
		return highPriority
	}
	return 0
}

func attachmentOf(n api.Notification, data map[string]string) *attachment {
	address := data[dataAttachment]
	if address == "" {
		address = value(n.Image)
	}
	if address == "" {
		return nil
	}
	name := data[dataFilename]
	if name == "" {
		name = path.Base(address)
	}
	return &attachment{Name: name, URL: address}
}

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
