package server

import (
	"net/http"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/feeds"
	"github.com/sininho/sininho/server/internal/postgres"
)

// serveFeeds adds the Atom and JSON feeds to the addresses of the web app.
func (s *Server) serveFeeds(mux *http.ServeMux, readAllowed func(*http.Request) bool) {
	handler := s.observer.HTTP.Handler("feeds", feeds.Handler(feeds.Config{
		Source: core.NewWebFeeds(postgres.NewStore(s.requests)), PublicURL: s.config.PublicURL, Picture: s.picture(),
		ReadAllowed: readAllowed, Log: s.log.With("part", "feeds")}))
	for _, pattern := range feeds.Patterns {
		mux.Handle(pattern, handler)
	}
}
