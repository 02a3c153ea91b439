package httpapi

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
)

// TestLongTextsLeaveMemoryFlat sends 60 KB of text, different each time, in every part of a request that is counted or
// remembered.
func TestLongTextsLeaveMemoryFlat(t *testing.T) {
	const most = 6 << 20 // bytes
	for name, send := range map[string]struct {
		method, path, header string // %s is the text
	}{
		"publisher":  {"POST", "/api/v1/channels/%s/linhas/notifications", "X-Request-Id: x"},
		"channel":    {"POST", "/api/v1/channels/metro/%s/notifications", "X-Request-Id: x"},
		"webhook":    {"POST", "/api/v1/webhooks/channels/%s", "X-Request-Id: x"},
		"API key":    {"GET", "/api/v1/auth", "Authorization: Bearer snh_live_%s"},
		"scheme":     {"GET", "/api/v1/auth", "Authorization: %s"},
		"session":    {"GET", "/api/v1/auth", "Cookie: " + sessionCookie + "=%s"},
		"stream":     {"GET", "/api/v1/channels/%s/linhas/notifications/stream", "Last-Event-ID: 1"},
		"user code":  {"GET", "/api/v1/auth/device?userCode=%s", "X-Request-Id: x"},
		"waitlist":   {"GET", "/api/v1/waitlist/entries/%s", "X-Request-Id: x"},
		"forwarded":  {"GET", "/api/v1/auth", "X-Forwarded-For: %s"},
		"request id": {"GET", "/api/v1/auth", "X-Request-Id: %s"},
		"nowhere":    {"GET", "/api/v1/%s", "X-Request-Id: x"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			token := w.token(cli)
			before := heap()
			requests := 150
			if name == "publisher" {
				requests = 1000
			}
			for i := range requests {
				text := fmt.Sprintf("%07d", i) + strings.Repeat("x", 60_000)
				headers := []string{strings.Replace(send.header, "%s", text, 1)}
				if !strings.Contains(send.header, "Authorization") && name != "session" {
					headers = append(headers, token)
				}
				w.send(send.method, strings.Replace(send.path, "%s", text, 1), `{"title":"x"}`, headers...)
				w.log.Reset()
			}
			if grown := int64(heap()) - int64(before); grown > most {
				t.Errorf("memory after %d requests: grew by %d KiB, want at most %d KiB", requests, grown>>10, most>>10)
			}
			runtime.KeepAlive(w)
		})
	}
}

// heap returns the heap memory in use, in bytes.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestOnePublishLimitForAllPaths varies the publisher between one that exists, one that does not, and an
// invalid slug.
func TestOnePublishLimitForAllPaths(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits.Publishes = 30 })
	token := w.token(cli)
	for i := range 60 {
		slug := []string{"metro", fmt.Sprintf("another-%d", i), fmt.Sprintf("NO_SLUG%d", i)}[i%3]
		a := w.send("POST", "/api/v1/channels/"+slug+"/linhas/notifications", `{"title":"x"}`, token)
		if limited := a.Code == http.StatusTooManyRequests; limited != (i >= 30) {
			t.Fatalf("publish %d of 30 allowed, to %q: got status %d, want 429 after 30", i+1, slug, a.Code)
		}
	}
}
