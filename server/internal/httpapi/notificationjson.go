package httpapi

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
)

// Pages of notifications are the most frequent responses, and encoding/json took a quarter of the server's time of one.
// They are written without it and without the contract's structs. The result is the same to the byte, which
// TestNotificationJSON checks.

// notificationPage is the response with a page of notifications.
type notificationPage struct {
	pictures Pictures
	data     []core.Notification
	meta     api.NotificationPageMeta
	next     *string // Link to the next page
	position *string // of the stream, as it was before the page was read
}

// VisitListNotificationsResponse implements gen.ListNotificationsResponseObject.
func (p notificationPage) VisitListNotificationsResponse(w http.ResponseWriter) error {
	return p.write(w)
}

// VisitListFeedResponse implements gen.ListFeedResponseObject.
func (p notificationPage) VisitListFeedResponse(w http.ResponseWriter) error { return p.write(w) }

func (p notificationPage) write(w http.ResponseWriter) error {
	meta, err := json.Marshal(p.meta)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	if p.next != nil {
		w.Header().Set("Link", *p.next)
	}
	if p.position != nil {
		w.Header().Set("Stream-Position", *p.position)
	}
	w.WriteHeader(http.StatusOK)
	body := bodies.Get().(*[]byte) //nolint:forcetypeassert // nothing else is put there
	defer bodies.Put(body)
	return p.writeTo(w, body, meta)
}

// bodies are slices for responses, or parts of them.
var bodies = sync.Pool{New: func() any { return new([]byte) }}

// writeTo writes an api.NotificationPage, a large one in parts that are made in the memory of body.
func (p notificationPage) writeTo(w io.Writer, body *[]byte, meta []byte) (err error) {
	b := append((*body)[:0], `{"data":[`...)
	defer func() { *body = b }()
	for i := range p.data {
		if i > 0 {
			b = append(b, ',')
		}
		b = p.pictures.appendNotification(b, &p.data[i])
		if len(b) > piece {
			if _, err := w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	b = append(append(b, `],"meta":`...), meta...)
	b = append(b, "}\n"...)
	_, err = w.Write(b)
	return err
}

// EncodeNotification returns a notification as JSON in the API's form, for live streams.
func (pics Pictures) EncodeNotification(n core.Notification) []byte {
	return pics.appendNotification(nil, &n)
}

// appendNotification appends an api.Notification.
func (pics Pictures) appendNotification(b []byte, n *core.Notification) []byte {
	b = append(b, '{')
	if n.ArchivedAt != nil {
		b = append(appendTime(b, `"archivedAt":"`, n.ArchivedAt), ',')
	}
	b = appendString(append(b, `"body":`...), n.Body)
	b = pics.appendChannel(append(b, `,"channel":`...), &n.Channel)
	if len(n.Data) > 0 {
		b = appendJSON(append(b, `,"data":`...), n.Data)
	}
	b = appendTime(b, `,"editedAt":"`, n.EditedAt)
	b = appendTime(b, `,"expiresAt":"`, n.ExpiresAt)
	b = appendOptional(b, `,"externalId":`, n.ExternalID)
	b = pics.appendPicture(b, `,"icon":`, `,"iconProxy":`, n.Icon)
	b = appendID(append(b, `,"id":`...), n.ID)
	b = pics.appendPicture(b, `,"image":`, `,"imageProxy":`, n.Image)
	b = appendString(append(b, `,"importance":`...), string(n.Importance))
	b = appendOptional(b, `,"link":`, n.Link)
	b = appendTime(b, `,"publishedAt":"`, n.PublishedAt)
	b = appendTime(b, `,"readAt":"`, n.ReadAt)
	b = appendTime(b, `,"scheduledAt":"`, n.ScheduledAt)
	b = appendTime(b, `,"snoozedUntil":"`, n.SnoozedUntil)
	b = appendString(append(b, `,"title":`...), n.Title)
	return append(b, '}')
}

// appendChannel appends an api.ChannelRef.
func (pics Pictures) appendChannel(b []byte, c *core.ChannelRef) []byte {
	b = append(b, '{')
	if c.Icon != "" {
		b = append(pics.appendPicture(b, `"icon":`, `,"iconProxy":`, c.Icon), ',')
	}
	b = appendID(append(b, `"id":`...), c.ID)
	b = appendString(append(b, `,"name":`...), c.Name)
	if c.Private {
		b = append(b, `,"private":true`...)
	}
	b = appendString(append(b, `,"publisherSlug":`...), c.PublisherSlug)
	b = appendString(append(b, `,"slug":`...), c.Slug)
	return append(b, '}')
}

// appendPicture appends a picture and where this server serves it, if there are such.
func (pics Pictures) appendPicture(b []byte, name, proxyName, picture string) []byte {
	b = appendOptional(b, name, picture)
	if proxy := pics.proxy(picture); proxy != nil {
		b = appendString(append(b, proxyName...), *proxy)
	}
	return b
}

func appendOptional(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	return appendString(append(b, name...), value)
}

// appendTime appends a time, if there is one. before ends with a quotation mark.
func appendTime(b []byte, before string, t *time.Time) []byte {
	if t == nil {
		return b
	}
	return append(t.UTC().AppendFormat(append(b, before...), time.RFC3339Nano), '"')
}

func appendID(b []byte, id core.ID) []byte {
	text, _ := id.MarshalText() // never fails
	return append(append(append(b, '"'), text...), '"')
}

func appendString(b []byte, s string) []byte {
	if !isPlain(s) {
		return appendJSON(b, s)
	}
	return append(append(append(b, '"'), s...), '"')
}

// isPlain reports whether encoding/json escapes nothing in s.
func isPlain(s string) bool {
	all := byte(0)
	for i := range len(s) {
		all |= kinds[s[i]]
	}
	switch {
	case all&special != 0:
		return false
	case all&foreign != 0:
		return utf8.ValidString(s) && !strings.Contains(s, "\u2028") && !strings.Contains(s, "\u2029")
	}
	return true
}

const (
	special = 1 << iota // is escaped
	foreign             // is a part of a character beyond ASCII
)

// kinds are the kinds of bytes.
var kinds = func() (all [256]byte) {
	for c := range all {
		switch {
		case c < ' ' || strings.ContainsRune(`"\<>&`, rune(c)):
			all[c] = special
		case c >= utf8.RuneSelf:
			all[c] = foreign
		}
	}
	return all
}()

// appendJSON appends a text, or texts by name.
func appendJSON[T string | map[string]string](b []byte, v T) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // there is nothing in it that has no JSON
	}
	return append(b, text...)
}
