package server

import (
	"net/http"
	"slices"

	"github.com/sininho/sininho/server/internal/compat"
	"github.com/sininho/sininho/server/internal/compat/gotify"
	"github.com/sininho/sininho/server/internal/compat/ntfy"
)

// Values of COMPATIBLE_WITH.
const (
	compatibleGotify = "gotify"
	compatibleNtfy   = "ntfy"
)

var compatibles = []string{compatibleGotify, compatibleNtfy}

// checkCompatible validates the servers whose protocols are spoken.
func (c Config) checkCompatible(p *problems) {
	unknown := func(name string) bool { return !slices.Contains(compatibles, name) }
	if slices.ContainsFunc(c.CompatibleWith, unknown) {
		p.add("COMPATIBLE_WITH", "must be ntfy, gotify, both with a comma between, or unset")
	}
}

// compatible returns a handler that also speaks the protocols of other servers, by calls of the API.
func (c Config) compatible(api, next http.Handler) http.Handler {
	if slices.Contains(c.CompatibleWith, compatibleNtfy) {
		next = ntfy.Beside(next, ntfy.Config{API: compat.API{Handler: api}, PublicURL: c.PublicURL, Now: Now})
	}
	if slices.Contains(c.CompatibleWith, compatibleGotify) {
		next = gotify.Beside(next, compat.API{Handler: api})
	}
	return next
}
