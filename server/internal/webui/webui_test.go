package webui

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sininho/sininho/server/lab/check"
)

func built() fstest.MapFS {
	return fstest.MapFS{
		".gitkeep":                {},
		"index.html":              {Data: []byte("<!doctype html><div id=root>")},
		"sw.js":                   {Data: []byte("/* worker */")},
		"manifest.webmanifest":    {Data: []byte("{}")},
		"icon-192.png":            {Data: []byte("png")},
		"channels/tempo.png":      {Data: []byte("png")},
		"assets/app-Ab12.js":      {Data: []byte("plain script")},
		"assets/app-Ab12.js.br":   {Data: []byte("brotli script")},
		"assets/app-Ab12.js.gz":   {Data: []byte("gzip script")},
		"assets/style-Cd34.css":   {Data: []byte("body{}")},
		"assets/only-Ef56.js":     {Data: []byte("x")},
		"assets/only-Ef56.js.map": {Data: []byte("{}")},
	}
}

func get(t *testing.T, handler http.Handler, target string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	return request(t, handler, http.MethodGet, target, headers...)
}

func request(t *testing.T, handler http.Handler, method, target string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

func TestFiles(t *testing.T) {
	handler := newHandler(Config{}, built())
	const browser = "text/html,application/xhtml+xml,*/*;q=0.8"
	tests := []struct {
		name, path, accept, encoding string
		status                       int
		body, contentType, cache     string
	}{
		{"root", "/", browser, "", 200, "<!doctype html><div id=root>", "text/html; charset=utf-8", "no-cache"},
		{
			"app route", "/channels", browser, "", 200, "<!doctype html><div id=root>",
			"text/html; charset=utf-8", "no-cache",
		},
		{
			"an unknown path shows the app", "/nope.html", browser, "", 404, "<!doctype html><div id=root>",
			"text/html; charset=utf-8", "no-cache",
		},
		{"curl", "/feed", "*/*", "", 200, "<!doctype html><div id=root>", "text/html; charset=utf-8", "no-cache"},
		{
			"index by name", "/index.html", browser, "", 200, "<!doctype html><div id=root>",
			"text/html; charset=utf-8", "no-cache",
		},
		{"worker", "/sw.js", "*/*", "", 200, "/* worker */", "text/javascript; charset=utf-8", "no-cache"},
		{"manifest", "/manifest.webmanifest", "*/*", "", 200, "{}", "application/manifest+json", "no-cache"},
		{"icon", "/icon-192.png", "image/*", "", 200, "png", "image/png", "public, max-age=86400"},
		{"channel icon", "/channels/tempo.png", "image/*", "", 200, "png", "image/png", "public, max-age=86400"},
		{
			"asset", "/assets/app-Ab12.js", "*/*", "", 200, "plain script", "text/javascript; charset=utf-8",
			"public, max-age=31536000, immutable",
		},
		{
			"brotli", "/assets/app-Ab12.js", "*/*", "gzip, deflate, br", 200, "brotli script",
			"text/javascript; charset=utf-8", "public, max-age=31536000, immutable",
		},
		{
			"gzip", "/assets/app-Ab12.js", "*/*", "gzip, br;q=0", 200, "gzip script", "text/javascript; charset=utf-8",
			"public, max-age=31536000, immutable",
		},
		{
			"no encoding made", "/assets/style-Cd34.css", "*/*", "gzip, br", 200, "body{}", "text/css; charset=utf-8",
			"public, max-age=31536000, immutable",
		},
		{
			"missing asset", "/assets/gone-Xx.js", browser, "", 404, "404 page not found\n",
			"text/plain; charset=utf-8", "",
		},
		{
			"missing image", "/channels/none.png", "image/avif,*/*;q=0.8", "", 404, "404 page not found\n",
			"text/plain; charset=utf-8", "",
		},
		{"missing json", "/data", "application/json", "", 404, "404 page not found\n", "text/plain; charset=utf-8", ""},
		{"hidden file", "/.gitkeep", "*/*", "", 404, "404 page not found\n", "text/plain; charset=utf-8", ""},
		{
			"encoded file by name", "/assets/app-Ab12.js.br", "*/*", "", 404, "404 page not found\n",
			"text/plain; charset=utf-8", "",
		},
		{
			"out of the tree", "/../../etc/passwd.txt", "*/*", "", 404, "404 page not found\n",
			"text/plain; charset=utf-8", "",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := get(t, handler, tt.path, "Accept", tt.accept, "Accept-Encoding", tt.encoding)
			if w.Code != tt.status || w.Body.String() != tt.body {
				t.Errorf("response: got %d %q, want %d %q", w.Code, w.Body, tt.status, tt.body)
			}
			if got := w.Header().Get("Content-Type"); got != tt.contentType {
				t.Errorf("Content-Type: got %q, want %q", got, tt.contentType)
			}
			if got := w.Header().Get("Cache-Control"); got != tt.cache {
				t.Errorf("Cache-Control: got %q, want %q", got, tt.cache)
			}
		})
	}
}

func TestEncodedResponsesVaryAndHaveTheirOwnTag(t *testing.T) {
	handler := newHandler(Config{}, built())
	plain := get(t, handler, "/assets/app-Ab12.js")
	brotli := get(t, handler, "/assets/app-Ab12.js", "Accept-Encoding", "br")
	if got := plain.Header().Get("Vary"); got != "Accept-Encoding" {
		t.Errorf("Vary: got %q, want Accept-Encoding", got)
	}
	if got := brotli.Header().Get("Content-Encoding"); got != "br" {
		t.Errorf("Content-Encoding: got %q, want br", got)
	}
	if plain.Header().Get("ETag") == brotli.Header().Get("ETag") {
		t.Error("ETags of two encodings: got the same, want different ones")
	}
	again := get(t, handler, "/assets/app-Ab12.js", "Accept-Encoding", "br", "If-None-Match",
		brotli.Header().Get("ETag"))
	if again.Code != http.StatusNotModified || again.Body.Len() != 0 {
		t.Errorf("matching ETag: got %d with %d bytes, want 304 with none", again.Code, again.Body.Len())
	}
}

func TestSettings(t *testing.T) {
	handler := newHandler(Config{Env: map[string]string{
		"API_BASE_URL":     "http://localhost:8080/api/v1",
		"DEMO_WEBHOOK_URL": "http://localhost:8080/api/v1/webhooks/channels/x?</script><!--\u2028",
		"GOOGLE_SECRET":    "must-not-leak",
		"DATABASE_URL":     "must-not-leak",
	}}, built())
	w := get(t, handler, "/config.js")
	const want = `globalThis.SININHO_ENV = Object.freeze({
  "DEMO_WEBHOOK_URL": "http://localhost:8080/api/v1/webhooks/channels/x?\u003c/script\u003e\u003c!--\u2028",
  "API_BASE_URL": "http://localhost:8080/api/v1"
});
`
	if w.Body.String() != want {
		t.Errorf("body: got\n%s\nwant\n%s", w.Body, want)
	}
	if got := w.Header().Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control: got %q, want no-store", got)
	}
	if got := w.Header().Get("Content-Type"); got != "text/javascript; charset=utf-8" {
		t.Errorf("Content-Type: got %q, want JavaScript", got)
	}
	if head := request(t, handler, http.MethodHead, "/config.js"); head.Body.Len() != 0 {
		t.Errorf("body of HEAD: got %q, want none", head.Body)
	}
}

func TestSecurityHeaders(t *testing.T) {
	handler := newHandler(Config{
		Env: map[string]string{
			"PUSH":         "fcm",
			"API_BASE_URL": "https://api.example/api/v1",
			"POSTHOG_HOST": "https://eu.posthog.example",
			// neither may change the policy
			"DEMO_WEBHOOK_URL":      "javascript:alert(1)",
			"WAITLIST_API_BASE_URL": "https://x; script-src *",
		},
		PublicURL: "https://sininho.example",
		ConnectTo: []string{"https://more.example/path", "https://api.example"},
	}, built())
	for _, target := range []string{"/", "/config.js", "/sw.js", "/assets/app-Ab12.js", "/assets/none.js"} {
		header := get(t, handler, target).Header()
		policy := header.Get("Content-Security-Policy")
		for _, directive := range []string{
			"default-src 'self'", "script-src 'self'", "style-src 'self' 'unsafe-inline'",
			"img-src 'self' data: https:",
			"connect-src 'self' https://firebaseinstallations.googleapis.com https://fcmregistrations.googleapis.com " +
				"https://more.example https://api.example https://eu.posthog.example", "worker-src 'self'",
			"frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'", "object-src 'none'",
		} {
			if !strings.Contains("; "+policy+";", "; "+directive+";") {
				t.Errorf("policy of %s: %q is missing in %s", target, directive, policy)
			}
		}
		check.Equal(t, "Referrer-Policy of "+target, header.Get("Referrer-Policy"), "strict-origin-when-cross-origin")
		if header.Get("Permissions-Policy") == "" {
			t.Errorf("Permissions-Policy of %s: got none, want one", target)
		}
	}
}

func TestAnAddressWithATokenIsToldToNobody(t *testing.T) {
	handler := newHandler(Config{}, built())
	for target, secret := range map[string]bool{
		"/waitlist/swt_x":            true,
		"//waitlist/swt_x":           true,
		"/login?invitation=swi_x":    true,
		"/login":                     false,
		"/?ref=k7p2m9xq":             false,
		"/channels?invitation=swi_x": false,
	} {
		header := get(t, handler, target, "Accept", "text/html").Header()
		referrer, robots := header.Get("Referrer-Policy"), header.Get("X-Robots-Tag")
		if (referrer == "no-referrer") != secret || (robots == "noindex") != secret {
			t.Errorf("%s: got Referrer-Policy %q and X-Robots-Tag %q, want them strict: %t", target,
				referrer, robots, secret)
		}
	}
}

func TestPlainHTTPAllowsLocalImages(t *testing.T) {
	header := get(t, newHandler(Config{PublicURL: "http://localhost:8080"}, built()), "/").Header()
	if policy := header.Get("Content-Security-Policy"); !strings.Contains(policy, "http://127.0.0.1:*") {
		t.Errorf("policy: got %q, want local images allowed", policy)
	}
}

func TestPicturesOfTheServerAlone(t *testing.T) {
	for _, address := range []string{"https://sininho.example", "http://localhost:8080"} {
		header := get(t, newHandler(Config{PublicURL: address, Picture: relayed}, built()), "/").Header()
		if policy := header.Get("Content-Security-Policy"); !strings.Contains(policy, "; img-src 'self' data:;") {
			t.Errorf("policy at %s: got %q, want images of no other server", address, policy)
		}
	}
}

func TestOtherMethodsAreRefused(t *testing.T) {
	w := request(t, newHandler(Config{}, built()), http.MethodPost, "/")
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: got %d with Allow %q, want 405 with GET, HEAD", w.Code, w.Header().Get("Allow"))
	}
}

func TestNotBuilt(t *testing.T) {
	handler := newHandler(Config{}, fstest.MapFS{".gitkeep": {}})
	w := get(t, handler, "/feed", "Accept", "text/html")
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "make build") {
		t.Errorf("web app that is not built: got %d %s, want 503 with a hint", w.Code, w.Body)
	}
}

func TestHandlerServesTheEmbeddedApp(t *testing.T) {
	w := get(t, Handler(Config{}), "/", "Accept", "text/html")
	if w.Code != http.StatusOK && w.Code != http.StatusServiceUnavailable {
		t.Errorf("embedded web app: got %d, want 200 or 503", w.Code)
	}
}
