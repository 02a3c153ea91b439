package mailbox_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/smtp"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/leaktest"
	"github.com/sininho/sininho/server/lab/standin/mailbox"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

const raw = "From: Sininho <a@example.com>\r\nTo: b@example.com\r\nSubject: =?UTF-8?q?Ol=C3=A1?=\r\n" +
	"MIME-Version: 1.0\r\n" +
	"Content-Type: multipart/alternative; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain; charset=UTF-8\r\n" +
	"Content-Transfer-Encoding: quoted-printable\r\n\r\nOl=C3=A1 =\r\n<b>!\r\n--x\r\n" +
	"Content-Type: text/html; charset=UTF-8\r\nContent-Transfer-Encoding: base64\r\n\r\nPHA+T2zDoTwvcD4=\r\n--x--\r\n"

func start(t *testing.T) *mailbox.Mailbox {
	t.Helper()
	m, err := mailbox.Start(mailbox.Config{})
	if err != nil {
		t.Fatalf("start the mailbox: %v", err)
	}
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		if err := m.Close(); err != nil {
			t.Errorf("close the mailbox: %v", err)
		}
	})
	return m
}

// send sends a message to b@example.com.
func send(m *mailbox.Mailbox, message string) error {
	server := strings.TrimPrefix(m.SMTPURL(), "smtp://")
	return smtp.SendMail(server, nil, "a@example.com", []string{"b@example.com"}, []byte(message))
}

func mustSend(t *testing.T, m *mailbox.Mailbox) {
	t.Helper()
	if err := send(m, raw); err != nil {
		t.Fatalf("send an email: %v", err)
	}
}

func get(t *testing.T, url string) (http.Header, string) {
	t.Helper()
	res, err := http.Get(url) //nolint:noctx // a test
	if err != nil {
		t.Fatalf("GET %s: %v", url, err)
	}
	defer res.Body.Close() // the body was read to its end
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("read the body of %s: %v", url, err)
	}
	return res.Header, string(b)
}

func TestWaitingForAnEmail(t *testing.T) {
	m := start(t)
	waited := make(chan string)
	go func() {
		_, body := get(t, m.URL()+"/messages?wait=30s&to=B@example.com")
		waited <- body
	}()
	mustSend(t, m)
	var emails []mailbox.Email
	if err := json.Unmarshal([]byte(<-waited), &emails); err != nil || len(emails) != 1 {
		t.Fatalf("emails after waiting: got %d, %v; want 1", len(emails), err)
	}
	e := emails[0]
	if e.Seq != 1 {
		t.Errorf("number of the email: got %d, want 1", e.Seq)
	}
	for part, c := range map[string]struct{ got, want string }{
		"sender":    {e.From, "a@example.com"},
		"recipient": {strings.Join(e.To, " "), "b@example.com"},
		"subject":   {e.Subject, "Olá"},
		"text":      {e.Text, "Olá <b>!"},
		"HTML":      {e.HTML, "<p>Olá</p>"},
	} {
		if c.got != c.want {
			t.Errorf("%s of the email: got %q, want %q", part, c.got, c.want)
		}
	}
}

func TestPage(t *testing.T) {
	m := start(t)
	if _, body := get(t, m.URL()); !strings.Contains(body, "Ainda não chegou nenhum e-mail.") {
		t.Errorf("page of an empty mailbox: got %s, want it to say so", body)
	}
	mustSend(t, m)
	if _, body := get(t, m.URL()); !strings.Contains(body, "Olá &lt;b&gt;!") {
		t.Errorf("page: got %s, want the escaped text of the email", body)
	}
	header, body := get(t, m.URL()+"/messages/1/html")
	if body != "<p>Olá</p>" {
		t.Errorf("HTML of the email: got %q, want <p>Olá</p>", body)
	}
	if policy := header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("Content-Security-Policy of the HTML: got %q, want default-src 'none'", policy)
	}
}

func TestMessages(t *testing.T) {
	m := start(t)
	mustSend(t, m)
	for query, want := range map[string]string{
		"since=1":          "[]\n",
		"to=c@example.com": "[]\n",
		"since=x":          "since is not a number\n",
		"wait=x":           "wait is not a duration such as 2s\n",
	} {
		if _, body := get(t, m.URL()+"/messages?"+query); body != want {
			t.Errorf("GET /messages?%s: got %q, want %q", query, body, want)
		}
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, m.URL()+"/messages", nil)
	if err != nil {
		t.Fatalf("make the request to delete: %v", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("DELETE /messages: %v", err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusNoContent {
		t.Errorf("DELETE /messages: status %d, want 204", res.StatusCode)
	}
	if got := m.Emails("", 0); len(got) != 0 {
		t.Errorf("emails after deleting them: got %d, want none", len(got))
	}
}

func TestAnInvalidMessageIsRefused(t *testing.T) {
	if err := send(start(t), "nonsense\r\n"); err == nil {
		t.Error("send an invalid message: got no error, want one")
	}
}
