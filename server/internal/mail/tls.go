package mail

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
)

// TLSMode is how connections to the mail server are encrypted.
type TLSMode string

// The modes. Connections on this machine alone need no TLS in any of them, nor a certificate.
const (
	TLSVerify     TLSMode = "verify"     // with a certificate that the machine trusts
	TLSUnverified TLSMode = "unverified" // with any certificate, in one's own network
	TLSOff        TLSMode = "off"        // not at all, in one's own network
)

// Valid reports whether the mode is one of the three.
func (m TLSMode) Valid() bool { return m == TLSVerify || m == TLSUnverified || m == TLSOff }

var carrierGrade = netip.MustParsePrefix("100.64.0.0/10")

// checkNetwork returns an error if the mode is not meant for the network of a mail server.
func (m TLSMode) checkNetwork(server net.Addr) error {
	if m == TLSVerify {
		return nil
	}
	at, err := netip.ParseAddrPort(server.String())
	if err != nil {
		return err
	}
	ip := at.Addr().Unmap()
	if ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() || carrierGrade.Contains(ip) {
		return nil
	}
	return fmt.Errorf("the mail server is at %s on the public Internet, where SMTP_TLS must be verify", ip)
}

// config returns the settings of TLS for the server.
func (a address) config(m TLSMode) *tls.Config {
	return &tls.Config{ServerName: a.host, MinVersion: tls.VersionTLS12,
		InsecureSkipVerify: m == TLSUnverified || a.isLoopback()} //nolint:gosec // a setting, for one's own network
}

// needsTLS reports whether a server that offers no STARTTLS gets neither a password nor an email.
func (a address) needsTLS(m TLSMode) bool { return m != TLSOff && !a.isLoopback() }

// speaksPlainly reports whether a server responded to a TLS handshake in plain text.
func speaksPlainly(err error) bool {
	_, ok := errors.AsType[tls.RecordHeaderError](err)
	return ok
}
