package httpapi

import (
	"net/http"
	"slices"
	"strings"
)

// waitlistPath is the only part of the API that the web app may call from another origin with its cookies, because the
// waiting list may be served alone, at its own address.
const waitlistPath = prefix + "/waitlist/"

const (
	crossMethods = "GET, HEAD, POST, PUT, PATCH, DELETE"
	crossHeaders = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Link, " +
		"Priority, Title, Traceparent, X-Request-Id"
	crossExposed = "ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, " +
		"Stream-Position, X-Request-Id"
	crossMaxAge = "600" // seconds
)

// crossOrigin lets pages of other origins call the API (CORS). Any page may read what is public, and do what a
// credential in its requests allows, but never with a person's cookies: a browser keeps the response to a request with
// cookies from a page that is only allowed because all are. The configured web app alone may use those, for the waiting
// list.
func (a *server) crossOrigin(next http.Handler) http.Handler {
	own := a.PublicURL.Scheme + "://" + a.PublicURL.Host
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, origin, waits := w.Header(), r.Header.Get("Origin"), strings.HasPrefix(r.URL.Path, waitlistPath)
		if waits || origin != "" && origin != own {
			h.Add("Vary", "Origin")
		}
		method, preflight := r.Header.Get("Access-Control-Request-Method"), r.Method == http.MethodOptions
		switch {
		case origin == "" || preflight && method == "" || waits != (origin == own):
		case waits:
			h.Set("Access-Control-Allow-Origin", own)
			h.Set("Access-Control-Allow-Credentials", "true")
		case preflight && (isRead(method) || asksFor(r, "Authorization")),
			!preflight && (isRead(r.Method) || r.Header.Get("Authorization") != ""):
			h.Set("Access-Control-Allow-Origin", "*")
		}
		switch allowed := h.Get("Access-Control-Allow-Origin") != ""; {
		case allowed && preflight:
			h.Set("Access-Control-Allow-Methods", crossMethods)
			h.Set("Access-Control-Allow-Headers", crossHeaders)
			h.Set("Access-Control-Max-Age", crossMaxAge)
			w.WriteHeader(http.StatusNoContent)
			return
		case allowed:
			h.Set("Access-Control-Expose-Headers", crossExposed)
		}
		next.ServeHTTP(w, r)
	})
}

func isRead(method string) bool { return method == http.MethodGet || method == http.MethodHead }

// asksFor reports whether a preflight asks to send a header.
func asksFor(r *http.Request, header string) bool {
	names := strings.Split(r.Header.Get("Access-Control-Request-Headers"), ",")
	return slices.ContainsFunc(names, func(name string) bool {
		return strings.EqualFold(strings.TrimSpace(name), header)
	})
}
