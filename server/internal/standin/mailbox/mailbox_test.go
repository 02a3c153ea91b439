package mailbox_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/smtp"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/sininho/sininho/server/internal/standin/mailbox"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const raw = "From: Sininho <a@example.com>\r\nTo: b@example.com\r\nSubject: =?UTF-8?q?Ol=C3=A1?=\r\nMIME-Version: 1.0\r\n" +
	"Content-Type: multipart/alternative; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" +
	"Ol=C3=A1 =\r\n<b>!\r\n--x\r\nContent-Type: text/html; charset=UTF-8\r\nContent-Transfer-Encoding: base64\r\n\r\nPHA+T2zDoTwvcD4=\r\n--x--\r\n"

func get(t *testing.T, url string) (http.Header, string) {
	t.Helper()
	res, err := http.Get(url) //nolint:noctx // a test
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() // the body was read to its end
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.Header, string(b)
}

func TestMailbox(t *testing.T) {
	defer http.DefaultClient.CloseIdleConnections()
	m, err := mailbox.Start(mailbox.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}()
	if _, body := get(t, m.URL()); !strings.Contains(body, "Ainda não chegou nenhum e-mail.") {
		t.Error(body)
	}
	waited := make(chan string)
	go func() {
		_, body := get(t, m.URL()+"/messages?wait=30s&to=B@example.com")
		waited <- body
	}()
	if err := smtp.SendMail(strings.TrimPrefix(m.SMTPURL(), "smtp://"), nil, "a@example.com", []string{"b@example.com"}, []byte(raw)); err != nil {
		t.Fatal(err)
	}
	var letters []mailbox.Letter
	if err := json.Unmarshal([]byte(<-waited), &letters); err != nil || len(letters) != 1 {
		t.Fatalf("%v %+v", err, letters)
	}
	l := letters[0]
	if l.Seq != 1 || l.From != "a@example.com" || l.To[0] != "b@example.com" || l.Subject != "Olá" || l.Text != "Olá <b>!" || l.HTML != "<p>Olá</p>" {
		t.Errorf("%+v", l)
	}
	if _, body := get(t, m.URL()); !strings.Contains(body, "Olá &lt;b&gt;!") {
		t.Error(body)
	}
	if header, body := get(t, m.URL()+"/messages/1/html"); body != "<p>Olá</p>" || !strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("%v %s", header, body)
	}
	for path, want := range map[string]string{"?since=1": "[]\n", "?to=c@example.com": "[]\n", "?since=x": "since is no number\n", "?wait=x": "wait is no duration such as 2s\n"} {
		if _, body := get(t, m.URL()+"/messages"+path); body != want {
			t.Errorf("%s: %q", path, body)
		}
	}
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodDelete, m.URL()+"/messages", nil)
	if res, err := http.DefaultClient.Do(req); err != nil || res.StatusCode != http.StatusNoContent || res.Body.Close() != nil || len(m.Letters("", 0)) != 0 {
		t.Errorf("%v", err)
	}
	if err := smtp.SendMail(strings.TrimPrefix(m.SMTPURL(), "smtp://"), nil, "a@example.com", []string{"b@example.com"}, []byte("nonsense\r\n")); err == nil {
		t.Error("it took nonsense")
	}
}
