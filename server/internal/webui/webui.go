// Package webui serves the web app from the server's binary: its files, the settings that browsers may see
// (/config.js), and the security headers for both. It knows nothing about the API and never serves a setting that is
// not in its own list.
package webui

import (
	"embed"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// dist is what `npm run build` in webapp/ writes; only .gitkeep is committed.
//
//go:embed all:dist
var dist embed.FS

// Config determines the app's settings and the origins to which it may connect.
type Config struct {
	// Env maps environment variables to settings. Those that browsers may see are served as /config.js; all others are
	// left out. The app may connect to the URLs of the API, the demonstration webhook and PostHog among them.
	Env map[string]string
	// PublicURL is the address at which people reach the server. With http, images from this machine are allowed if
	// publishers' are.
	PublicURL string
	// ConnectTo lists other origins from which the app may fetch.
	ConnectTo []string
	// OwnPictures means that publishers' pictures come from the server itself, so that the app need load none from
	// elsewhere.
	OwnPictures bool
}

// Handler serves the app at the root of a host. The app itself routes every path that is not a file.
func Handler(config Config) http.Handler {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // cannot happen: the directive above embeds it
	}
	return newHandler(config, files)
}

func newHandler(config Config, dist fs.FS) http.Handler {
	app := &app{files: loadFiles(dist), settings: settingsScript(config.Env)}
	return secured(config, onlyReading(app))
}

type app struct {
	files    map[string]*file
	settings []byte
}

func (a *app) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	switch {
	case name == "config.js":
		a.serveSettings(w, r)
	case name == "index.html":
		a.serveIndex(w, r)
	case a.files[name] != nil:
		a.files[name].serve(w, r, cacheControl(name))
	case isPage(name, r.Header.Get("Accept")):
		a.serveIndex(w, r)
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

func (a *app) serveIndex(w http.ResponseWriter, r *http.Request) {
	index := a.files["index.html"]
	if index == nil {
		serveNotBuilt(w, r)
		return
	}
	index.serve(w, r, "no-cache")
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
