package live

import (
	"crypto/tls"
	"errors"
	"net"
	"syscall"
	"time"
)

// Secure returns a listener that speaks TLS over l. Streams over HTTP/1 on it need no goroutine.
func Secure(l net.Listener, config *tls.Config) net.Listener {
	return tls.NewListener(belowTLS{l}, config)
}

type belowTLS struct{ net.Listener }

// Accept implements net.Listener.
func (l belowTLS) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if tcp, ok := conn.(tcpConn); ok {
		return &carrier{tcpConn: tcp}, err
	}
	return conn, err
}

// tcpConn is a *net.TCPConn, or one that somebody watches.
type tcpConn interface {
	net.Conn
	syscall.Conn
	CloseWrite() error
	SetWriteBuffer(bytes int) error
}

// carrier is the connection below TLS. It can keep what TLS writes, for somebody else to send.
type carrier struct {
	tcpConn

	keeps bool
	kept  []byte
}

// NetConn returns the connection below, as that of a tls.Conn does.
func (c *carrier) NetConn() net.Conn { return c.tcpConn }

// Write implements net.Conn, for TLS.
func (c *carrier) Write(b []byte) (int, error) {
	if !c.keeps {
		return c.tcpConn.Write(b)
	}
	c.kept = append(c.kept, b...)
	return len(b), nil
}

// seal encrypts what is written to a stream over TLS. A shard cannot write to TLS itself, because that waits for the
// client, and a TLS connection is unusable after a write that timed out. Only one goroutine at a time uses a seal.
type seal struct {
	tls  *tls.Conn
	conn *carrier
}

// newSeal returns the seal of a connection from Secure and the TCP connection below it, otherwise nil and conn. Once a
// shard has the stream, only the seal may write to its TLS.
func newSeal(conn net.Conn) (*seal, net.Conn) {
	if secure, ok := conn.(*tls.Conn); ok {
		if c, ok := secure.NetConn().(*carrier); ok {
			return &seal{secure, c}, c.tcpConn
		}
	}
	return nil, conn
}

// seal returns the encrypted b, in the memory of into.
func (s *seal) seal(into, b []byte) ([]byte, error) {
	return s.collect(into, func() error {
		_, err := s.tls.Write(b)
		return err
	})
}

// farewell returns what tells the client that nothing is missing at the end.
func (s *seal) farewell() ([]byte, error) {
	b, err := s.collect(nil, s.tls.CloseWrite)
	return b, errors.Join(err, s.conn.SetWriteDeadline(time.Time{})) // CloseWrite leaves one in the past
}

func (s *seal) collect(into []byte, write func() error) ([]byte, error) {
	s.conn.keeps, s.conn.kept = true, into[:0]
	err := write()
	kept := s.conn.kept
	s.conn.kept = nil
	return kept, err
}
