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

// crossOrigin lets pages of other origins call the API (CORS).
func (a *server) crossOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		allowed := a.allowOrigin(h, r)
		switch {
		case allowed && isPreflight(r):
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

// allowOrigin says in the response, and reports, whether the page of a request may have it. Any page may read what is
// public, and do what a credential in its requests allows, but never with a person's cookies: a browser keeps the
// response to a request with cookies from a page that is only allowed because all are. The configured web app alone may
// use those, for the waiting list.
func (a *server) allowOrigin(h http.Header, r *http.Request) bool {
	own, origin := a.PublicURL.Scheme+"://"+a.PublicURL.Host, r.Header.Get("Origin")
	if strings.HasPrefix(r.URL.Path, waitlistPath) {
		h.Add("Vary", "Origin")
		if origin != own {
			return false
		}
		h.Set("Access-Control-Allow-Origin", own)
		h.Set("Access-Control-Allow-Credentials", "true")
		return true
	}
	if origin == "" || origin == own {
		return false
	}
	h.Add("Vary", "Origin")
	method, signed := r.Method, r.Header.Get("Authorization") != ""
	if isPreflight(r) {
		method, signed = r.Header.Get("Access-Control-Request-Method"), asksFor(r, "Authorization")
	}
	if method != http.MethodGet && method != http.MethodHead && !signed {
		return false
	}
	h.Set("Access-Control-Allow-Origin", "*")
	return true
}

func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

// asksFor reports whether a preflight asks to send a header.
func asksFor(r *http.Request, header string) bool {
	names := strings.Split(r.Header.Get("Access-Control-Request-Headers"), ",")
	return slices.ContainsFunc(names, func(name string) bool {
		return strings.EqualFold(strings.TrimSpace(name), header)
	})
}
