package mail_test

import (
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"go.uber.org/goleak"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/mail"
	"github.com/sininho/sininho/server/internal/standin/mailbox"
	"github.com/sininho/sininho/server/internal/waitlist"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var letter = waitlist.Message{ID: core.ID{7}, To: "ana@example.com", Subject: "Já é a sua vez", Text: "Olá, Ana!\n\nUma linha.\n", HTML: "<p>Olá, Ana!</p>\n",
	Unsubscribe: "https://sininho.example/waitlist/swt_x?leave=true"}

func start(t *testing.T, refuse func(string) error) *mailbox.Mailbox {
	t.Helper()
	m, err := mailbox.Start(mailbox.Config{Refuse: refuse})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func newSender(t *testing.T, url string) *mail.Sender {
	t.Helper()
	s, err := mail.New(mail.Config{URL: url, From: "Sininho <ola@sininho.example>"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSend(t *testing.T) {
	box := start(t, nil)
	if err := newSender(t, box.SMTPURL()).Send(t.Context(), letter); err != nil {
		t.Fatal(err)
	}
	got := box.Letters("ANA@example.com", 0)
	if len(got) != 1 || got[0].Subject != letter.Subject || got[0].Text != letter.Text || got[0].HTML != letter.HTML || got[0].From != "ola@sininho.example" {
		t.Fatalf("%+v", got)
	}
	headers := got[0].Headers
	for name, want := range map[string]string{
		"Message-Id":       "<07000000-0000-0000-0000-000000000000@sininho.example>",
		"List-Unsubscribe": "<" + letter.Unsubscribe + ">",
		"From":             `"Sininho" <ola@sininho.example>`,
		"To":               "<ana@example.com>",
		"Auto-Submitted":   "auto-generated",
	} {
		if len(headers[name]) != 1 || headers[name][0] != want {
			t.Errorf("%s: %q, want %q", name, headers[name], want)
		}
	}
	for _, name := range []string{"X-Mailer", "User-Agent", "Disposition-Notification-To", "Return-Receipt-To"} {
		if headers[name] != nil {
			t.Errorf("%s: %q", name, headers[name])
		}
	}
}

// TestRefusals checks which refusals are permanent, and that no error contains the recipient's address.
func TestRefusals(t *testing.T) {
	for code, forGood := range map[int]bool{450: false, 421: false, 550: true, 552: true} {
		box := start(t, func(to string) error {
			return &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 1, 1}, Message: "not for " + to}
		})
		err := newSender(t, box.SMTPURL()).Send(t.Context(), letter)
		if err == nil || errors.Is(err, waitlist.ErrRefused) != forGood || strings.Contains(err.Error(), letter.To) {
			t.Errorf("%d: %v", code, err)
		}
	}
}

func TestAMailServerThatIsAway(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a test
	if err != nil {
		t.Fatal(err)
	}
	url := "smtp://" + l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	if err := newSender(t, url).Send(t.Context(), letter); err == nil || errors.Is(err, waitlist.ErrRefused) || time.Since(begun) > 20*time.Second {
		t.Errorf("%v after %s", err, time.Since(begun))
	}
}

// TestNothingIsSaidInTheOpen checks that neither an email nor a password goes to another machine without TLS.
func TestNothingIsSaidInTheOpen(t *testing.T) {
	box := start(t, nil) // does not offer TLS
	sender := newSender(t, "smtp://u:p@mail.example.com")
	sender.DialTo(strings.TrimPrefix(box.SMTPURL(), "smtp://"))
	if err := sender.Send(t.Context(), letter); err == nil || !strings.Contains(err.Error(), "STARTTLS") {
		t.Errorf("it was sent in the open: %v", err)
	}
	if got := box.Letters("", 0); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestURLs(t *testing.T) {
	for _, url := range []string{"smtp://mail.example.com", "smtp://u:p@mail.example.com:2525", "smtps://u:p%40@mail.example.com", "smtp://[::1]:25", "smtp://localhost/"} {
		if err := mail.CheckURL(url); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, url := range []string{"mail.example.com:587", "http://mail.example.com", "smtp://", "smtp://mail.example.com:99999", "smtp://mail.example.com/x", "smtp://mail.example.com?tls=no", "smtp://%zz"} {
		if err := mail.CheckURL(url); err == nil {
			t.Errorf("%s passes", url)
		}
	}
	if _, err := mail.New(mail.Config{URL: "smtp://localhost", From: "nobody"}); err == nil {
		t.Error("From passes")
	}
}
