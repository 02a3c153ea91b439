package posthog

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"
	"slices"
)

var (
	//go:embed page.html
	pageHTML string

	page = template.Must(template.New("page").Parse(pageHTML))
)

// showPage handles GET /: the received requests, newest first.
func (s *Server) showPage(w http.ResponseWriter, _ *http.Request) {
	requests := s.Requests(0)
	slices.Reverse(requests)
	var b bytes.Buffer
	if err := page.Execute(&b, requests); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Security-Policy",
		"default-src 'none'; img-src data:; base-uri 'none'; frame-ancestors 'none'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = b.WriteTo(w) // the browser may have gone
}
