package events

import (
	"context"
	"crypto/tls"
	"errors"
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

// errNotPublic does not reveal the resolved address, which may be in this server's network.
var errNotPublic = errors.New("it is not a public address, or not at port 443")

// newTransport returns a transport that dials only addresses that the rules allow, without a proxy.
func newTransport(rules core.EventRules, resolver *net.Resolver) *http.Transport {
	dialer := &net.Dialer{Resolver: resolver, Control: func(_, address string, _ syscall.RawConn) error {
		if a, err := netip.ParseAddrPort(address); err != nil || !rules.May(a) {
			return errNotPublic
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

// explain describes an error to the publisher's members without revealing anything about this server's network.
func explain(err error) string {
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var op *net.OpError
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, errNotPublic):
		return errNotPublic.Error()
	case errors.Is(err, errRedirect), errors.Is(err, errStatus):
		return err.Error()
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "it took too long to respond"
	case errors.As(err, &dns):
		return "its name has no address"
	case errors.As(err, &certificate):
		return keepable("its certificate is not valid: " + certificate.Err.Error())
	case errors.Is(err, syscall.ECONNREFUSED):
		return "it refuses connections"
	case errors.As(err, &op) && op.Op == "dial":
		return "it cannot be reached"
	default:
		return "the connection broke off, or the response was not HTTP"
	}
}
