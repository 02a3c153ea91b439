package mailbox

import (
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/sininho/sininho/server/lab/standin"
)

// Mailbox is a running stand-in.
type Mailbox struct {
	refuse  func(to string) error
	smtp    *smtp.Server
	taking  net.Listener
	web     *standin.Server
	done    chan struct{}
	mu      sync.Mutex
	emails  []Email
	seq     int64
	changed chan struct{} // closed and replaced with each email
}

// Config configures a stand-in.
type Config struct {
	// Refuse returns the reason to refuse a recipient as an *smtp.SMTPError, or nil. A nil Refuse accepts everyone.
	Refuse func(to string) error
}

const (
	maxEmail = 1 << 20
	patience = 10 * time.Second
)

// Start accepts emails on one free port of this machine and shows them on another.
func Start(c Config) (*Mailbox, error) {
	m := &Mailbox{refuse: c.Refuse, done: make(chan struct{}), changed: make(chan struct{})}
	var err error
	if m.taking, err = standin.Listen(); err != nil {
		return nil, err
	}
	if m.web, err = standin.Serve(m.handler()); err != nil {
		return nil, errors.Join(err, m.taking.Close())
	}
	m.smtp = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		return &session{mailbox: m}, nil
	}))
	m.smtp.Domain = "localhost"
	m.smtp.MaxMessageBytes = maxEmail
	m.smtp.MaxRecipients = 10
	m.smtp.ReadTimeout = patience
	m.smtp.WriteTimeout = patience
	m.smtp.EnableSMTPUTF8 = true
	go func() {
		defer close(m.done)
		_ = m.smtp.Serve(m.taking) // always returns an error, even after Close
	}()
	return m, nil
}

// SMTPURL returns the address to send emails to, in the form of the setting SMTP_URL.
func (m *Mailbox) SMTPURL() string { return "smtp://" + m.taking.Addr().String() }

// URL returns the page's address, without a slash at the end.
func (m *Mailbox) URL() string { return m.web.URL() }

// Close stops the stand-in at once.
func (m *Mailbox) Close() error {
	err := m.smtp.Close()
	if errors.Is(err, smtp.ErrServerClosed) {
		err = nil
	}
	_ = m.taking.Close() // closes the listener if Serve had not begun yet
	<-m.done
	return errors.Join(err, m.web.Close())
}

// session is one client's SMTP session.
type session struct {
	mailbox *Mailbox
	from    string
	to      []string
}

// Reset implements smtp.Session.
func (s *session) Reset() { s.from, s.to = "", nil }

// Logout implements smtp.Session.
func (*session) Logout() error { return nil }

// Mail implements smtp.Session.
func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.from = from
	return nil
}

// Rcpt implements smtp.Session.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if s.mailbox.refuse != nil {
		if err := s.mailbox.refuse(to); err != nil {
			return err
		}
	}
	s.to = append(s.to, to)
	return nil
}

// Data implements smtp.Session.
func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	email, err := parse(raw)
	if err != nil {
		return &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 6, 0},
			Message: "invalid message: " + err.Error()}
	}
	email.From, email.To = s.from, s.to
	s.mailbox.keep(email)
	return nil
}

func (m *Mailbox) keep(e Email) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seq++
	e.Seq, e.At = m.seq, time.Now().UTC()
	m.emails = append(m.emails, e)
	close(m.changed)
	m.changed = make(chan struct{})
}
