package mail

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// Config sets the mail server and the sender's address.
type Config struct {
	// URL is smtp://user:password@host:587, which upgrades to TLS (optional only on this machine), or smtps://host:465.
	URL  string
	From string // for example Sininho <sininho@example.com>
}

// Sender sends emails to a mail server, each over its own connection.
type Sender struct {
	from   *mail.Address
	host   string
	server []gomail.Option
	// tlsFirst is set for an smtps URL.
	tlsFirst bool
	dial     gomail.DialContextFunc
}

// SendTimeout is the maximum duration of sending one email.
const SendTimeout = 45 * time.Second

const (
	submission  = 587
	submissions = 465
)

// New returns a Sender. It fails if the URL or From is invalid.
func New(c Config) (*Sender, error) {
	from, err := mail.ParseAddress(c.From)
	if err != nil {
		return nil, fmt.Errorf("%q is not an email address", c.From)
	}
	host, options, err := server(c.URL)
	if err != nil {
		return nil, err
	}
	if _, err := gomail.NewClient(host, options...); err != nil {
		return nil, err
	}
	return &Sender{from: from, host: host, server: options, tlsFirst: strings.HasPrefix(c.URL, "smtps:"),
		dial: (&net.Dialer{}).DialContext}, nil
}

var errURL = errors.New("is not an address such as smtp://user:password@host:587 or smtps://host:465")

// CheckURL returns an error if the URL is invalid.
func CheckURL(address string) error {
	_, _, err := server(address)
	return err
}

// server parses a URL.
func server(address string) (host string, options []gomail.Option, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
		return "", nil, errURL
	}
	port := submission
	switch u.Scheme {
	case "smtp":
		policy := gomail.TLSMandatory
		if isLoopback(u.Hostname()) {
			policy = gomail.TLSOpportunistic
		}
		options = append(options, gomail.WithTLSPolicy(policy))
	case "smtps":
		port = submissions
		options = append(options, gomail.WithSSL())
	default:
		return "", nil, errURL
	}
	if u.Port() != "" {
		if port, err = strconv.Atoi(u.Port()); err != nil || port < 1 || port > 65535 {
			return "", nil, errURL
		}
	}
	options = append(options, gomail.WithPort(port), gomail.WithTimeout(SendTimeout))
	if password, given := u.User.Password(); given {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover),
			gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
	}
	return u.Hostname(), options, nil
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Send hands an email to the mail server. It fails with ErrRefused when there is no use in trying again. No error
// contains the recipient's address.
func (s *Sender) Send(ctx context.Context, m Message) error {
	message, err := s.message(m)
	if err != nil {
		return fmt.Errorf("%w: %s", ErrRefused, without(m.To, err))
	}
	ctx, cancel := context.WithTimeout(ctx, SendTimeout)
	defer cancel()
	var opened net.Conn
	client, err := gomail.NewClient(s.host, s.options(&opened)...)
	if err != nil {
		return err
	}
	connection, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		if opened != nil {
			_ = opened.Close() // go-mail leaves it open if TLS or authentication is unavailable
		}
		return errors.New("connect to the mail server: " + without(m.To, err))
	}
	defer func() { _ = client.CloseWithSMTPClient(connection) }() // the result of sending is known before
	err = client.SendWithSMTPClient(connection, message)
	if refusal, ok := errors.AsType[*gomail.SendError](err); ok && refusal.ErrorCode() >= 500 {
		return fmt.Errorf("%w: %s", ErrRefused, without(m.To, err))
	}
	if err != nil {
		return errors.New("send an email: " + without(m.To, err))
	}
	return nil
}

// options returns the server's options with a dialer that stores the connection in opened. If TLS comes first, go-mail
// must dial itself.
func (s *Sender) options(opened *net.Conn) []gomail.Option {
	if s.tlsFirst {
		return s.server
	}
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := s.dial(ctx, network, address)
		*opened = c
		return c, err
	}
	return append(slices.Clone(s.server), gomail.WithDialContextFunc(dial))
}

// message builds an email. Nothing in it reveals who opens it, or when.
func (s *Sender) message(m Message) (*gomail.Msg, error) {
	message := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	message.FromMailAddress(s.from)
	if err := message.To(m.To); err != nil {
		return nil, err
	}
	_, domain, _ := strings.Cut(s.from.Address, "@")
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

// without returns the text of an error without the recipient's address, because the text is logged.
func without(address string, err error) string {
	return strings.ReplaceAll(err.Error(), address, "…")
}
