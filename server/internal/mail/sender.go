package mail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	gomail "github.com/wneessen/go-mail"
	"golang.org/x/net/idna"
)

// Config sets the mail server and the sender's address.
type Config struct {
	// URL is smtp://user:password@host:587, which upgrades to TLS, or smtps://host:465.
	URL string
	// TLS is TLSVerify unless it is set.
	TLS  TLSMode
	From string // for example Sininho <sininho@example.com>
	// PublicHost is the host of the installation, by which it introduces itself.
	PublicHost string
}

// Sender sends emails to a mail server, each over its own connection.
type Sender struct {
	from       *mail.Address
	server     address
	mode       TLSMode
	publicHost string
	client     *gomail.Client // only sends messages: connections are made here
	dial       func(ctx context.Context, network, address string) (net.Conn, error)
	worked     atomic.Pointer[string] // the mechanism that authenticated last
}

// SendTimeout is the maximum duration of sending one email.
const SendTimeout = 45 * time.Second

// New returns a Sender. It fails if the URL, TLS or From is invalid.
func New(c Config) (*Sender, error) {
	from, err := parseFrom(c.From)
	if err != nil {
		return nil, err
	}
	mode := cmp.Or(c.TLS, TLSVerify)
	if err := CheckURL(c.URL, mode); err != nil {
		return nil, err
	}
	server, err := parseAddress(c.URL)
	if err != nil {
		return nil, err
	}
	// Without NOOP and RSET, a server that closes the connection after it took an email is not sent it again.
	client, err := gomail.NewClient(server.host, gomail.WithTimeout(SendTimeout), gomail.WithoutNoop(),
		gomail.WithoutRset())
	if err != nil {
		return nil, err
	}
	return &Sender{from: from, server: server, mode: mode, publicHost: c.PublicHost, client: client,
		dial: (&net.Dialer{}).DialContext}, nil
}

// parseFrom parses the sender, with its domain in ASCII.
func parseFrom(s string) (*mail.Address, error) {
	from, err := mail.ParseAddress(s)
	if err != nil {
		return nil, fmt.Errorf("%q is not an email address", s)
	}
	from.Address = withASCIIDomain(from.Address)
	return from, nil
}

// withASCIIDomain returns an address whose domain every server understands, if it has such a form.
func withASCIIDomain(address string) string {
	at := strings.LastIndexByte(address, '@')
	domain, err := idna.Lookup.ToASCII(address[at+1:])
	if err != nil {
		return address
	}
	return address[:at+1] + domain
}

// Send hands an email to the mail server. It fails with ErrRefused when there is no use in trying again. No error
// contains the recipient's address.
func (s *Sender) Send(ctx context.Context, m Message) error {
	if err := s.send(ctx, m); err != nil {
		return &redacted{err, m.To}
	}
	return nil
}

func (s *Sender) send(ctx context.Context, m Message) error {
	to := withASCIIDomain(m.To)
	message, err := s.message(m, to)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	ctx, cancel := context.WithTimeout(ctx, SendTimeout)
	defer cancel()
	c, err := s.authenticated(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	if err := c.allow(s.from.Address, to); err != nil {
		return err
	}
	err = s.client.SendWithSMTPClient(c.Client, message)
	if err == nil || message.IsDelivered() {
		return nil
	}
	return rejected(err)
}

// allow prepares the session for addresses beyond ASCII, which only some servers take. Others refuse any email that is
// announced as one with such addresses.
func (c *connection) allow(from, to string) error {
	if isASCII(from) && isASCII(to) {
		return nil
	}
	if offered, _ := c.Extension("SMTPUTF8"); offered {
		c.SkipSMTPUTF8(false)
		return nil
	}
	if !isASCII(from) {
		return errors.New("the mail server takes no addresses beyond ASCII (SMTPUTF8): use another MAIL_FROM")
	}
	return fmt.Errorf("%w: the mail server takes no addresses beyond ASCII (SMTPUTF8)", ErrRefused)
}

// message builds an email. Nothing in it reveals who opens it, or when.
func (s *Sender) message(m Message, to string) (*gomail.Msg, error) {
	message := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	message.FromMailAddress(s.from)
	if err := message.To(to); err != nil {
		return nil, err
	}
	domain := s.from.Address[strings.LastIndexByte(s.from.Address, '@')+1:]
	message.SetMessageIDWithValue(m.ID.String() + "@" + domain)
	message.SetDate()
	message.Subject(m.Subject)
	message.SetGenHeader("Auto-Submitted", "auto-generated")
	if m.Unsubscribe != "" {
		message.SetListUnsubscribe(m.Unsubscribe)
	}
	message.SetBodyString(gomail.TypeTextPlain, m.Text)
	message.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	return message, nil
}

// redacted is an error without the recipient's address in its text, because the text is logged.
type redacted struct {
	err     error
	address string
}

// Error implements error.
func (e *redacted) Error() string {
	text := e.err.Error()
	for _, address := range []string{e.address, withASCIIDomain(e.address)} {
		text = regexp.MustCompile("(?i)"+regexp.QuoteMeta(address)).ReplaceAllString(text, "…")
	}
	return text
}

// Unwrap returns the error, so that callers recognize its kind.
func (e *redacted) Unwrap() error { return e.err }
