package httpapi

import (
	"net/http"
	"strings"
)

// waitlistPath is the only part of the API that the web app may call from another origin, because the waiting list may
// be served alone, at its own address.
const waitlistPath = prefix + "/waitlist/"

const (
	crossMethods = "GET, HEAD, POST, DELETE"
	crossHeaders = "Authorization, Content-Type, Idempotency-Key, X-Request-Id"
	crossExposed = "Idempotency-Replayed, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"
	crossMaxAge  = "600" // seconds
)

// crossOrigin lets the configured web app, and no other site, call the waiting list with its cookies (CORS).
func (a *server) crossOrigin(next http.Handler) http.Handler {
	allowed := a.PublicURL.Scheme + "://" + a.PublicURL.Host
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, waitlistPath) {
			next.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Add("Vary", "Origin")
		if r.Header.Get("Origin") != allowed {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Origin", allowed)
		h.Set("Access-Control-Allow-Credentials", "true")
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			h.Set("Access-Control-Allow-Methods", crossMethods)
			h.Set("Access-Control-Allow-Headers", crossHeaders)
			h.Set("Access-Control-Max-Age", crossMaxAge)
			w.WriteHeader(http.StatusNoContent)
			return
		}
		h.Set("Access-Control-Expose-Headers", crossExposed)
		next.ServeHTTP(w, r)
	})
}
