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
