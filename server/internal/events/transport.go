package events

import (
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

const (
	maxHeader       = 16 << 10
	idleConnections = 100
	idleTimeout     = 30 * time.Second
)

// newTransport returns a transport that dials only addresses that the rules allow, without a proxy.
func newTransport(rules core.EventRules, resolver *net.Resolver) *http.Transport {
	dialer := &net.Dialer{Resolver: resolver, Control: func(_, address string, _ syscall.RawConn) error {
		if a, err := netip.ParseAddrPort(address); err != nil || !rules.May(a) {
			return causeAddress
		}
		return nil
	}}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConns:           idleConnections,
		IdleConnTimeout:        idleTimeout,
	}
}
