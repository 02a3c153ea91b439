package feeds

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestAddresses(t *testing.T) {
	handler := newHandler(newSource())
	tests := []struct {
		path, contentType, cache, robots, origins string
	}{
		{"/channels/metro/linhas/feed.atom", "application/atom+xml; charset=utf-8", "no-cache", "", "*"},
		{"/channels/metro/linhas/feed.json", "application/feed+json; charset=utf-8", "no-cache", "", "*"},
		{"/channels/metro/feed.atom", "application/atom+xml; charset=utf-8", "no-cache", "", "*"},
		{"/channels/metro/feed.json", "application/feed+json; charset=utf-8", "no-cache", "", "*"},
		{"/feeds/snf_live_x.atom", "application/atom+xml; charset=utf-8", "private, no-cache", "noindex", ""},
		{"/feeds/snf_live_x.json", "application/feed+json; charset=utf-8", "private, no-cache", "noindex", ""},
	}
	for _, tt := range tests {
		w := get(t, handler, tt.path)
		check.Equal(t, "status of "+tt.path, w.Code, http.StatusOK)
		check.Equal(t, "headers of "+tt.path, []string{w.Header().Get("Content-Type"), w.Header().Get("Cache-Control"),
			w.Header().Get("X-Robots-Tag"), w.Header().Get("Access-Control-Allow-Origin")},
			[]string{tt.contentType, tt.cache, tt.robots, tt.origins})
		bare := httptest.NewRecorder()
		handler.ServeHTTP(bare, httptest.NewRequestWithContext(t.Context(), http.MethodHead, tt.path, nil))
		check.Equal(t, "bytes of HEAD "+tt.path, bare.Body.Len(), 0)
		check.Equal(t, "length of HEAD "+tt.path, bare.Header().Get("Content-Length"), w.Header().Get("Content-Length"))
	}
	for _, path := range []string{
		"/channels/metro/nada/feed.atom", "/channels/nada/feed.json", "/channels/Metro/Linhas/feed.atom",
		"/channels/metro%2Flinhas/feed.atom", "/feeds/snf_live_y.atom", "/feeds/snf_live_x", "/feeds/snf_live_x.xml",
		"/feeds/.atom", "/feeds/metro.atom/", "/channels/metro/linhas/feed.rss",
	} {
		check.Equal(t, "status of "+path, get(t, handler, path).Code, http.StatusNotFound)
	}
}

// TestUnchangedFeedIsNotRead asks again with the tag of the feed, before and after a change.
func TestUnchangedFeedIsNotRead(t *testing.T) {
	s := newSource()
	handler := newHandler(s)
	const path = "/channels/metro/linhas/feed.atom"
	tag := get(t, handler, path).Header().Get("ETag")
	check.Equal(t, "reads of a first visit", s.reads, 1)
	for _, known := range []string{tag, `"other", ` + tag, strings.TrimPrefix(tag, "W/"), "*"} {
		w := get(t, handler, path, "If-None-Match", known)
		check.Equal(t, "status with "+known, w.Code, http.StatusNotModified)
		check.Equal(t, "body with "+known, w.Body.Len(), 0)
		check.Equal(t, "tag with "+known, w.Header().Get("ETag"), tag)
	}
	check.Equal(t, "reads of what is current", s.reads, 1)
	f := s.feeds["metro/linhas"]
	f.Version = "2"
	s.feeds["metro/linhas"] = f
	w := get(t, handler, path, "If-None-Match", tag)
	check.Equal(t, "status after a change", w.Code, http.StatusOK)
	if w.Header().Get("ETag") == tag {
		t.Errorf("tag after a change: got %s again, want another", tag)
	}
	elsewhere := newHandler(s, func(c *Config) { c.PublicURL = "https://other.example" })
	if get(t, elsewhere, path).Header().Get("ETag") == w.Header().Get("ETag") {
		t.Error("tag at another address: got the same, want another, because all addresses in the feed differ")
	}
}

func TestFailures(t *testing.T) {
	s := newSource()
	s.err = errors.New("connection refused")
	var log bytes.Buffer
	handler := newHandler(s, func(c *Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	w := get(t, handler, "/feeds/snf_live_x.atom")
	check.Equal(t, "status without a database", w.Code, http.StatusServiceUnavailable)
	check.Equal(t, "headers without a database", []string{w.Header().Get("Retry-After"),
		w.Header().Get("Cache-Control"), w.Header().Get("ETag")}, []string{"60", "no-store", ""})
	if !strings.Contains(log.String(), "connection refused") || strings.Contains(log.String(), "snf_live_x") {
		t.Errorf("log: got %q, want the error without the secret address", log.String())
	}
	s.err = core.Unavailable(nil)
	check.Equal(t, "status when it is busy", get(t, handler, "/channels/metro/feed.atom").Code,
		http.StatusServiceUnavailable)
	limited := newHandler(s, func(c *Config) { c.ReadAllowed = func(*http.Request) bool { return false } })
	w = get(t, limited, "/channels/metro/feed.atom")
	check.Equal(t, "status above the limit", []any{w.Code, w.Header().Get("Retry-After")},
		[]any{http.StatusTooManyRequests, "60"})
}
