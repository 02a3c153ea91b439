package webui

import (
	"compress/gzip"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

var (
	titleElement = regexp.MustCompile(`<title>([^<]*)</title>`)
	metaElement  = regexp.MustCompile(`<meta (?:name|property)="([^"]*)" content="([^"]*)" />`)
	feedElement  = regexp.MustCompile(`<link rel="alternate" type="([^"]*)" title="[^"]*" href="([^"]*)" />`)
	linkElement  = regexp.MustCompile(`<link rel="([^"]*)" href="([^"]*)" />`)
)

// readHead returns what a crawler reads of a page. It fails if the page has something twice.
func readHead(t *testing.T, page string) map[string]string {
	t.Helper()
	read := map[string]string{}
	add := func(name, value string) {
		if _, ok := read[name]; ok {
			t.Errorf("%s: got it twice", name)
		}
		read[name] = html.UnescapeString(value)
	}
	for _, title := range titleElement.FindAllStringSubmatch(page, -1) {
		add("title", title[1])
	}
	for _, elements := range []*regexp.Regexp{metaElement, linkElement} {
		for _, element := range elements.FindAllStringSubmatch(page, -1) {
			add(element[1], element[2])
		}
	}
	return read
}

// described returns the head of a page that has no picture of its own.
func described(title, description, path string) map[string]string {
	name := strings.TrimSuffix(strings.TrimSuffix(title, appName), " · ")
	if name == "" {
		name = appName
	}
	want := map[string]string{"title": title, "description": description, "og:type": "website",
		"og:site_name": appName, "og:title": name, "og:description": description, "og:image": origin + "/icon-512.png",
		"og:locale": "pt_PT", "twitter:card": "summary", "twitter:title": name, "twitter:description": description,
		"twitter:image": origin + "/icon-512.png"}
	if path != "" {
		want["og:url"], want["canonical"] = origin+path, origin+path
	}
	return want
}

func with(head map[string]string, changes ...string) map[string]string {
	for i := 0; i < len(changes); i += 2 {
		if head[changes[i]] = changes[i+1]; changes[i+1] == "" {
			delete(head, changes[i])
		}
	}
	return head
}

func hidden(head map[string]string) map[string]string {
	return with(head, "robots", "noindex", "canonical", "")
}

func pictured(head map[string]string, picture string) map[string]string {
	return with(head, "og:image", relayed(picture), "twitter:image", relayed(picture))
}

func TestHeads(t *testing.T) {
	handler := newHandler(siteConfig(newSite()), withHead())
	plain := hidden(described("Sininho", portuguese.general.Description, ""))
	notFound := hidden(described("Not Found · Sininho", portuguese.nothing.Description, ""))
	lost := hidden(described("Você Está Perdido?? · Sininho", portuguese.lost.Description, ""))
	home := described("Siga o que importa. Receba na hora. · Sininho", portuguese.fixed[landing].Description, "/")
	channels := described("Canais · Sininho", portuguese.fixed[discovery].Description, "/channels")
	signingIn := hidden(described("Entrar no Sininho · Sininho", portuguese.fixed[signIn].Description, ""))
	signingIn["og:title"], signingIn["twitter:title"] = "Entrar no Sininho", "Entrar no Sininho"
	invited := hidden(described("Convite para um canal privado · Sininho", portuguese.fixed[joining].Description, ""))
	linhas := pictured(described("Linhas · Sininho", "Perturbações na circulação.", "/channels/metro/linhas"),
		"https://metro.example/icon.png")
	azul := "/channels/metro/linhas/" + published.String()
	tests := []struct {
		path   string
		status int
		want   map[string]string
	}{
		{"/", 200, home},
		{"/?ref=k7p2m9xq", 200, home},
		{"/index.html", 200, home},
		{"/channels", 200, channels},
		{"/channels/", 200, channels},
		{"/Channels?q=metro", 200, channels},
		{"/publicar", 200, described("Como publicar · Sininho", portuguese.fixed[guide].Description, "/publicar")},
		{"/demo", 200, described("Demonstração · Sininho", portuguese.fixed[demonstration].Description, "/demo")},
		{"/login", 200, signingIn},
		{"/login/code", 200, plain},
		{"/login/operator", 200, plain},
		{"/join", 200, invited},
		{"/join/x", 404, lost},
		{"/feed", 200, plain},
		{"/settings/devices", 200, plain},
		{"/admin/reports", 200, plain},
		{"/admin/reports/1", 404, lost},
		{"/feed/x", 404, lost},
		{"/settings/zzz", 404, lost},
		{"/onboarding/x", 404, lost},
		{"/waitlist", 404, lost},
		{"/onboarding", 200, plain},
		{"/invitations", 200, plain},
		{"/waitlist/swt_x", 200, plain},
		{"/channels/metro", 200, pictured(described("Metro de Lisboa · Sininho", "O metropolitano.",
			"/channels/metro"), "https://metro.example/avatar.png")},
		{"/channels/novo", 200, with(described("Novo · Sininho", "Os canais de Novo.", "/channels/novo"),
			"robots", "noindex", "canonical", "")},
		{"/channels/metro/linhas", 200, linhas},
		{"/channels/metro/linhas/", 200, linhas},
		{azul, 200, with(pictured(described("Linha azul reaberta · Sininho", "A circulação foi retomada.", azul),
			"https://metro.example/azul.jpg"), "og:type", "article", "twitter:card", "summary_large_image")},
		{strings.ToUpper(azul[:9]) + azul[9:], 200, with(pictured(described("Linha azul reaberta · Sininho",
			"A circulação foi retomada.", azul), "https://metro.example/azul.jpg"), "og:type", "article",
			"twitter:card", "summary_large_image")},
		{"/channels/metro/oculto", 200, hidden(pictured(described("Oculto · Sininho",
			"O que Metro de Lisboa publica em Oculto.", "/channels/metro/oculto"), "https://metro.example/avatar.png"))},
		{"/channels/metro/fraude", 404, notFound},
		{"/channels/nada", 404, notFound},
		{"/channels/metro/nada", 404, notFound},
		{"/channels/Metro/Linhas", 404, notFound},
		{"/channels/metro/linhas/" + core.ID{9}.String(), 404, notFound},
		{"/channels/metro/linhas/x", 404, notFound},
		{"/channels/metro/fraude/" + published.String(), 404, notFound},
		{"/channels/metro/linhas/" + published.String() + "/more", 404, lost},
		{"/nope", 404, lost},
		{"/feeds", 404, lost},
		{"/demo/more", 404, lost},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			w := get(t, handler, tt.path)
			check.Equal(t, "status", w.Code, tt.status)
			check.Equal(t, "head", readHead(t, w.Body.String()), tt.want)
			check.Equal(t, "Cache-Control", w.Header().Get("Cache-Control"), "no-cache")
			if !strings.Contains(w.Body.String(), `<html lang="pt-PT">`) {
				t.Errorf("language: got %s, want pt-PT", w.Body)
			}
			if w.Header().Get("Content-Security-Policy") == "" {
				t.Error("Content-Security-Policy: got none, want one")
			}
			bare := request(t, handler, http.MethodHead, tt.path)
			if bare.Code != tt.status || bare.Body.Len() != 0 {
				t.Errorf("HEAD: got %d with %d bytes, want %d with none", bare.Code, bare.Body.Len(), tt.status)
			}
			check.Equal(t, "Content-Length of HEAD", bare.Header().Get("Content-Length"), fmt.Sprint(w.Body.Len()))
		})
	}
}

func TestWaitingListWithoutMail(t *testing.T) {
	config := siteConfig(newSite())
	config.Env = map[string]string{"WAITLIST": "closed"}
	check.Equal(t, "status", get(t, newHandler(config, withHead()), "/waitlist/swt_x").Code, http.StatusNotFound)
}

// TestPolicies serves the operator's texts, each with its page. Without one, there is neither.
func TestPolicies(t *testing.T) {
	const text = "# Os seus <dados>\n\nGuardamos o seu e-mail."
	const shown = `{"html":"\u003cp\u003eGuardamos o seu e-mail.\u003c/p\u003e\n","title":"Os seus \u003cdados\u003e"}`
	words := in(core.Portuguese)
	config := siteConfig(newSite())
	config.Policies = map[string]string{"privacy": text}
	handler := newHandler(config, withHead())

	page := get(t, handler, "/privacy")
	check.Equal(t, "status of the page", page.Code, http.StatusOK)
	check.Equal(t, "head", readHead(t, page.Body.String()),
		described("Os seus <dados> · Sininho", words.fixed[privacy].Description, "/privacy"))
	served := get(t, handler, "/privacy.json", "Accept", "*/*")
	check.Equal(t, "text", served.Body.String(), shown)
	check.Equal(t, "Content-Type", served.Header().Get("Content-Type"), "application/json")
	check.Equal(t, "Cache-Control", served.Header().Get("Cache-Control"), "no-cache")
	check.Equal(t, "sitemap", readSitemap(t, handler), []string{origin + "/", origin + "/channels",
		origin + "/publicar", origin + "/privacy"})

	lacking := get(t, handler, "/terms")
	check.Equal(t, "status of the page without a text", lacking.Code, http.StatusNotFound)
	check.Equal(t, "its head", readHead(t, lacking.Body.String()),
		hidden(described("Você Está Perdido?? · Sininho", words.lost.Description, "")))
	check.Equal(t, "status of no text", get(t, handler, "/terms.json", "Accept", "*/*").Code, http.StatusNotFound)
	check.Equal(t, "status below a page", get(t, handler, "/privacy/more").Code, http.StatusNotFound)

	config.Policies = map[string]string{"terms": "Sem título.\n# Depois"}
	page = get(t, newHandler(config, withHead()), "/terms")
	check.Equal(t, "head of a text without a title", readHead(t, page.Body.String()),
		described("Termos de utilização · Sininho", words.fixed[terms].Description, "/terms"))
}

func TestPagesAreCompressedAndConfirmed(t *testing.T) {
	handler := newHandler(siteConfig(newSite()), withHead())
	for _, target := range []string{"/", "/channels/metro/linhas", "/nope"} {
		plain, compressed := get(t, handler, target), get(t, handler, target, "Accept-Encoding", "gzip, br")
		check.Equal(t, "Content-Encoding of "+target, compressed.Header().Get("Content-Encoding"), "gzip")
		check.Equal(t, "Vary of "+target, plain.Header().Values("Vary"), []string{byLanguage, "Accept-Encoding"})
		r, err := gzip.NewReader(compressed.Body)
		check.Equal(t, "error of reading "+target, err, nil)
		text, err := io.ReadAll(r)
		check.Equal(t, "error of reading all of "+target, err, nil)
		check.Equal(t, "content of "+target, string(text), plain.Body.String())
		etag := compressed.Header().Get("ETag")
		if target == "/nope" {
			check.Equal(t, "ETag of an error", etag, "")
			continue
		}
		again := get(t, handler, target, "Accept-Encoding", "gzip", "If-None-Match", etag)
		check.Equal(t, "status of "+target+" with its tag", again.Code, http.StatusNotModified)
	}
}

// TestHostileTexts publishes what would leave the head if it was not escaped.
func TestHostileTexts(t *testing.T) {
	const name = `</title><script>alert(1)</script>"'><meta http-equiv="refresh" content="0;url=//x">&amp;`
	for _, text := range []string{name, "\"' onload=x `{{.}}` <!-- /head -->", "עברית \u200fוערבית العربية", "𝕊👩\u200d👧 ñ"} {
		s := newSite()
		c := s.channels["metro/linhas"]
		c.Name, c.Description, c.Icon = text, text, `https://x.example/"><script>`
		s.channels["metro/linhas"] = c
		s.publishers["metro"] = core.Publisher{Slug: "metro", Name: text, Description: text, ChannelCount: 1}
		s.notifications[published] = core.Notification{ID: published, Title: text, Body: text}
		config := siteConfig(s)
		config.Picture = nil
		handler := newHandler(config, withHead())
		for _, path := range []string{"", "/linhas", "/linhas/" + published.String()} {
			page := get(t, handler, "/channels/metro"+path).Body.String()
			if strings.Contains(page, "<script") || strings.Count(page, "http-equiv=\"") != 0 {
				t.Errorf("page of %q: got %s, want it without elements of the publisher", text, page)
			}
			head := readHead(t, page)
			plain := strings.ReplaceAll(text, "\u200f", "")
			check.Equal(t, "title", head["title"], plain+" · Sininho")
			check.Equal(t, "og:title", head["og:title"], plain)
			check.Equal(t, "description", head["description"], plain)
			check.Equal(t, "canonical", head["canonical"], origin+"/channels/metro"+path)
		}
	}
}

func TestPicturesOfPages(t *testing.T) {
	none := func(string) string { return "" }
	tests := []struct {
		name    string
		picture func(string) string
		image   string
		want    string
		card    string
	}{
		{"relayed", relayed, "https://x.example/a.png", relayed("https://x.example/a.png"), "summary_large_image"},
		{"not served", none, "https://x.example/a.png", origin + "/icon-512.png", "summary"},
		{"from elsewhere", nil, "https://x.example/a.png?b=1&c=2", "https://x.example/a.png?b=1&c=2",
			"summary_large_image"},
		{"no address", nil, "/a.png", origin + "/icon-512.png", "summary"},
		{"no picture", nil, "javascript:alert(1)", origin + "/icon-512.png", "summary"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite()
			s.notifications[published] = core.Notification{ID: published, Title: "T", Image: tt.image}
			config := siteConfig(s)
			config.Picture = tt.picture
			page := get(t, newHandler(config, withHead()), "/channels/metro/linhas/"+published.String())
			head := readHead(t, page.Body.String())
			check.Equal(t, "og:image", head["og:image"], tt.want)
			check.Equal(t, "twitter:image", head["twitter:image"], tt.want)
			check.Equal(t, "twitter:card", head["twitter:card"], tt.card)
		})
	}
}

// TestPagesWithoutADatabase serves the app with a general head, also when nothing comes from the database.
func TestPagesWithoutADatabase(t *testing.T) {
	want := described("Sininho", portuguese.general.Description, "")
	failing, stuck := newSite(), newSite()
	failing.err, stuck.wait = errors.New("connection refused"), make(chan struct{})
	for name, s := range map[string]*site{"failing": failing, "stuck": stuck} {
		handler := newHandler(siteConfig(s), withHead())
		for _, path := range []string{"/channels/metro", "/channels/metro/nada"} {
			w := get(t, handler, path)
			check.Equal(t, "status of "+path+", "+name, w.Code, http.StatusOK)
			check.Equal(t, "head of "+path+", "+name, readHead(t, w.Body.String()), want)
		}
	}
	failing.err = nil
	handler := newHandler(siteConfig(failing), withHead())
	check.Equal(t, "status after the failure", get(t, handler, "/channels/metro/nada").Code, http.StatusNotFound)
}

// TestPagesAreCurrent changes what pages show between two visits.
func TestPagesAreCurrent(t *testing.T) {
	const channel = "/channels/metro/linhas"
	notification := channel + "/" + published.String()
	tests := []struct {
		name, path string
		change     func(s *site)
		status     int
		title      string
		robots     string
	}{
		{"withdrawn", notification, func(s *site) { delete(s.notifications, published) }, 404, "Not Found", "noindex"},
		{"corrected", notification, func(s *site) {
			s.notifications[published] = core.Notification{ID: published, Title: "Linha verde reaberta"}
		}, 200, "Linha verde reaberta", ""},
		{"channel suspended", notification, changeChannel(func(c *core.Channel) { c.Suspended = true }),
			404, "Not Found", "noindex"},
		{"suspended", channel, changeChannel(func(c *core.Channel) { c.Suspended = true }), 404, "Not Found", "noindex"},
		{"deleted", channel, func(s *site) { delete(s.channels, "metro/linhas") }, 404, "Not Found", "noindex"},
		{"unlisted", channel, changeChannel(func(c *core.Channel) { c.Visibility = core.Unlisted }),
			200, "Linhas", "noindex"},
		{"renamed", channel, changeChannel(func(c *core.Channel) { c.Name = "Avisos" }), 200, "Avisos", ""},
		{"publisher deleted", "/channels/metro", func(s *site) { delete(s.publishers, "metro") },
			404, "Not Found", "noindex"},
		{"created", "/channels/nada", func(s *site) {
			s.publishers["nada"] = core.Publisher{Slug: "nada", Name: "Nada", ChannelCount: 1}
		}, 200, "Nada", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite()
			handler := newHandler(siteConfig(s), withHead())
			before := readHead(t, get(t, handler, tt.path).Body.String())
			tt.change(s)
			for range 2 {
				w := get(t, handler, tt.path)
				after := readHead(t, w.Body.String())
				check.Equal(t, "status", w.Code, tt.status)
				check.Equal(t, "title", after["title"], tt.title+" · Sininho")
				check.Equal(t, "robots", after["robots"], tt.robots)
				if after["title"] != before["title"] && strings.Contains(w.Body.String(), before["og:title"]) {
					t.Errorf("page after the change: got %s, want it without %q", w.Body, before["og:title"])
				}
			}
		})
	}
}

func changeChannel(change func(*core.Channel)) func(*site) {
	return func(s *site) {
		c := s.channels["metro/linhas"]
		change(&c)
		s.channels["metro/linhas"] = c
	}
}

// TestVisitorsShareReads lets visitors come while a page is read: those who wait for a slot share a read, and nobody
// gets one that has begun.
func TestVisitorsShareReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite()
		s.wait = make(chan struct{})
		handler := newHandler(siteConfig(s), withHead())
		got := make(chan int, 20)
		for range cap(got) {
			go func() { got <- get(t, handler, "/channels/metro").Code }()
			synctest.Wait()
		}
		check.Equal(t, "reads that have begun", s.reads.Load(), lookUps)
		close(s.wait)
		for range cap(got) {
			check.Equal(t, "status", <-got, http.StatusOK)
		}
		check.Equal(t, "reads", s.reads.Load(), lookUps+1)
	})
}

// TestPagesNameTheirFeeds expects a feed on the pages of channels and publishers.
func TestPagesNameTheirFeeds(t *testing.T) {
	s := newSite()
	c := s.channels["metro/linhas"]
	c.Slug, c.Demonstration = "demonstracao", true
	s.channels["metro/demonstracao"] = c
	handler := newHandler(siteConfig(s), withHead())
	for page, feed := range map[string]string{
		"/channels/metro": "/channels/metro/feed", "/channels/metro/linhas": "/channels/metro/linhas/feed",
		"/channels/metro/linhas/" + published.String(): "/channels/metro/linhas/feed",
		"/channels/metro/oculto":                       "/channels/metro/oculto/feed",
		"/channels/metro/demonstracao":                 "", "/channels/metro/fraude": "", "/channels": "", "/feed": "",
	} {
		var want []string
		if feed != "" {
			want = []string{"application/atom+xml " + origin + feed + ".atom", "application/feed+json " + origin + feed + ".json"}
		}
		var got []string
		for _, link := range feedElement.FindAllStringSubmatch(get(t, handler, page).Body.String(), -1) {
			got = append(got, link[1]+" "+link[2])
		}
		check.Equal(t, "feeds of "+page, got, want)
	}
}

func TestAddressesThatNothingCanHaveAreNotRead(t *testing.T) {
	s := newSite()
	handler := newHandler(siteConfig(s), withHead())
	for _, path := range []string{"/", "/channels/-/x", "/channels/metro/linhas/x"} {
		get(t, handler, path)
	}
	check.Equal(t, "reads", s.reads.Load(), 0)
}

func TestPagesAboveTheLimit(t *testing.T) {
	s := newSite()
	config := siteConfig(s)
	left := 1
	config.ReadAllowed = func(*http.Request) bool { left--; return left >= 0 }
	handler := newHandler(config, withHead())
	check.Equal(t, "title", readHead(t, get(t, handler, "/channels/metro").Body.String())["title"],
		"Metro de Lisboa · Sininho")
	w := get(t, handler, "/channels/metro/linhas")
	check.Equal(t, "status above the limit", w.Code, http.StatusOK)
	check.Equal(t, "title above the limit", readHead(t, w.Body.String())["title"], "Sininho")
	check.Equal(t, "reads", s.reads.Load(), 1)
}
