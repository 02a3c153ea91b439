package mail_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/mail"
)

// realServers are mail servers as they are met, and the SMTP_URL to each, without its scheme and address.
var realServers = map[string]struct {
	server *scripted
	scheme string // default smtp
	login  string // user and password
	mode   mail.TLSMode
	host   string // other than the address on loopback
}{
	"Postfix, strict, without SMTPUTF8": {server: &scripted{strictHello: true,
		extensions: []string{"PIPELINING", "SIZE 10240000", "ENHANCEDSTATUSCODES", "8BITMIME"}}},
	"Postfix with authentication after STARTTLS": {login: "ana:hush", mode: mail.TLSUnverified, host: "mail.example.com",
		server: &scripted{tls: true, strictHello: true, login: true, accepts: []string{"PLAIN"}, password: "hush",
			secret: []string{"AUTH PLAIN LOGIN", "8BITMIME", "SMTPUTF8"}}},
	"Exchange, by LOGIN alone": {login: "ana:hush", mode: mail.TLSUnverified, host: "mail.example.com",
		server: &scripted{tls: true, login: true, accepts: []string{"LOGIN"}, password: "hush",
			extensions: []string{"SIZE 37748736", "PIPELINING", "DSN", "ENHANCEDSTATUSCODES", "AUTH NTLM", "8BITMIME"},
			secret:     []string{"AUTH GSSAPI NTLM LOGIN", "BINARYMIME", "CHUNKING"}}},
	"Gmail": {login: "ana:hush", mode: mail.TLSUnverified, host: "mail.example.com", server: &scripted{tls: true,
		login: true, accepts: []string{"PLAIN", "LOGIN"}, password: "hush",
		secret: []string{"SIZE 35882577", "8BITMIME", "AUTH LOGIN PLAIN XOAUTH2 PLAIN-CLIENTTOKEN OAUTHBEARER XOAUTH",
			"ENHANCEDSTATUSCODES", "PIPELINING", "CHUNKING", "SMTPUTF8"}}},
	"SES at 465": {scheme: "smtps", login: "ana:BE/x+y=", server: &scripted{tlsFirst: true, login: true,
		accepts: []string{"PLAIN", "LOGIN"}, password: "BE/x+y=", extensions: []string{"8BITMIME", "AUTH PLAIN LOGIN", "Ok"}}},
	"Dovecot's SCRAM without such a password": {login: "ana:hush", mode: mail.TLSUnverified, host: "mail.example.com",
		server: &scripted{tls: true, login: true, accepts: []string{"LOGIN"}, password: "hush",
			secret: []string{"AUTH SCRAM-SHA-256 PLAIN LOGIN CRAM-MD5"}}},
	"an old one, AUTH=LOGIN": {login: "ana:hush", server: &scripted{login: true, accepts: []string{"LOGIN"},
		password: "hush", extensions: []string{"AUTH=LOGIN"}}},
	"a relay on this machine with a certificate of its own": {server: &scripted{tls: true}},
	"a relay in the network, self-signed":                   {mode: mail.TLSUnverified, host: "relay", server: &scripted{tls: true}},
	"a relay in the network, plain":                         {mode: mail.TLSOff, host: "relay", server: &scripted{}},
	"a plain relay with a password": {mode: mail.TLSOff, host: "relay", login: "ana:hush", server: &scripted{
		login: true, accepts: []string{"PLAIN"}, password: "hush", extensions: []string{"AUTH PLAIN"}}},
	"one that speaks HELO alone": {server: &scripted{respond: func(command string) string {
		if strings.HasPrefix(command, "EHLO") {
			return "502 5.5.1 command not implemented"
		}
		return ""
	}}},
	"one with a greeting of several lines": {server: &scripted{greeting: "220-mail.example.com\r\n220-no spam\r\n220 go"}},
	"one that closes after the email":      {server: &scripted{closes: "QUIT"}},
	"smtps where STARTTLS is spoken": {scheme: "smtps", mode: mail.TLSUnverified, host: "mail.example.com",
		server: &scripted{tls: true}},
}

// TestRealServers sends an email to each, once.
func TestRealServers(t *testing.T) {
	t.Parallel()
	for name, c := range realServers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sender := senderTo(t, c.server, c.scheme, c.login, c.host, c.mode)
			if err := sender.Check(t.Context()); err != nil {
				t.Errorf("check the mail server: %v", err)
			}
			if err := sender.Send(t.Context(), message); err != nil {
				t.Fatalf("send an email: %v\n%s", err, strings.Join(c.server.seen(), "\n"))
			}
			emails := c.server.emails()
			if len(emails) != 1 {
				t.Fatalf("emails that the server took: got %d, want 1", len(emails))
			}
			if got := headersOf(t, emails[0]).Get("To"); got != "<ana@example.com>" {
				t.Errorf("recipient: got %s, want <ana@example.com>", got)
			}
		})
	}
}

// senderTo starts a server and returns a sender to it, which takes it for another host if one is given.
func senderTo(t *testing.T, s *scripted, scheme, login, host string, mode mail.TLSMode) *mail.Sender {
	t.Helper()
	at := s.start(t)
	if login != "" {
		login += "@"
	}
	if scheme == "" {
		scheme = "smtp"
	}
	to := at
	if host != "" {
		to = host + at[strings.LastIndex(at, ":"):]
	}
	sender, err := mail.New(mail.Config{URL: scheme + "://" + login + to, TLS: mode,
		From: `"Olá, «Sininho»" <ola@sininho.example>`, PublicHost: "sininho.example"})
	if err != nil {
		t.Fatalf("create a sender: %v", err)
	}
	sender.DialTo(at)
	return sender
}

// TestWhatToChange has servers refuse, and expects errors that say what to change and whether another attempt helps.
func TestWhatToChange(t *testing.T) {
	t.Parallel()
	refuses := func(verb, response string) *scripted {
		return &scripted{respond: func(command string) string {
			if strings.HasPrefix(command, verb) {
				return response
			}
			return ""
		}}
	}
	for name, c := range map[string]struct {
		server  *scripted
		login   string
		host    string
		scheme  string
		mode    mail.TLSMode
		want    string
		refused bool
	}{
		"the password": {login: "ana:other", want: "user and password", server: &scripted{login: true,
			accepts: []string{"PLAIN"}, password: "hush", extensions: []string{"AUTH PLAIN LOGIN"}}},
		"no password":                {want: "user and password", server: &scripted{login: true}},
		"a password for no login":    {login: "ana:hush", want: "leave the user and password out", server: &scripted{}},
		"by tokens alone":            {login: "ana:hush", want: "XOAUTH2", server: &scripted{extensions: []string{"AUTH XOAUTH2"}}},
		"a relay that is plain":      {host: "relay", want: "SMTP_TLS=off", server: &scripted{}},
		"a relay that is selfsigned": {host: "mail.example.com", want: "SMTP_TLS=unverified", server: &scripted{tls: true}},
		"a certificate of another": {host: "mail.example.com", scheme: "smtps", want: "SMTP_TLS=unverified",
			server: &scripted{tlsFirst: true}},
		"the name":              {want: "PUBLIC_URL", server: refuses("", "504 5.5.2 need fully-qualified hostname")},
		"the sender":            {want: "MAIL_FROM", server: refuses("MAIL", "553 5.7.1 Sender address rejected: not owned")},
		"an open relay":         {want: "user and password", server: refuses("RCPT", "554 5.7.1 <ana@example.com>: Relay access denied")},
		"an unknown recipient":  {refused: true, want: "User unknown", server: refuses("RCPT", "550 5.1.1 <ANA@example.com>: User unknown")},
		"a greylist":            {want: "Greylisted", server: refuses("RCPT", "450 4.2.0 <ana@example.com>: Greylisted")},
		"an email that is spam": {refused: true, want: "spam", server: refuses(".", "554 5.7.1 rejected as spam")},
		"a busy server":         {want: "busy", server: refuses("DATA", "421 4.3.2 busy")},
		"an email that is big":  {refused: true, want: "size", server: refuses(".", "552 5.3.4 size exceeds the limit")},
		"a closed connection":   {want: "EOF", server: &scripted{closes: "RCPT"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sender := senderTo(t, c.server, c.scheme, c.login, c.host, c.mode)
			err := sender.Send(t.Context(), message)
			if err == nil {
				t.Fatal("send: got no error, want one")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error: got %q, want it to contain %q", err, c.want)
			}
			if got := errors.Is(err, mail.ErrRefused); got != c.refused {
				t.Errorf("refused for good: got %t, want %t: %v", got, c.refused, err)
			}
			for _, secret := range []string{"ana@example.com", "ANA@example.com", "hush", "other"} {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("the error contains %s: %v", secret, err)
				}
			}
			if got := len(c.server.emails()); got > 0 && !c.refused {
				t.Errorf("emails that the server took: got %d, want none", got)
			}
		})
	}
}

// TestSelfIntroduction expects the name of the installation, or an address where that is no name.
func TestSelfIntroduction(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"sininho.example": "sininho.example", "Sininho.Example": "sininho.example", "xn--ol-3na.pt": "xn--ol-3na.pt",
		"localhost": "[127.0.0.1]", "sininho": "[127.0.0.1]", "my_host.example": "[127.0.0.1]", "": "[127.0.0.1]",
		"192.0.2.7": "[192.0.2.7]", "2001:db8::1": "[IPv6:2001:db8::1]", "a.b.123": "[127.0.0.1]",
	} {
		s := &scripted{strictHello: true}
		at := s.start(t)
		sender, err := mail.New(mail.Config{URL: "smtp://" + at, From: "ola@sininho.example", PublicHost: host})
		if err != nil {
			t.Fatalf("create a sender: %v", err)
		}
		if err := sender.Check(t.Context()); err != nil {
			t.Errorf("check with the host %q: %v", host, err)
		}
		if got := s.seen()[0]; got != "EHLO "+want {
			t.Errorf("introduction with the host %q: got %q, want %q", host, got, "EHLO "+want)
		}
	}
}

// TestAddressesBeyondASCII expects SMTPUTF8 only where an address needs it, and domains in ASCII.
func TestAddressesBeyondASCII(t *testing.T) {
	t.Parallel()
	for to, want := range map[string]struct {
		offered   bool
		mail      string
		recipient string
	}{
		"ana@example.com": {true, "MAIL FROM:<ola@sininho.example>", "RCPT TO:<ana@example.com>"},
		"ana@olá.pt":      {false, "MAIL FROM:<ola@sininho.example>", "RCPT TO:<ana@xn--ol-nia.pt>"},
		"joão@example.pt": {true, "MAIL FROM:<ola@sininho.example> SMTPUTF8", "RCPT TO:<joão@example.pt>"},
		"zé@example.pt":   {false, "", ""},
	} {
		s := &scripted{}
		if want.offered {
			s.extensions = []string{"SMTPUTF8"}
		}
		m := message
		m.To = to
		err := senderTo(t, s, "", "", "", "").Send(t.Context(), m)
		if want.mail == "" {
			if !errors.Is(err, mail.ErrRefused) || !strings.Contains(err.Error(), "SMTPUTF8") {
				t.Errorf("send to %s: got error %v, want one that names SMTPUTF8", to, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("send to %s: %v", to, err)
		}
		commands := strings.Join(s.seen(), "\n") + "\n"
		for _, command := range []string{want.mail, want.recipient} {
			if !strings.Contains(commands, command+"\n") {
				t.Errorf("commands to %s: got\n%s, want %s", to, commands, command)
			}
		}
	}
}

// TestFormOfEmails expects lines of at most 998 bytes in ASCII, and dots at their beginning to be stuffed.
func TestFormOfEmails(t *testing.T) {
	t.Parallel()
	s := &scripted{}
	m := message
	m.Text = ".\n.hidden\n" + strings.Repeat("ã long line ", 500)
	m.Subject = strings.Repeat("Já é a sua vez, Ana! ", 20)
	if err := senderTo(t, s, "", "", "", "").Send(t.Context(), m); err != nil {
		t.Fatalf("send: %v", err)
	}
	email := s.emails()[0]
	for line := range strings.Lines(email) {
		if len(line) > 200 || strings.ContainsFunc(line, func(r rune) bool { return r > '~' }) {
			t.Errorf("line: got %q, want fewer bytes, in ASCII", line)
		}
		if strings.HasPrefix(line, ".") && !strings.HasPrefix(line, "..") {
			t.Errorf("line: got %q, want its dot to be stuffed", line)
		}
	}
	h := headersOf(t, email)
	if _, err := time.Parse(time.RFC1123Z, h.Get("Date")); err != nil {
		t.Errorf("date: %v", err)
	}
	for _, name := range []string{"Message-Id", "Auto-Submitted", "Mime-Version"} {
		if h.Get(name) == "" {
			t.Errorf("header %s: got none", name)
		}
	}
}

// TestTheMechanismThatWorkedIsUsedFirst expects no failures after the first, which may lock the server's account.
func TestTheMechanismThatWorkedIsUsedFirst(t *testing.T) {
	t.Parallel()
	s := &scripted{login: true, accepts: []string{"LOGIN"}, password: "hush", extensions: []string{"AUTH PLAIN LOGIN"}}
	sender := senderTo(t, s, "", "ana:hush", "", "")
	for range 3 {
		if err := sender.Check(t.Context()); err != nil {
			t.Fatalf("check: %v", err)
		}
	}
	if got := strings.Count(strings.Join(s.seen(), "\n"), "AUTH PLAIN"); got != 1 {
		t.Errorf("attempts by PLAIN, which fails: got %d, want 1", got)
	}
}
