package mail_test

import (
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/leaktest"
	"github.com/sininho/sininho/server/internal/mail"
	"github.com/sininho/sininho/server/internal/standin/mailbox"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

var message = mail.Message{ID: core.ID{7}, To: "ana@example.com", Subject: "Já é a sua vez",
	Text: "Olá, Ana!\n\nUma linha.\n", HTML: "<p>Olá, Ana!</p>\n",
	Unsubscribe: "https://sininho.example/waitlist/swt_x?leave=true"}

func start(t *testing.T, refuse func(string) error) *mailbox.Mailbox {
	t.Helper()
	m, err := mailbox.Start(mailbox.Config{Refuse: refuse})
	if err != nil {
		t.Fatalf("start the mailbox: %v", err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Errorf("close the mailbox: %v", err)
		}
	})
	return m
}

func newSender(t *testing.T, url string) *mail.Sender {
	t.Helper()
	s, err := mail.New(mail.Config{URL: url, From: "Sininho <ola@sininho.example>"})
	if err != nil {
		t.Fatalf("create a sender to %s: %v", url, err)
	}
	return s
}

func TestSend(t *testing.T) {
	box := start(t, nil)
	if err := newSender(t, box.SMTPURL()).Send(t.Context(), message); err != nil {
		t.Fatalf("send an email: %v", err)
	}
	emails := box.Emails("ANA@example.com", 0)
	if len(emails) != 1 {
		t.Fatalf("emails in the mailbox: got %d, want 1", len(emails))
	}
	got := emails[0]
	for part, c := range map[string]struct{ got, want string }{
		"subject": {got.Subject, message.Subject},
		"text":    {got.Text, message.Text},
		"HTML":    {got.HTML, message.HTML},
		"sender":  {got.From, "ola@sininho.example"},
	} {
		if c.got != c.want {
			t.Errorf("%s of the email: got %q, want %q", part, c.got, c.want)
		}
	}
	for name, want := range map[string]string{
		"Message-Id":       "<07000000-0000-0000-0000-000000000000@sininho.example>",
		"List-Unsubscribe": "<" + message.Unsubscribe + ">",
		"From":             `"Sininho" <ola@sininho.example>`,
		"To":               "<ana@example.com>",
		"Auto-Submitted":   "auto-generated",
	} {
		if values := got.Headers[name]; len(values) != 1 || values[0] != want {
			t.Errorf("header %s: got %q, want %q", name, values, want)
		}
	}
	for _, name := range []string{"X-Mailer", "User-Agent", "Disposition-Notification-To", "Return-Receipt-To"} {
		if values := got.Headers[name]; values != nil {
			t.Errorf("header %s: got %q, want none", name, values)
		}
	}
}

// TestRefusals checks which refusals are permanent, and that no error contains the recipient's address.
func TestRefusals(t *testing.T) {
	for code, permanent := range map[int]bool{450: false, 421: false, 550: true, 552: true} {
		box := start(t, func(to string) error {
			return &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 1, 1},
				Message: "not for " + to}
		})
		err := newSender(t, box.SMTPURL()).Send(t.Context(), message)
		if err == nil {
			t.Errorf("refusal with %d: got no error", code)
			continue
		}
		if got := errors.Is(err, mail.ErrRefused); got != permanent {
			t.Errorf("refusal with %d: permanent is %t, want %t: %v", code, got, permanent, err)
		}
		if strings.Contains(err.Error(), message.To) {
			t.Errorf("refusal with %d: the error contains the address: %v", code, err)
		}
	}
}

func TestAMailServerThatIsDown(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a test
	if err != nil {
		t.Fatalf("find a free port: %v", err)
	}
	url := "smtp://" + l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatalf("free the port: %v", err)
	}
	begun := time.Now()
	err = newSender(t, url).Send(t.Context(), message)
	if err == nil || errors.Is(err, mail.ErrRefused) {
		t.Errorf("send to a server that is down: got error %v, want one that is not permanent", err)
	}
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("send to a server that is down: took %s, want at most 20 s", took)
	}
}

// TestNothingIsSentUnencrypted checks that neither an email nor a password goes to another machine without TLS.
func TestNothingIsSentUnencrypted(t *testing.T) {
	box := start(t, nil) // does not offer TLS
	sender := newSender(t, "smtp://u:p@mail.example.com")
	sender.DialTo(strings.TrimPrefix(box.SMTPURL(), "smtp://"))
	if err := sender.Send(t.Context(), message); err == nil || !strings.Contains(err.Error(), "STARTTLS") {
		t.Errorf("send without TLS: got error %v, want one that names STARTTLS", err)
	}
	if got := box.Emails("", 0); len(got) != 0 {
		t.Errorf("emails sent without TLS: got %d, want none", len(got))
	}
}

func TestURLs(t *testing.T) {
	for _, url := range []string{"smtp://mail.example.com", "smtp://u:p@mail.example.com:2525",
		"smtps://u:p%40@mail.example.com", "smtp://[::1]:25", "smtp://localhost/"} {
		if err := mail.CheckURL(url); err != nil {
			t.Errorf("check %s: got error %v, want none", url, err)
		}
	}
	for _, url := range []string{"mail.example.com:587", "http://mail.example.com", "smtp://",
		"smtp://mail.example.com:99999", "smtp://mail.example.com/x", "smtp://mail.example.com?tls=no", "smtp://%zz"} {
		if err := mail.CheckURL(url); err == nil {
			t.Errorf("check %s: got no error, want one", url)
		}
	}
	if _, err := mail.New(mail.Config{URL: "smtp://localhost", From: "nobody"}); err == nil {
		t.Error("create a sender from an invalid address: got no error, want one")
	}
}
