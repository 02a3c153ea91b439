package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"regexp"
	"testing"

	"github.com/sininho/sininho/server/lab/standin/mailbox"
)

func newMailbox(t *testing.T) *mailbox.Mailbox {
	t.Helper()
	box, err := mailbox.Start(mailbox.Config{})
	if err != nil {
		t.Fatalf("start a mailbox: %v", err)
	}
	t.Cleanup(func() { _ = box.Close() })
	return box
}

// person is somebody with a browser, by plain http on this machine.
type person struct {
	b      *bare
	client *http.Client
}

// signIn signs a person in by the code in their mailbox.
func (b *bare) signIn(mail *mailbox.Mailbox, email string) *person {
	b.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		b.t.Fatalf("make a cookie jar: %v", err)
	}
	p := &person{b: b, client: &http.Client{Jar: insecure{jar}}}
	p.do(http.MethodPost, "/auth/email", map[string]string{"email": email}, http.StatusNoContent, nil)
	code := regexp.MustCompile(`\d{4} \d{4}`).FindString(mailTo(b.t, mail, email))
	p.do(http.MethodPost, "/auth/email/code", map[string]string{"code": code}, http.StatusOK, nil)
	return p
}

// mailTo returns the subject of the first email to an address.
func mailTo(t *testing.T, mail *mailbox.Mailbox, email string) string {
	t.Helper()
	res, err := http.Get(mail.URL() + "/messages?wait=30s&to=" + email)
	if err != nil {
		t.Fatalf("read the mailbox: %v", err)
	}
	defer func() { _ = res.Body.Close() }()
	var messages []struct{ Subject string }
	if err := json.NewDecoder(res.Body).Decode(&messages); err != nil || len(messages) == 0 {
		t.Fatalf("emails to %s: got %v and %v, want one", email, messages, err)
	}
	return messages[0].Subject
}

// email returns the address of the account that the person is signed in to, or an empty string.
func (p *person) email() string {
	p.b.t.Helper()
	var auth struct{ Subscriber struct{ Email string } }
	p.do(http.MethodGet, "/auth", nil, http.StatusOK, &auth)
	return auth.Subscriber.Email
}

func (p *person) do(method, path string, body any, want int, out any) {
	p.b.t.Helper()
	sent, err := json.Marshal(body)
	if err != nil {
		p.b.t.Fatalf("encode the body: %v", err)
	}
	req, err := http.NewRequestWithContext(p.b.t.Context(), method, "http://"+p.b.addr+"/api/v1"+path,
		bytes.NewReader(sent))
	if err != nil {
		p.b.t.Fatalf("make a request: %v", err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := p.client.Do(req)
	if err != nil {
		p.b.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer func() { _ = res.Body.Close() }()
	got, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != want {
		p.b.t.Fatalf("%s %s: got %s and %v, want %d: %s", method, path, res.Status, err, want, got)
	}
	if out != nil {
		if err := json.Unmarshal(got, out); err != nil {
			p.b.t.Fatalf("%s %s: %v in %s", method, path, err, got)
		}
	}
}
