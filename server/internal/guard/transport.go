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

// NewTransport returns a transport that asks may about each address before it connects, and fails with its error. A
// name is resolved before, so that neither a redirect nor a name that changes leads inside; no proxy is used. A nil
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
