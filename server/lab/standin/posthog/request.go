package posthog

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// Request is a received request. Those of readers are not recorded.
type Request struct {
	// Seq counts from 1, and is not reset when the record is cleared.
	Seq    int64       `json:"seq"`
	At     time.Time   `json:"at"`
	Method string      `json:"method"`
	URL    string      `json:"url"` // path and query
	Header http.Header `json:"header"`
	// Body is the unpacked body.
	Body   string  `json:"body,omitempty"`
	Events []Event `json:"events,omitempty"`
}

// Event is a captured event.
type Event struct {
	Seq int64 `json:"seq"` // that of its request
	// By is the sender's $lib property, such as web.
	By         string         `json:"by"`
	Name       string         `json:"event"`
	Properties map[string]any `json:"properties"`
	// Sent is the whole event as received.
	Sent json.RawMessage `json:"sent"`
}

const maxBody = 20 << 20 // PostHog's own limit

func readRequest(r *http.Request) (Request, error) {
	out := Request{At: time.Now().UTC(), Method: r.Method, URL: r.URL.RequestURI(), Header: r.Header}
	packed, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return out, err
	}
	body, err := unpack(packed)
	if err != nil {
		return out, err
	}
	out.Body = string(body)
	if len(body) > 0 {
		out.Events, err = readEvents(body)
	}
	return out, err
}

// unpack decodes a body as the libraries send it: gzip, regardless of the headers, or base64 in a form.
func unpack(body []byte) ([]byte, error) {
	if bytes.HasPrefix(body, []byte{0x1f, 0x8b}) {
		unzipped, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(io.LimitReader(unzipped, maxBody))
	}
	if bytes.HasPrefix(body, []byte("data=")) {
		form, err := url.ParseQuery(string(body))
		if err != nil {
			return nil, err
		}
		return base64.StdEncoding.DecodeString(form.Get("data"))
	}
	return body, nil
}

// readEvents returns the events of a batch, of a list, or a single one. Other requests have none.
func readEvents(body []byte) ([]Event, error) {
	var all []json.RawMessage
	var batch struct{ Batch []json.RawMessage }
	switch {
	case json.Unmarshal(body, &all) == nil:
	case json.Unmarshal(body, &batch) != nil:
		return nil, errors.New("the body is no JSON")
	case batch.Batch != nil:
		all = batch.Batch
	default:
		all = []json.RawMessage{body}
	}
	var out []Event
	for _, sent := range all {
		e := Event{Sent: sent}
		if err := json.Unmarshal(sent, &e); err != nil {
			return nil, fmt.Errorf("an event cannot be read: %w", err)
		}
		if e.Name != "" {
			e.By, _ = e.Properties["$lib"].(string)
			out = append(out, e)
		}
	}
	return out, nil
}
