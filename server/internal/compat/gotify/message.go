package gotify

import (
	"encoding/json"
	"errors"
	"hash/fnv"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/server/internal/compat"
)

const (
	// maxBody is how many bytes of a message are read.
	maxBody = 128 << 10
	// highPriority is the first of the priorities 0 to 10 that Gotify's apps ring for in any case.
	highPriority = 8
)

// message is a message of Gotify.
type message struct {
	ID       int64           `json:"id"`
	AppID    int64           `json:"appid"`
	Message  string          `json:"message"`
	Title    string          `json:"title"`
	Priority int             `json:"priority"`
	Extras   json.RawMessage `json:"extras,omitempty"`
	Date     time.Time       `json:"date"`
}

// extras are those members of a message's extras that can be shown.
type extras struct {
	Display struct {
		ContentType string `json:"contentType"`
	} `json:"client::display"`
	Notification struct {
		Click struct {
			URL string `json:"url"`
		} `json:"click"`
		BigImageURL string `json:"bigImageUrl"`
	} `json:"client::notification"`
}

// readMessage reads a message in JSON or a form.
func readMessage(w http.ResponseWriter, r *http.Request) (m message, err error) {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if media == "application/x-www-form-urlencoded" || media == "multipart/form-data" {
		return readForm(w, r)
	}
	body, err := compat.ReadBody(w, r, maxBody)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return m, malformed("The body is not the JSON of a message: " + err.Error() + ".")
	}
	return m, m.check()
}

func readForm(w http.ResponseWriter, r *http.Request) (m message, err error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	//nolint:gosec // bounded by the line above
	if err := r.ParseMultipartForm(maxBody); err != nil && !errors.Is(err, http.ErrNotMultipart) {
		return m, malformed("The body is not a form of at most 128 KiB.")
	}
	m = message{Title: r.PostFormValue("title"), Message: r.PostFormValue("message")}
	if priority := r.PostFormValue("priority"); priority != "" {
		if m.Priority, err = strconv.Atoi(priority); err != nil {
			return m, malformed("priority must be a number from 0 to 10.")
		}
	}
	if extras := r.PostFormValue("extras"); extras != "" {
		m.Extras = json.RawMessage(extras)
	}
	return m, m.check()
}

func (m *message) check() error {
	switch {
	case strings.TrimSpace(m.Message) == "":
		return malformed("Field 'message' is required")
	case len(m.Extras) > 0 && !json.Valid(m.Extras):
		return malformed("extras must be an object in JSON.")
	}
	return nil
}

// members returns the members of the notification. Gotify names a message without a title by its application, which is
// the channel here, so the first line of the text is the title.
func (m *message) members() map[string]any {
	var x extras
	_ = json.Unmarshal(m.Extras, &x) // others have other shapes, which say nothing here
	title, body, _ := mend.Texts(m.Title, m.Message, mend.Keep{End: true})
	members := map[string]any{"title": title, "body": body}
	if m.Priority >= highPriority {
		members["importance"] = "important"
	}
	if x.Notification.Click.URL != "" {
		members["link"] = x.Notification.Click.URL
	}
	if x.Notification.BigImageURL != "" {
		members["image"] = x.Notification.BigImageURL
	}
	return members
}

// number returns a number for something that Gotify knows by a number.
func number(id string) int64 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id)) // never fails
	return int64(h.Sum32())
}
