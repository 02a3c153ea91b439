package command

import (
	"net/http"
	"strings"

	"github.com/sininho/sininho/internal/version"
)

// named puts the name and the version of this program before those of the library in the User-Agent of each request.
func named(next http.RoundTripper) http.RoundTripper {
	own := "sininho/" + strings.TrimPrefix(version.Read().Version, "v") + " "
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		r.Header.Set("User-Agent", own+r.Header.Get("User-Agent"))
		return next.RoundTrip(r)
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
