package google

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string

	page = template.Must(template.New("page").Parse(pageHTML))

	// policy lets a browser apply the page's own style, and nothing else. It has no form-action, because browsers hold
	// that against the redirect that answers a form, too.
	policy = func() string {
		sum := sha256.Sum256([]byte(pageCSS))
		return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; img-src data:; base-uri 'none'; frame-ancestors 'none'"
	}()
)

// picture is what a page shows.
type picture struct {
	Style   template.CSS
	Fault   string // the whole page says what is wrong, if this is set
	Request authorization
	People  []person
	Typed   string // an e-mail address that is none
}

// showChoice asks who to be.
func showChoice(w http.ResponseWriter, in authorization, typed string) {
	show(w, http.StatusOK, picture{Request: in, People: offered, Typed: typed})
}

// showFault is for what the application must not be told.
func showFault(w http.ResponseWriter, fault string) {
	show(w, http.StatusBadRequest, picture{Fault: fault})
}

func show(w http.ResponseWriter, status int, p picture) {
	p.Style = template.CSS(pageCSS) // ours, embedded
	var b bytes.Buffer
	if err := page.Execute(&b, p); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	noStore(w)
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = b.WriteTo(w) // the browser may have gone
}
