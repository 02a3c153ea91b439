package webui

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
)

// firebaseOrigins are the origins that Firebase's web SDK connects to, at addresses that cannot be configured.
var firebaseOrigins = []string{
	"https://firebaseinstallations.googleapis.com",
	"https://fcmregistrations.googleapis.com",
}

// secured adds the policies of the app's pages to every response of next.
func secured(config Config, next http.Handler) http.Handler {
	headers := map[string]string{
		"Content-Security-Policy": contentSecurityPolicy(config),
		"Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), " +
			"browsing-topics=()",
		"Referrer-Policy": "strict-origin-when-cross-origin",
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		if holdsToken(r.URL) {
			w.Header().Set("Referrer-Policy", "no-referrer")
			w.Header().Set("X-Robots-Tag", "noindex")
		}
		next.ServeHTTP(w, r)
	})
}

// holdsToken reports whether a page's URL contains a token from a waiting-list email. Anyone who knows the URL may use
// it.
func holdsToken(page *url.URL) bool {
	name := strings.ToLower(path.Clean(page.Path)) // as the app reads it
	return strings.HasPrefix(name, "/waitlist/") || name == "/login" && page.Query().Has("invitation")
}

// contentSecurityPolicy allows no scripts but the server's own files. It allows inline styles because Mantine writes
// them, and https images from anywhere if publishers' pictures come from their own servers.
func contentSecurityPolicy(config Config) string {
	images := "'self' data:"
	if config.Picture == nil {
		images += " https:"
		if !isHTTPS(config.PublicURL) {
			images += " http://localhost:* http://127.0.0.1:*"
		}
	}
	return strings.Join([]string{
		"default-src 'self'",
		"script-src 'self'",
		"style-src 'self' 'unsafe-inline'",
		"img-src " + images,
		"connect-src " + strings.Join(connectSources(config), " "),
		"worker-src 'self'",
		"manifest-src 'self'",
		"frame-src 'none'",
		"frame-ancestors 'none'",
		"base-uri 'none'",
		"form-action 'self'",
		"object-src 'none'",
	}, "; ")
}

func connectSources(config Config) []string {
	sources := []string{"'self'"}
	if strings.Contains(config.Env["PUSH"], "fcm") {
		sources = append(sources, firebaseOrigins...)
	}
	addresses := slices.Clone(config.ConnectTo)
	for _, name := range []string{"API_BASE_URL", "WAITLIST_API_BASE_URL", "DEMO_WEBHOOK_URL", "POSTHOG_HOST"} {
		addresses = append(addresses, config.Env[name])
	}
	for _, address := range addresses {
		if origin := originOf(address); origin != "" && !slices.Contains(sources, origin) {
			sources = append(sources, origin)
		}
	}
	return sources
}

// originOf returns "" for anything but an http(s) URL, so that no setting can add to the policy.
func originOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" || (parsed.Scheme != "http" && parsed.Scheme != "https") {
		return ""
	}
	if strings.ContainsAny(parsed.Host, " ;,'\"") {
		return ""
	}
	return parsed.Scheme + "://" + parsed.Host
}

func isHTTPS(address string) bool {
	return strings.HasPrefix(strings.ToLower(address), "https://")
}
