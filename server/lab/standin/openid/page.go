package openid

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

	// policy allows the page's own style and nothing else. It has no form-action, because browsers also apply that to
	// the redirect after a submitted form.
	policy = func() string {
		sum := sha256.Sum256([]byte(pageCSS))
		return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; img-src data:; base-uri 'none'; frame-ancestors 'none'"
	}()
)

// picture is the data of the page.
type picture struct {
	Style   template.CSS
	Name    string // of the provider
	Fault   string // if set, the page shows only this fault
	Request authorization
	People  []person
	Typed   string // an invalid email address
}

// showChoice asks which person to sign in.
func (g *Provider) showChoice(w http.ResponseWriter, in authorization, typed string) {
	show(w, http.StatusOK, picture{Name: g.config.Name, Request: in, People: offered, Typed: typed})
}

// showFault shows a fault that must not be reported to the application.
func (g *Provider) showFault(w http.ResponseWriter, fault string) {
	show(w, http.StatusBadRequest, picture{Name: g.config.Name, Fault: fault})
}

func show(w http.ResponseWriter, status int, p picture) {
	p.Style = template.CSS(pageCSS) // safe: embedded in this binary
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
