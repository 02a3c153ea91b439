package mail

import (
	"context"
	"net"
)

// DialTo makes a sender dial address instead of the mail server in its URL.
func (s *Sender) DialTo(address string) {
	s.dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}
}

// Address is what an SMTP_URL says.
type Address struct {
	Host           string
	Port           int
	TLSFirst       bool
	User, Password string
}

// ParseAddress parses an SMTP_URL.
func ParseAddress(s string) (Address, error) {
	a, err := parseAddress(s)
	return Address{a.host, a.port, a.tlsFirst, a.user, a.password}, err
}

// CheckNetwork is checkNetwork.
func (m TLSMode) CheckNetwork(server net.Addr) error { return m.checkNetwork(server) }
