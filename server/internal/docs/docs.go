// Package docs serves the documentation for third parties at /docs: the guides in the folder docs/, and a reference
// generated from the contract, as static pages with a search. Everything is rendered once from embedded files; nothing
// is fetched from elsewhere, and every visitor gets the same pages.
package docs

import (
	"net/http"
	"strings"
	"sync"
)

// Base is the path under which the documentation is served.
const Base = "/docs"

// site renders all pages, once per process. It panics if a guide or the contract cannot be rendered, because both are
// part of the program.
var site = sync.OnceValue(func() map[string]*file {
	files, err := build()
	if err != nil {
		panic("docs: " + err.Error())
	}
	return files
})

// Handler serves the documentation below Base.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header())
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
			return
		}
		path := strings.TrimPrefix(r.URL.Path, Base)
		bare := strings.TrimRight(path, "/")
		w.Header().Add("Vary", "Accept")
		if text := site()[bare+".md"]; text != nil && bare == path && wantsMarkdown(r) {
			text.serve(w, r, http.StatusOK)
			return
		}
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

// notFound is the key of the 404 page. It begins without a slash, so no request path equals it.
const notFound = "404"

// secure sets the policies of pages, which may load only scripts, styles and images from the server itself.
func secure(header http.Header) {
	header.Set("Content-Security-Policy",
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "+
			"frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	header.Set("Referrer-Policy", "strict-origin-when-cross-origin")
}
