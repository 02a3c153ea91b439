// Package guard keeps others out of this server's network. Its HTTP transports are for addresses that untrusted people
// choose: every connection is checked after its name was resolved, so that neither a redirect nor a name that changes
// reaches an address inside, and no proxy is used. Its handler keeps pages on the web from what listens on loopback.
package guard

import (
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

const (
	maxHeader       = 16 << 10
	idleConnections = 100
	idleTimeout     = 30 * time.Second
)

// NewTransport returns a transport that asks may about each address before it connects, and fails with its error. A nil
// resolver is the system's.
func NewTransport(may func(netip.AddrPort) error, resolver *net.Resolver) *http.Transport {
	dialer := &net.Dialer{Resolver: resolver, Control: func(_, address string, _ syscall.RawConn) error {
		a, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		return may(a)
	}}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConns:           idleConnections,
		IdleConnTimeout:        idleTimeout,
	}
}
