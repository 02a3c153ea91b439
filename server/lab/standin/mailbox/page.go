package mailbox

import (
	"context"
	_ "embed"
	"encoding/json"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"time"
)

var (
	//go:embed page.html
	pageHTML string

	page = template.Must(template.New("page").Parse(pageHTML))
)

const (
	longestWait = time.Minute
	// policy allows an email's own style and nothing else.
	policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
)

// handler serves the page, and the JSON for scripts.
func (m *Mailbox) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", m.showPage)
	mux.HandleFunc("GET /messages", m.list)
	mux.HandleFunc("DELETE /messages", func(w http.ResponseWriter, _ *http.Request) {
		m.Clear()
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /messages/{seq}/html", m.showHTML)
	return mux
}

// Emails returns the emails after seq to an address, or to all if it is empty, oldest first.
func (m *Mailbox) Emails(to string, since int64) []Email {
	emails, _ := m.emailsNow(to, since)
	return emails
}

func (m *Mailbox) emailsNow(to string, since int64) (emails []Email, changed <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	emails = []Email{}
	for _, e := range m.emails {
		if e.Seq > since && e.isFor(to) {
			emails = append(emails, e)
		}
	}
	return emails, m.changed
}

// Clear deletes all emails.
func (m *Mailbox) Clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.emails = nil
}

// list handles GET /messages?to=&since=&wait=. With wait it responds as soon as there is an email, or with an empty
// list once that time is over.
func (m *Mailbox) list(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	since, err := number(query.Get("since"))
	if err != nil {
		http.Error(w, "since is not a number", http.StatusBadRequest)
		return
	}
	wait, err := duration(query.Get("wait"))
	if err != nil {
		http.Error(w, "wait is not a duration such as 2s", http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), min(wait, longestWait))
	defer cancel()
	emails, changed := m.emailsNow(query.Get("to"), since)
	for len(emails) == 0 && ctx.Err() == nil {
		select {
		case <-changed:
		case <-ctx.Done():
		}
		emails, changed = m.emailsNow(query.Get("to"), since)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(emails) // the client may have gone
}

func number(s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	return strconv.ParseInt(s, 10, 64)
}

func duration(s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	return time.ParseDuration(s)
}

// showPage lists the emails for people, newest first.
func (m *Mailbox) showPage(w http.ResponseWriter, _ *http.Request) {
	emails := m.Emails("", 0)
	slices.Reverse(emails)
	secure(w)
	_ = page.Execute(w, emails) // the browser may have gone
}

// showHTML shows an email as a mail program would.
func (m *Mailbox) showHTML(w http.ResponseWriter, r *http.Request) {
	seq, _ := number(r.PathValue("seq")) // no email has the number 0
	for _, e := range m.Emails("", seq-1) {
		if e.Seq == seq {
			secure(w)
			_, _ = w.Write([]byte(e.HTML))
			return
		}
	}
	http.NotFound(w, r)
}

func secure(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
}
