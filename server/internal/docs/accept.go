package docs

import (
	"net/http"
	"strconv"
	"strings"
)

// wantsMarkdown reports whether a request asks for Markdown rather than HTML.
func wantsMarkdown(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	return quality(accept, "text/markdown") > quality(accept, "text/html")
}

// quality returns how much an Accept or Accept-Encoding header wants what it names, from 0 to 1; 0 is also what it does
// not name.
func quality(header, name string) float64 {
	for item := range strings.SplitSeq(header, ",") {
		named, parameters, _ := strings.Cut(strings.TrimSpace(item), ";")
		if !strings.EqualFold(strings.TrimSpace(named), name) {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimPrefix(strings.ReplaceAll(parameters, " ", ""), "q="), 64)
		if err != nil {
			return 1
		}
		return q
	}
	return 0
}
