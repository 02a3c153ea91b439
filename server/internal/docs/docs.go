// Package docs serves the documentation for third parties at /docs: the guides of the folder docs/, and a reference made
// of the contract, as static pages with a search. Everything is rendered once, out of what is embedded; nothing is
// fetched from elsewhere, and nothing depends on who asks.
package docs

import (
	"net/http"
	"strings"
	"sync"
)

// Base is where the documentation is served.
const Base = "/docs"

// site renders everything, once for all servers of a process. It panics when a guide or the contract cannot be rendered:
// both are part of the program.
var site = sync.OnceValue(func() map[string]*file {
	files, err := build()
	if err != nil {
		panic("docs: " + err.Error())
	}
	return files
})

// Handler serves the documentation below Base. strict says that browsers are told never to use http again.
func Handler(strict bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header(), strict)
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
			return
		}
		path := strings.TrimPrefix(r.URL.Path, Base)
		bare := strings.TrimRight(path, "/")
		switch f := site()[bare]; {
		case f == nil:
			site()[notFound].serve(w, r, http.StatusNotFound)
		case bare != path:
			http.Redirect(w, r, f.address, http.StatusMovedPermanently)
		default:
			f.serve(w, r, http.StatusOK)
		}
	})
}

// notFound is no path that can be asked for.
const notFound = "404"

// secure allows scripts, styles and pictures of our own and nothing else.
func secure(header http.Header, strict bool) {
	header.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "+
		"frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	header.Set("X-Content-Type-Options", "nosniff")
	if strict {
		header.Set("Strict-Transport-Security", "max-age=31536000")
	}
}
