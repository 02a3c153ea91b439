package events

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"syscall"
)

// cause is why an attempt has no usable response. It is shown to the publisher's members, so it is one of a fixed set
// of texts, which name no host, no address and no part of this program.
type cause string

// Error implements error.
func (c cause) Error() string { return string(c) }

const (
	// causeAddress is also the cause for a name without any address: the difference would reveal which names exist in
	// this server's network.
	causeAddress     cause = "it has no public address"
	causeRefused     cause = "it refuses connections"
	causeUnreachable cause = "it cannot be reached"
	causeTimeout     cause = "it took too long to respond"
	causeBroken      cause = "the connection broke off, or the response was not HTTP"
	causeRedirect    cause = "it responded with a redirect, which is not followed"
	causeStatus      cause = "it responded with an invalid status"
	causeExpired     cause = "its certificate has expired or is not valid yet"
	causeName        cause = "its certificate is for another name"
	causeAuthority   cause = "its certificate is not from a known authority"
	causeCertificate cause = "its certificate is not valid"
	causeSecret      cause = "the event could not be signed"
	causeChallenge   cause = "it did not respond with the signature of the challenge"
)

// causeOf returns the cause of an error.
func causeOf(err error) cause {
	var known cause
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var op *net.OpError
	var timeout interface{ Timeout() bool }
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return causeTimeout
	case errors.As(err, &dns):
		return causeAddress
	case errors.As(err, &certificate):
		return causeOfCertificate(certificate)
	case errors.Is(err, syscall.ECONNREFUSED):
		return causeRefused
	case errors.As(err, &op) && op.Op == "dial":
		return causeUnreachable
	default:
		return causeBroken
	}
}

func causeOfCertificate(err error) cause {
	var invalid x509.CertificateInvalidError
	var name x509.HostnameError
	var authority x509.UnknownAuthorityError
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return causeExpired
	case errors.As(err, &name):
		return causeName
	case errors.As(err, &authority):
		return causeAuthority
	default:
		return causeCertificate
	}
}
