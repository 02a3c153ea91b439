package mail_test

import (
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/mail"
	"github.com/sininho/sininho/server/lab/leaktest"
	"github.com/sininho/sininho/server/lab/standin/mailbox"
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
	for url, want := range map[string]mail.Address{
		"smtp://mail.example.com":                  {"mail.example.com", 587, false, "", ""},
		"SMTP://Mail.Example.com:2525/":            {"mail.example.com", 2525, false, "", ""},
		"smtps://mail.example.com":                 {"mail.example.com", 465, true, "", ""},
		"smtp://mail.example.com:465":              {"mail.example.com", 465, true, "", ""},
		"smtps://mail.example.com:587":             {"mail.example.com", 587, false, "", ""},
		"smtps://mail.example.com:4650":            {"mail.example.com", 4650, true, "", ""},
		"smtps://u:p%40@mail.example.com":          {"mail.example.com", 465, true, "u", "p@"},
		"smtp://ana@example.com:p@ss@mail.pt":      {"mail.pt", 587, false, "ana@example.com", "p@ss"},
		"smtp://u:p:a/s#s?w o+r%d@mail.pt:25":      {"mail.pt", 25, false, "u", "p:a/s#s?w o+r%d"},
		"smtp://u%3Av:100%25@mail.pt":              {"mail.pt", 587, false, "u:v", "100%"},
		"smtp://u:100%@mail.pt":                    {"mail.pt", 587, false, "u", "100%"},
		"smtp://[::1]:25":                          {"::1", 25, false, "", ""},
		"smtp://u:p@[2001:db8::1]":                 {"2001:db8::1", 587, false, "u", "p"},
		"smtp://mail_relay:1025":                   {"mail_relay", 1025, false, "", ""},
		"smtp://correio.olá.pt":                    {"correio.xn--ol-nia.pt", 587, false, "", ""},
		"smtp://u:~`!$^&*()_={}[]|\\;'\"<>,.@h.pt": {"h.pt", 587, false, "u", "~`!$^&*()_={}[]|\\;'\"<>,."},
	} {
		got, err := mail.ParseAddress(url)
		if err != nil || got != want {
			t.Errorf("parse %s: got %+v, %v, want %+v", url, got, err, want)
		}
	}
	for url, want := range map[string]string{
		"mail.example.com:587": "smtp://", "http://mail.example.com": "smtp://", "smtp://": "smtp://",
		"smtp://mail.example.com:99999": "99999", "smtp://mail.example.com/x": "smtp://",
		"smtp://mail.example.com?tls=no": "smtp://", "smtp://%zz": "smtp://", "smtp://::1": "smtp://",
		"smtp://u:a%zz%40@mail.pt": "%25", "smtp://u@mail.pt": "no password", "smtp://u:@mail.pt": "no password",
		"smtp://two words": "smtp://", "smtp://mail.pt:": "smtp://", "smtp://mail.pt:0": "1 to 65535",
	} {
		if err := mail.CheckURL(url, mail.TLSVerify); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("check %s: got error %v, want one with %q", url, err, want)
		}
	}
	if err := mail.CheckURL("smtps://mail.pt", mail.TLSOff); err == nil {
		t.Error("check smtps with SMTP_TLS=off: got no error, want one")
	}
	if _, err := mail.New(mail.Config{URL: "smtp://localhost", From: "nobody"}); err == nil {
		t.Error("create a sender from an invalid address: got no error, want one")
	}
}

// TestOwnNetworks expects less than verified TLS only where a mail server is in one's own network.
func TestOwnNetworks(t *testing.T) {
	for ip, own := range map[string]bool{"192.168.1.2": true, "10.0.0.1": true, "172.18.0.3": true, "fd00::1": true,
		"127.0.0.1": true, "::ffff:10.0.0.1": true, "100.64.0.1": true, "8.8.8.8": false, "2606:4700::1": false} {
		at := &net.TCPAddr{IP: net.ParseIP(ip), Port: 25}
		for mode, want := range map[mail.TLSMode]bool{mail.TLSVerify: true, mail.TLSUnverified: own, mail.TLSOff: own} {
			if err := mode.CheckNetwork(at); (err == nil) != want {
				t.Errorf("server at %s with SMTP_TLS=%s: got error %v, want it allowed: %t", ip, mode, err, want)
			}
		}
	}
}
