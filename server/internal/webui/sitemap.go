package webui

import (
	"context"
	"encoding/xml"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// robotsFile is /robots.txt. It keeps crawlers from pages that need a session or a token, and from the API.
func robotsFile(config Config) *file {
	var text strings.Builder
	text.WriteString("User-agent: *\nAllow: /\nDisallow: /api/\n")
	for _, first := range hiddenSegments() {
		text.WriteString("Disallow: /" + first + "\n")
	}
	text.WriteString("\nSitemap: " + config.PublicURL + "/sitemap.xml\n")
	return newFile("robots.txt", inMemory([]byte(text.String())))
}

const (
	// sitemapSize is how many addresses a sitemap may have. Of more, those with the latest changes are in it.
	sitemapSize = 50_000
	sitemapKept = time.Minute
	sitemapTime = 5 * time.Second
)

// sitemap serves /sitemap.xml. It reads it again at most once in sitemapKept, and serves the latest that it could read.
type sitemap struct {
	Config

	mu    sync.Mutex
	file  *file // nil: none was read
	until time.Time
}

// ServeHTTP implements http.Handler.
func (s *sitemap) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	file := s.current(r.Context())
	if file == nil {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Retry-After", "60")
		http.Error(w, "try again later", http.StatusServiceUnavailable)
		return
	}
	file.serve(w, r, "public, max-age=60")
}

// current reads the sitemap for all who wait for it, even if the one who asked first leaves.
func (s *sitemap) current(ctx context.Context) *file {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.Now()
	if now.Before(s.until) {
		return s.file
	}
	s.until = now.Add(sitemapKept)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sitemapTime)
	defer cancel()
	listed, err := s.Pages.Listed(ctx, sitemapSize)
	if err != nil {
		s.Log.WarnContext(ctx, "could not read the sitemap", "error", err)
		return s.file
	}
	s.file = newCompressedFile("sitemap.xml", s.encode(listed))
	return s.file
}

// address is one of a sitemap.
type address struct {
	Location string `xml:"loc"`
	Changed  string `xml:"lastmod,omitempty"`
}

func (s *sitemap) encode(listed []core.ListedChannel) []byte {
	set := struct {
		XMLName   xml.Name  `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		Addresses []address `xml:"url"`
	}{Addresses: s.addresses(listed)}
	text, err := xml.Marshal(set)
	if err != nil {
		panic(err) // cannot happen: the types above can be marshaled
	}
	return append([]byte(xml.Header), text...)
}

// addresses returns the pages that anyone can find: the fixed ones, and the channels, each after its publisher's page.
func (s *sitemap) addresses(listed []core.ListedChannel) []address {
	all := []address{{Location: s.PublicURL + "/"}, {Location: s.PublicURL + "/channels"},
		{Location: s.PublicURL + paths[guide]}}
	for _, name := range slices.Sorted(maps.Keys(s.Policies)) {
		all = append(all, address{Location: s.PublicURL + "/" + name})
	}
	latest := map[string]time.Time{}
	for _, c := range listed {
		for _, at := range []time.Time{c.ChangedAt, c.PublisherChangedAt} {
			if at.After(latest[c.PublisherSlug]) {
				latest[c.PublisherSlug] = at
			}
		}
	}
	known := map[string]bool{}
	for _, c := range listed {
		page := s.PublicURL + "/channels/" + c.PublisherSlug
		if !known[c.PublisherSlug] {
			known[c.PublisherSlug] = true
			all = append(all, address{page, lastmod(latest[c.PublisherSlug])})
		}
		all = append(all, address{page + "/" + c.Slug, lastmod(c.ChangedAt)})
	}
	return all[:min(len(all), sitemapSize)]
}

func lastmod(t time.Time) string { return t.UTC().Format(time.RFC3339) }
