package servertest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"testing"
)

// Letter is an email that the mailbox stand-in received.
type Letter struct {
	Seq                 int64
	From                string
	To                  []string
	Subject, Text, HTML string
	Headers             map[string][]string
}

// Mail waits until an email to an address has arrived after seq, and returns the first one.
func (s *Server) Mail(t testing.TB, to string, seq int64) Letter {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("%s/messages?wait=10s&since=%d&to=%s", s.MailURL, seq, url.QueryEscape(to)), nil)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("request %s %s: %v", req.Method, req.URL, err)
	}
	defer res.Body.Close() // the body has been read in full
	var letters []Letter
	if err := json.NewDecoder(res.Body).Decode(&letters); err != nil || len(letters) == 0 {
		t.Fatalf("no e-mail came to %s: %v", to, err)
	}
	return letters[0]
}

var link = regexp.MustCompile(`https?://\S+`)

// Link returns the address of the email's button, which is the first link in its text.
func (l Letter) Link() string { return link.FindString(l.Text) }
