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

// Letters returns the emails after seq to an address, or to all if it is empty, oldest first.
func (m *Mailbox) Letters(to string, since int64) []Letter {
	letters, _ := m.lettersNow(to, since)
	return letters
}

func (m *Mailbox) lettersNow(to string, since int64) (letters []Letter, changed <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	letters = []Letter{}
	for _, l := range m.letters {
		if l.Seq > since && l.isFor(to) {
			letters = append(letters, l)
		}
	}
	return letters, m.changed
}

// Clear deletes all emails.
func (m *Mailbox) Clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.letters = nil
}

// list handles GET /messages?to=&since=&wait=. With wait it responds as soon as there is an email, or with an empty
// list once that time is over.
func (m *Mailbox) list(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	since, err := number(query.Get("since"))
	if err != nil {
		http.Error(w, "since is no number", http.StatusBadRequest)
		return
	}
	wait, err := duration(query.Get("wait"))
	if err != nil {
		http.Error(w, "wait is no duration such as 2s", http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), min(wait, longestWait))
	defer cancel()
	letters, changed := m.lettersNow(query.Get("to"), since)
	for len(letters) == 0 && ctx.Err() == nil {
		select {
		case <-changed:
		case <-ctx.Done():
		}
		letters, changed = m.lettersNow(query.Get("to"), since)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(letters) // the client may have gone
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
	letters := m.Letters("", 0)
	slices.Reverse(letters)
	secure(w)
	_ = page.Execute(w, letters) // the browser may have gone
}

// showHTML shows an email as a mail program would.
func (m *Mailbox) showHTML(w http.ResponseWriter, r *http.Request) {
	seq, _ := number(r.PathValue("seq")) // 0 is no email's number
	for _, l := range m.Letters("", seq-1) {
		if l.Seq == seq {
			secure(w)
			_, _ = w.Write([]byte(l.HTML))
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
