package server

import (
	"net/http"
	"strings"
)

// withHeaders sets the security headers of every response. Handlers of pages replace the policies by their own.
func withHeaders(publicURL string, next http.Handler) http.Handler {
	headers := map[string]string{
		"Content-Security-Policy":    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
		"Cross-Origin-Opener-Policy": "same-origin",
		"Referrer-Policy":            "no-referrer",
		"X-Content-Type-Options":     "nosniff",
	}
	if strings.HasPrefix(publicURL, "https://") {
		// Not for subdomains, which may belong to others than the installation's owner.
		headers["Strict-Transport-Security"] = "max-age=31536000"
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		next.ServeHTTP(w, r)
	})
}
