package mail

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/wneessen/go-mail/smtp"
)

// connection is a session with the mail server, after TLS and before AUTH.
type connection struct {
	*smtp.Client
	conn      net.Conn
	encrypted bool
	stop      func() bool
}

// quitTimeout is how long a server may take to respond to QUIT, which some never do.
const quitTimeout = 5 * time.Second

// close ends the session. Whether emails were taken is known before.
func (c *connection) close() {
	if c.HasConnection() && c.UpdateDeadline(quitTimeout) == nil {
		_ = c.Quit()
	}
	c.stop()
	_ = c.conn.Close()
}

// connect dials the server, introduces this one and encrypts the connection. ctx bounds the whole session.
func (s *Sender) connect(ctx context.Context) (*connection, error) {
	c, err := s.open(ctx, s.server.tlsFirst)
	if s.server.tlsFirst && speaksPlainly(err) {
		return s.open(ctx, false) // smtps on a port for STARTTLS, which is then required
	}
	return c, err
}

func (s *Sender) open(ctx context.Context, tlsFirst bool) (*connection, error) {
	conn, err := s.dial(ctx, "tcp", net.JoinHostPort(s.server.host, strconv.Itoa(s.server.port)))
	if err != nil {
		return nil, failedTo("reach the mail server", err)
	}
	c := &connection{conn: conn, encrypted: tlsFirst}
	c.stop = context.AfterFunc(ctx, func() { _ = conn.Close() })
	if err := s.begin(ctx, c, tlsFirst); err != nil {
		c.stop()
		_ = conn.Close()
		return nil, err
	}
	return c, nil
}

func (s *Sender) begin(ctx context.Context, c *connection, tlsFirst bool) (err error) {
	if err := s.mode.checkNetwork(c.conn.RemoteAddr()); err != nil {
		return err
	}
	conn := c.conn
	if tlsFirst {
		secure := tls.Client(conn, s.server.config(s.mode))
		if err := secure.HandshakeContext(ctx); err != nil {
			return failedTo("begin TLS", err)
		}
		conn = secure
	}
	if until, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(until); err != nil {
			return err
		}
	}
	if c.Client, err = smtp.NewClient(conn, s.server.host); err != nil {
		return failedTo("wait for the mail server's greeting", err)
	}
	c.SkipSMTPUTF8(true)
	if err := c.Hello(helloName(s.publicHost, conn.LocalAddr())); err != nil {
		return failedTo("introduce this server (EHLO)", err)
	}
	return s.upgrade(c)
}

// upgrade encrypts the connection by STARTTLS, unless it is encrypted or need not be.
func (s *Sender) upgrade(c *connection) error {
	if c.encrypted || s.mode == TLSOff {
		return nil
	}
	if offered, _ := c.Extension("STARTTLS"); !offered {
		if !s.server.needsTLS(s.mode) {
			return nil
		}
		return fmt.Errorf("the mail server at port %d offers no STARTTLS: use its port for TLS, often 465, or for a"+
			" server in your own network set SMTP_TLS=off", s.server.port)
	}
	if err := c.StartTLS(s.server.config(s.mode)); err != nil {
		return failedTo("begin TLS (STARTTLS)", err)
	}
	c.encrypted = true
	return nil
}
