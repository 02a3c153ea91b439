package servertest_test

import (
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// crawled is a page as a crawler without JavaScript finds it.
type crawled struct {
	status  int
	title   string
	meta    map[string]string
	address string // the canonical one
	header  http.Header
	body    string
}

var (
	crawledTitle   = regexp.MustCompile(`<title>([^<]*)</title>`)
	crawledMeta    = regexp.MustCompile(`<meta (?:name|property)="([^"]*)" content="([^"]*)"`)
	crawledAddress = regexp.MustCompile(`<link rel="canonical" href="([^"]*)"`)
)

func crawl(t *testing.T, s *servertest.Server, path string) crawled {
	t.Helper()
	res, err := http.Get(s.URL + path)
	if err != nil {
		t.Fatalf("get %s: %v", path, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	check.Equal(t, "error of reading "+path, err, nil)
	if res.StatusCode == http.StatusServiceUnavailable && strings.Contains(string(body), "make build") {
		t.Fatal("the web app is not built; run 'make build'")
	}
	c := crawled{status: res.StatusCode, meta: map[string]string{}, header: res.Header, body: string(body)}
	for _, m := range crawledMeta.FindAllStringSubmatch(c.body, -1) {
		c.meta[m[1]] = html.UnescapeString(m[2])
	}
	if m := crawledTitle.FindStringSubmatch(c.body); m != nil {
		c.title = html.UnescapeString(m[1])
	}
	if m := crawledAddress.FindStringSubmatch(c.body); m != nil {
		c.address = html.UnescapeString(m[1])
	}
	return c
}

const hostileName = `</title><script>alert("1")</script>`

// newCrawledFixture has a channel p/azul with a picture in a notification, and p/oculto, which is unlisted.
func newCrawledFixture(t *testing.T) (f *fixture, azul, oculto string) {
	t.Helper()
	f = newFixture(t)
	f.owner.Do(http.MethodPatch, "/publishers/p", object{"name": "Metro"}, 200, nil)
	for slug, visibility := range map[string]string{"azul": "public", "oculto": "unlisted"} {
		f.owner.Do(http.MethodPost, "/channels", object{"publisherSlug": "p", "slug": slug, "name": hostileName,
			"description": "Sobre " + slug, "categoryId": f.category, "visibility": visibility}, 201, nil)
	}
	azul = f.do("/channels/p/azul/notifications", object{"title": "Linha azul", "image": "https://example.com/a.png",
		"body": strings.Repeat("palavra ", 600)}, 201).ID
	oculto = f.do("/channels/p/oculto/notifications", object{"title": "Oculta"}, 201).ID
	return f, azul, oculto
}

// TestCrawler reads every kind of page as crawlers and link previews do.
func TestCrawler(t *testing.T) {
	t.Parallel()
	f, azul, oculto := newCrawledFixture(t)
	f.owner.Do(http.MethodPost, "/channels", object{"publisherSlug": "p", "slug": "suspenso", "name": "S",
		"categoryId": f.category}, 201, nil)
	suspended := f.do("/channels/p/suspenso/notifications", object{"title": "Suspensa"}, 201).ID
	f.operator.Do(http.MethodPut, "/admin/channels/p/suspenso/suspension", suspending, 200, nil)
	f.operator.Do(http.MethodPut, "/admin/publishers/q/suspension", suspending, 200, nil)
	withdrawn := f.do("/channels/p/azul/notifications", object{"title": "Retirada"}, 201).ID
	f.owner.Do(http.MethodDelete, "/channels/p/azul/notifications/"+withdrawn, nil, 204, nil)

	tests := []struct {
		path   string
		status int
		title  string
		listed bool // by search engines, at this path
	}{
		{"/", 200, "Siga o que importa. Receba na hora.", true},
		{"/channels", 200, "Canais", true},
		{"/demo", 200, "Demonstração", true},
		{"/publicar", 200, "Como publicar", true},
		{"/login", 200, "Entrar no Sininho", false},
		{"/feed", 200, "", false},
		{"/settings/devices", 200, "", false},
		{"/channels/p", 200, "Metro", true},
		{"/channels/p/azul", 200, hostileName, true},
		{"/channels/p/azul/" + azul, 200, "Linha azul", true},
		{"/channels/p/oculto", 200, hostileName, false},
		{"/channels/p/oculto/" + oculto, 200, "Oculta", false},
		{"/channels/demo/demonstracao", 200, "Demonstração", false},
		{"/channels/p/azul/" + withdrawn, 404, "Not Found", false},
		{"/channels/p/azul/" + oculto, 404, "Not Found", false},
		{"/channels/p/suspenso", 404, "Not Found", false},
		{"/channels/p/suspenso/" + suspended, 404, "Not Found", false},
		{"/channels/q", 404, "Not Found", false},
		{"/channels/q/c", 404, "Not Found", false},
		{"/channels/p/nada", 404, "Not Found", false},
		{"/channels/nada", 404, "Not Found", false},
		{"/nada", 404, "Você Está Perdido??", false},
	}
	for _, tt := range tests {
		page := crawl(t, f.Server, tt.path)
		check.Equal(t, "status of "+tt.path, page.status, tt.status)
		check.Equal(t, "title of "+tt.path, strings.TrimSuffix(strings.TrimSuffix(page.title, "Sininho"), " · "), tt.title)
		check.Equal(t, "robots of "+tt.path, page.meta["robots"], map[bool]string{false: "noindex"}[tt.listed])
		check.Equal(t, "canonical address of "+tt.path, page.address, map[bool]string{true: f.URL + tt.path}[tt.listed])
		for _, mark := range []string{`<div id="root">`, `<script type="module"`} {
			if !strings.Contains(page.body, mark) {
				t.Errorf("%s: got a page without %s, want the app", tt.path, mark)
			}
		}
		if strings.Contains(page.body, "<script>") || page.header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: got a script of the publisher, or no policy: %s", tt.path, page.body)
		}
	}
}

// TestPreview reads what a link to a notification shows in a chat, and loads its picture's address.
func TestPreview(t *testing.T) {
	t.Parallel()
	f, azul, oculto := newCrawledFixture(t)
	page := crawl(t, f.Server, "/channels/p/azul/"+azul)
	words := strings.TrimSuffix(page.meta["og:description"], "…")
	if len(words) > 200 || strings.Trim(strings.ReplaceAll(words, "palavra", ""), " ") != "" || len(words) < 150 {
		t.Errorf("description: got %q, want whole words of about 200 characters", words)
	}
	var n illustrated
	f.owner.Do(http.MethodGet, "/channels/p/azul/notifications/"+azul, nil, 200, &n)
	check.Equal(t, "picture", page.meta["og:image"], n.ImageProxy)
	check.Equal(t, "card", page.meta["twitter:card"], "summary_large_image")
	check.Equal(t, "type", page.meta["og:type"], "article")
	check.Equal(t, "address", page.meta["og:url"], f.URL+"/channels/p/azul/"+azul)

	page = crawl(t, f.Server, "/channels/p/oculto/"+oculto)
	check.Equal(t, "picture without one", page.meta["og:image"], f.URL+"/icon-512.png")
	check.Equal(t, "card without a picture", page.meta["twitter:card"], "summary")
	check.Equal(t, "status of the icon", crawl(t, f.Server, "/icon-512.png").status, http.StatusOK)
}

// TestSitemap finds what everyone can find, and nothing else.
func TestSitemap(t *testing.T) {
	t.Parallel()
	f, _, _ := newCrawledFixture(t)
	f.operator.Do(http.MethodPut, "/admin/publishers/q/suspension", suspending, 200, nil)
	robots := crawl(t, f.Server, "/robots.txt")
	if !strings.Contains(robots.body, "\nSitemap: "+f.URL+"/sitemap.xml\n") {
		t.Errorf("robots.txt: got %s, want the address of the sitemap", robots.body)
	}
	read := crawl(t, f.Server, "/sitemap.xml")
	check.Equal(t, "status of the sitemap", read.status, http.StatusOK)
	var set struct {
		URL []struct {
			Loc     string `xml:"loc"`
			Lastmod string `xml:"lastmod"`
		} `xml:"url"`
	}
	if err := xml.Unmarshal([]byte(read.body), &set); err != nil {
		t.Fatalf("read the sitemap: %v", err)
	}
	var found []string
	for _, u := range set.URL {
		path, ok := strings.CutPrefix(u.Loc, f.URL)
		fixed := slices.Contains([]string{"/", "/channels", "/publicar", "/privacy", "/terms"}, path)
		if found = append(found, path); !ok || (u.Lastmod == "") != fixed {
			t.Errorf("address of the sitemap: got %+v, want one of the server, with the time of its latest change", u)
		}
	}
	for _, path := range []string{"/", "/channels", "/publicar", "/privacy", "/terms", "/channels/p",
		"/channels/p/c", "/channels/p/azul", "/channels/demo", "/channels/demo/novidades"} {
		if !slices.Contains(found, path) {
			t.Errorf("%s: not in the sitemap %v", path, found)
		}
	}
	for _, path := range []string{"/channels/p/oculto", "/channels/q", "/channels/q/c", "/channels/demo/demonstracao"} {
		if slices.Contains(found, path) {
			t.Errorf("%s: in the sitemap, want nothing that is hidden", path)
		}
	}
}

// TestPagesFollowChangesOnAnotherNode changes on one node what the other has just shown.
func TestPagesFollowChangesOnAnotherNode(t *testing.T) {
	t.Parallel()
	database := servertest.With("DATABASE_URL", servertest.Database(t))
	key := servertest.With("SECRET_KEY", base64.StdEncoding.EncodeToString(core.NewSecretKey()))
	f := newFixtureOn(t, servertest.Start(t, database, key))
	other := servertest.Start(t, database, key)
	const channel = "/channels/p/c"
	notification := channel + "/" + f.notification
	read := func(path string) string {
		page := crawl(t, other, path)
		return strings.TrimSpace(fmt.Sprint(page.status, " ", page.title, " ", page.meta["robots"]))
	}
	change := func(what, method, path string, body any, status int, shown, want string) {
		t.Helper()
		read(shown)
		f.operator.Do(method, path, body, status, nil)
		check.Equal(t, "page after it was "+what, read(shown), want)
	}
	f.owner.Admit("p", f.operator, "owner")

	const correction, hidden = "/channels/p/c/notifications/", "404 Not Found · Sininho noindex"
	change("corrected", http.MethodPatch, correction+f.notification, object{"title": "Corrigida"}, 200,
		notification, "200 Corrigida · Sininho")
	change("withdrawn", http.MethodDelete, correction+f.notification, nil, 204, notification, hidden)
	change("renamed", http.MethodPatch, channel, object{"name": "Novo"}, 200, channel, "200 Novo · Sininho")
	change("hidden from lists", http.MethodPatch, channel, object{"visibility": "unlisted"}, 200,
		channel, "200 Novo · Sininho noindex")
	change("suspended", http.MethodPut, "/admin/channels/p/c/suspension", suspending, 200, channel, hidden)
	change("shown again", http.MethodDelete, "/admin/channels/p/c/suspension", nil, 204,
		channel, "200 Novo · Sininho noindex")
	change("deleted", http.MethodDelete, channel, nil, 204, channel, hidden)
}

// TestPagesOutliveTheDatabase expects the app from a server that cannot read channels.
func TestPagesOutliveTheDatabase(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	execute(t, s, "alter table channels rename to lost")
	page := crawl(t, s, "/channels/demo/novidades")
	check.Equal(t, "status", page.status, http.StatusOK)
	check.Equal(t, "title", page.title, "Sininho")
	check.Equal(t, "status of the sitemap", crawl(t, s, "/sitemap.xml").status, http.StatusServiceUnavailable)
}

// TestLimitedCrawler asks for more pages than a visitor may read a minute.
func TestLimitedCrawler(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Limited(), servertest.With("LIMIT_READS_PER_MINUTE", "1"))
	check.Equal(t, "title of the first page", crawl(t, s, "/channels/demo").title, "Sininho · Sininho")
	second := crawl(t, s, "/channels/demo/novidades")
	check.Equal(t, "status of the second page", second.status, http.StatusOK)
	check.Equal(t, "title of the second page", second.title, "Sininho")
}
