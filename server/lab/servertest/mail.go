package servertest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"testing"
)

// Email is an email that the mailbox stand-in received.
type Email struct {
	Seq                 int64
	From                string
	To                  []string
	Subject, Text, HTML string
	Headers             map[string][]string
}

// Mail waits until an email to an address has arrived after seq, and returns the first one.
func (s *Server) Mail(t testing.TB, to string, seq int64) Email {
	t.Helper()
	address := fmt.Sprintf("%s/messages?wait=10s&since=%d&to=%s", s.MailURL, seq, url.QueryEscape(to))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatalf("make a request for emails: %v", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("ask the mailbox for emails to %s: %v", to, err)
	}
	defer res.Body.Close() // the body has been read in full
	var emails []Email
	if err := json.NewDecoder(res.Body).Decode(&emails); err != nil || len(emails) == 0 {
		t.Fatalf("wait for an email to %s: got %d, %v", to, len(emails), err)
	}
	return emails[0]
}

var link = regexp.MustCompile(`https?://\S+`)

// Link returns the address of the email's button, which is the first link in its text.
func (e Email) Link() string { return link.FindString(e.Text) }
