package servertest_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// events returns functions that read a stream: next returns the next frame without its id and retry time, id the last
// id.
func (c *contestant) events(path, lastEventID string) (next func() string, id func() string) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	c.t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+"/api/v1"+c.expand(path), nil)
	if err != nil {
		c.t.Fatalf("new request: %v", err)
	}
	if lastEventID != "" {
		req.Header.Set("Last-Event-ID", lastEventID)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		c.t.Fatalf("request %s %s: %v", req.Method, req.URL, err)
	}
	c.t.Cleanup(func() { _ = res.Body.Close() })
	lines := bufio.NewScanner(res.Body)
	last := ""
	next = func() string {
		c.t.Helper()
		var frame bytes.Buffer
		for lines.Scan() && lines.Text() != "" {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "id":
				last = value
				value = "<position>"
			case "retry":
				value = "<wait>"
			case "data":
				var data any
				if err := json.Unmarshal([]byte(value), &data); err != nil {
					c.t.Fatalf("decode JSON: %v", err)
				}
				text, _ := json.Marshal(normalized(data))
				value = string(text)
			case "": // a heartbeat
				continue
			}
			frame.WriteString(name + ": " + value + "\n")
		}
		if frame.Len() == 0 {
			c.t.Errorf("the stream of %s ends: %v", c.url, lines.Err())
		}
		return frame.String()
	}
	return next, func() string { return last }
}

// TestStreamConformance compares what a server and sininhotest send to the streams of a channel.
func TestStreamConformance(t *testing.T) {
	t.Parallel()
	server, fake := newReal(t).streamed(), newFake(t).streamed()
	if diff := cmp.Diff(server, fake); diff != "" {
		t.Errorf("frames of a stream (-server +sininhotest):\n%s", diff)
	}
}

const newChannel = `{"publisherSlug":"conforme","slug":"avisos","name":"avisos","categoryId":"{transportes}"}`

// streamed follows a channel in which notifications are published and changed, and then requests the missed events.
func (c *contestant) streamed() (frames []string) {
	c.t.Helper()
	do := func(method, path, body, want, keep string) {
		c.t.Helper()
		row := &conformanceRow{name: method + " " + path, role: "publisher", method: method, path: path}
		row.body, row.keep = body, keep
		if got := c.call(row, ""); got.summary != want {
			c.t.Fatalf("%s at %s: %s, want %s", row.name, c.url, got.summary, want)
		}
	}
	if c.step == nil {
		do("POST", "/channels", newChannel, "201", "")
	}
	next, id := c.events("{notifications}/stream", "")
	frames = append(frames, next())
	start := id()
	do("POST", "{notifications}", `{"title":"Um","body":"corpo","data":{"a":"b"},"externalId":"1"}`, "201", "um")
	frames = append(frames, next())
	do("PATCH", "{notifications}/{um.id}", `{"title":"Dois"}`, "200", "")
	frames = append(frames, next())
	corrected := id()
	do("DELETE", "{notifications}/{um.id}", "", "204", "")
	frames = append(frames, next())
	do("POST", "{notifications}", `{"title":"logo","scheduledAt":"{in 1s}"}`, "201", "")
	c.later(2 * time.Second)
	frames = append(frames, next())
	do("POST", "{notifications}", `{"title":"breve","expiresAt":"{in 1s}"}`, "201", "")
	frames = append(frames, next())
	c.later(2 * time.Second)
	frames = append(frames, next())
	do("POST", "{notifications}", `{"title":"nunca","scheduledAt":"{in 24h}"}`, "201", "nunca")
	do("DELETE", "{notifications}/{nunca.id}", "", "204", "")
	do("POST", "{notifications}", `{"title":"fim"}`, "201", "fim")
	frames = append(frames, next())
	do("PATCH", "{notifications}/{fim.id}", `{"body":"corpo"}`, "200", "")
	frames = append(frames, next())
	for _, from := range []struct {
		name, id string
		events   int
	}{{"the start", start, 5}, {"the correction", corrected, 5}, {"0", "0", 5}, {"the end", id(), 0},
		{"the future", "999999", 0}, {"-1", "-1", 0}, {"x", "x", 0}} {
		missed, _ := c.events("{notifications}/stream", from.id)
		for range 1 + from.events {
			frames = append(frames, "after "+from.name+"\n"+missed())
		}
	}
	return frames
}
