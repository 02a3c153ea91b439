// Package webui serves the web app from the server's binary: its files, a head for each of its pages, the settings that
// browsers may see (/config.js), what crawlers ask for (/robots.txt, /sitemap.xml), and the security headers for all
// of them. It shows what anyone may see, whoever asks, and never serves a setting that is not in its own list.
package webui

import (
	"cmp"
	"embed"
	"io/fs"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// dist is what `npm run build` in webapp/ writes; only .gitkeep is committed.
//
//go:embed all:dist
var dist embed.FS

// Config determines the app's settings, the origins to which it may connect, and what its pages show to crawlers.
// Pages, ReadAllowed, Now and Log are required.
type Config struct {
	// Env maps environment variables to settings. Those that browsers may see are served as /config.js; all others are
	// left out. The app may connect to the URLs of the API, the demonstration webhook and PostHog among them.
	Env map[string]string
	// PublicURL is the address at which people reach the server, and with which the addresses of pages begin. With
	// http, images from this machine are allowed if publishers' are.
	PublicURL string
	// ConnectTo lists other origins from which the app may fetch.
	ConnectTo []string
	// Picture returns the address at which the server itself serves a publisher's picture, or "" for one that it
	// refuses. It is nil if browsers load pictures from elsewhere.
	Picture func(address string) string
	// Policies are the operator's texts, "privacy" and "terms", in Markdown. Without one, its page does not exist.
	Policies map[string]string
	// Pages has what the pages of publishers show.
	Pages Pages
	// ReadAllowed counts a request that reads from Pages, and reports whether its sender may send more of them.
	ReadAllowed func(*http.Request) bool
	Now         func() time.Time
	Log         *slog.Logger
}

// Handler serves the app at the root of a host. The app itself routes every path that is not a file; the server routes
// them too, for the head and the status of each page.
func Handler(config Config) http.Handler {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // cannot happen: the directive above embeds it
	}
	return newHandler(config, files)
}

func newHandler(config Config, dist fs.FS) http.Handler {
	files := loadFiles(dist)
	for name, text := range config.Policies {
		files[name+".json"] = policyFile(name+".json", text)
	}
	app := &app{files: files, settings: settingsScript(config.Env), robots: robotsFile(config),
		sitemap: &sitemap{Config: config}}
	if files["index.html"] != nil {
		app.pages = newPages(config, func(l core.Language) *file { return app.file("index.html", l) })
	}
	return secured(config, onlyReading(app))
}

type app struct {
	files    map[string]*file
	settings []byte
	robots   *file
	sitemap  *sitemap
	pages    *pages // nil: the app is not built
}

func (a *app) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	switch {
	case name == "config.js":
		a.serveSettings(w, r)
	case name == "robots.txt":
		a.robots.serve(w, r, "public, max-age=3600")
	case name == "sitemap.xml":
		a.sitemap.ServeHTTP(w, r)
	case name == "index.html":
		a.servePage(w, r, "/")
	case name == manifestName && a.files[name] != nil:
		a.serveManifest(w, r)
	case a.files[name] != nil:
		a.serveFile(w, r, name)
	case isPage(name, r.Header.Get("Accept")):
		a.servePage(w, r, r.URL.EscapedPath())
	default:
		http.NotFound(w, r)
	}
}

func (a *app) serveSettings(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if r.Method != http.MethodHead {
		_, _ = w.Write(a.settings)
	}
}

func (a *app) servePage(w http.ResponseWriter, r *http.Request, escaped string) {
	if a.pages == nil {
		serveNotBuilt(w, r)
		return
	}
	w.Header().Set("Vary", byLanguage)
	a.pages.serve(w, r, escaped, languageOf(r))
}

func (a *app) serveFile(w http.ResponseWriter, r *http.Request, name string) {
	if a.file(name, core.English) != a.files[name] {
		w.Header().Set("Vary", byLanguage)
	}
	a.file(name, languageOf(r)).serve(w, r, cacheControl(name))
}

// file returns a file in a language. Most are the same in all of them.
func (a *app) file(name string, l core.Language) *file {
	extension := path.Ext(name)
	return cmp.Or(a.files[strings.TrimSuffix(name, extension)+"."+string(l)+extension], a.files[name])
}

// cacheControl lets browsers cache a file with a hash in its name permanently and an image for a day, and makes them
// revalidate all others.
func cacheControl(name string) string {
	switch {
	case strings.HasPrefix(name, "assets/"):
		return "public, max-age=31536000, immutable"
	case path.Ext(name) == ".png", path.Ext(name) == ".svg":
		return "public, max-age=86400"
	default: // includes sw.js and the manifest, which must not outlive a release
		return "no-cache"
	}
}

// isPage distinguishes a visit to the app from a request for a missing file.
func isPage(name, accept string) bool {
	if strings.HasPrefix(name, "assets/") {
		return false
	}
	if strings.Contains(accept, "text/html") {
		return true
	}
	return path.Ext(name) == "" && (accept == "" || strings.Contains(accept, "*/*"))
}

func onlyReading(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
			return
		}
		next.ServeHTTP(w, r)
	})
}

const notBuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Sininho: the web app is not built</title>
<h1>The web app is not built</h1>
<p>The API works. To have the web app too, run <code>make build</code> and start the server again.</p>
</html>
`

func serveNotBuilt(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusServiceUnavailable)
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(notBuilt))
	}
}
