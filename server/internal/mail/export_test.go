package mail

import (
	"context"
	"net"
)

// DialTo has a sender find its mail server at an address, whatever its name.
func (s *Sender) DialTo(address string) {
	s.dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}
}
