package feeds

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

const origin = "https://sininho.example"

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// source has the feeds of a test by their addresses: "metro/linhas", "metro", or a secret.
type source struct {
	feeds map[string]core.WebFeed
	items []core.WebFeedItem
	err   error
	reads int // of items
}

func (s *source) find(address string) (core.WebFeed, error) {
	if s.err != nil {
		return core.WebFeed{}, s.err
	}
	f, ok := s.feeds[address]
	if !ok {
		return f, core.NotFound()
	}
	return f, nil
}

func (s *source) Channel(_ context.Context, publisherSlug, slug string) (core.WebFeed, error) {
	return s.find(publisherSlug + "/" + slug)
}

func (s *source) Publisher(_ context.Context, slug string) (core.WebFeed, error) { return s.find(slug) }

func (s *source) Personal(_ context.Context, secret string) (core.WebFeed, error) {
	return s.find(secret)
}

func (s *source) Items(context.Context, core.WebFeed) ([]core.WebFeedItem, error) {
	s.reads++
	return s.items, s.err
}

// newSource has the feeds of a channel, of its publisher and of a person, with one notification.
func newSource() *source {
	n := core.Notification{ID: core.ID{9}, Title: "Linha azul reaberta", Body: "A circulação foi retomada.\nBoa viagem.",
		Link: "https://metro.example/azul?a=1&b=2", Image: "https://metro.example/azul.jpg",
		Importance: core.Important, PublishedAt: &start, Visible: true,
		Channel: core.ChannelRef{ID: core.ID{1}, PublisherSlug: "metro", Slug: "linhas", Name: "Linhas"}}
	return &source{items: []core.WebFeedItem{{Notification: n, Publisher: "Metro de Lisboa"}},
		feeds: map[string]core.WebFeed{
			"metro/linhas": {Kind: core.ChannelWebFeed, ID: core.ID{1}, Title: "Linhas", Author: "Metro de Lisboa",
				Description: "Perturbações.", Picture: "https://metro.example/icon.png", ChangedAt: start, Version: "1"},
			"metro": {Kind: core.PublisherWebFeed, ID: core.ID{2}, Title: "Metro de Lisboa",
				Author: "Metro de Lisboa", ChangedAt: start, Version: "1"},
			"snf_live_x": {Kind: core.PersonalWebFeed, ID: core.ID{3}, ChangedAt: start, Version: "1"},
		}}
}

func newHandler(s *source, change ...func(*Config)) http.Handler {
	config := Config{Source: s, PublicURL: origin, ReadAllowed: func(*http.Request) bool { return true },
		Picture: func(address string) string { return origin + "/pictures/signed/" + address },
		Log:     slog.New(slog.DiscardHandler)}
	for _, c := range change {
		c(&config)
	}
	mux := http.NewServeMux()
	handler := Handler(config)
	for _, pattern := range Patterns {
		mux.Handle(pattern, handler)
	}
	return mux
}

// get requests a path with headers, which are names and values in turn.
func get(t *testing.T, handler http.Handler, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}
