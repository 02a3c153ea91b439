package webui

import (
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestRobots(t *testing.T) {
	w := get(t, newHandler(siteConfig(newSite()), withHead()), "/robots.txt", "Accept", "*/*")
	check.Equal(t, "robots.txt", w.Body.String(), `User-agent: *
Allow: /
Disallow: /api/
Disallow: /admin
Disallow: /feed
Disallow: /invitations
Disallow: /login
Disallow: /new
Disallow: /onboarding
Disallow: /settings
Disallow: /start
Disallow: /studio
Disallow: /waitlist

Sitemap: https://sininho.example/sitemap.xml
`)
	check.Equal(t, "Content-Type", w.Header().Get("Content-Type"), "text/plain; charset=utf-8")
}

// urlset is a sitemap as crawlers read it.
type urlset struct {
	XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	URLs    []struct {
		Loc     string `xml:"loc"`
		Lastmod string `xml:"lastmod"`
	} `xml:"url"`
}

func readSitemap(t *testing.T, handler http.Handler) (lines []string) {
	t.Helper()
	w := get(t, handler, "/sitemap.xml")
	check.Equal(t, "status of the sitemap", w.Code, http.StatusOK)
	check.Equal(t, "Content-Type", w.Header().Get("Content-Type"), "application/xml; charset=utf-8")
	var set urlset
	if err := xml.Unmarshal(w.Body.Bytes(), &set); err != nil {
		t.Fatalf("read the sitemap: %v", err)
	}
	for _, u := range set.URLs {
		lines = append(lines, strings.TrimSpace(u.Loc+" "+u.Lastmod))
	}
	return lines
}

func TestSitemap(t *testing.T) {
	s := newSite()
	hour := func(n int) time.Time { return start.Add(time.Duration(n) * time.Hour) }
	s.listed = []core.ListedChannel{{PublisherSlug: "metro", Slug: "linhas", ChangedAt: hour(3)},
		{PublisherSlug: "tempo", Slug: "porto", ChangedAt: hour(2), PublisherChangedAt: hour(4)},
		{PublisherSlug: "metro", Slug: "obras", ChangedAt: hour(1)}}
	check.Equal(t, "sitemap", readSitemap(t, newHandler(siteConfig(s), withHead())), []string{
		origin + "/",
		origin + "/channels",
		origin + "/publicar",
		origin + "/channels/metro 2026-03-01T15:00:00Z",
		origin + "/channels/metro/linhas 2026-03-01T15:00:00Z",
		origin + "/channels/tempo 2026-03-01T16:00:00Z",
		origin + "/channels/tempo/porto 2026-03-01T14:00:00Z",
		origin + "/channels/metro/obras 2026-03-01T13:00:00Z",
	})
}

func TestSitemapIsBounded(t *testing.T) {
	s := newSite()
	for i := range sitemapSize + 1 {
		s.listed = append(s.listed, core.ListedChannel{PublisherSlug: fmt.Sprintf("p%d", i/10), Slug: fmt.Sprintf("c%d", i)})
	}
	check.Equal(t, "addresses", len(readSitemap(t, newHandler(siteConfig(s), withHead()))), sitemapSize)
}

func TestSitemapIsReadOnceAMinute(t *testing.T) {
	s, now := newSite(), newClock()
	config := siteConfig(s)
	config.Now = now.Now
	handler := newHandler(config, withHead())
	s.err = errors.New("connection refused")
	for range 3 {
		w := get(t, handler, "/sitemap.xml")
		check.Equal(t, "status without a sitemap", w.Code, http.StatusServiceUnavailable)
		check.Equal(t, "Retry-After", w.Header().Get("Retry-After"), "60")
	}
	check.Equal(t, "reads that failed", s.reads.Load(), 1)
	s.err = nil
	now.pass(sitemapKept)
	for range 3 {
		check.Equal(t, "addresses", len(readSitemap(t, handler)), 3)
	}
	check.Equal(t, "reads", s.reads.Load(), 2)
	s.err = errors.New("connection refused")
	now.pass(sitemapKept)
	check.Equal(t, "addresses of the kept sitemap", len(readSitemap(t, handler)), 3)
	check.Equal(t, "reads with one that failed again", s.reads.Load(), 3)
}
