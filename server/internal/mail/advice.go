package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"os"
	"strings"

	gomail "github.com/wneessen/go-mail"
)

// failedTo returns an error that names the step and says what to change, where that is known.
func failedTo(step string, err error) error {
	if what := advice(err); what != "" {
		return fmt.Errorf("%s: %w: %s", step, err, what)
	}
	return fmt.Errorf("%s: %w", step, err)
}

// advice returns what to change after an error of a connection, or "".
func advice(err error) string {
	_, unknown := errors.AsType[x509.UnknownAuthorityError](err)
	_, otherName := errors.AsType[x509.HostnameError](err)
	_, noName := errors.AsType[*net.DNSError](err)
	alert, refusedTLS := errors.AsType[tls.AlertError](err)
	response, responded := errors.AsType[*textproto.Error](err)
	switch {
	case speaksPlainly(err):
		return "the port speaks no TLS: write smtp:// instead of smtps:// in SMTP_URL, or another port"
	case unknown:
		return "the certificate is of no authority that this machine trusts; for a server in your own network, set" +
			" SMTP_TLS=unverified"
	case otherName:
		return "write the host of SMTP_URL as the certificate names it; for a server in your own network, set" +
			" SMTP_TLS=unverified"
	case noName:
		return "check the host of SMTP_URL"
	case refusedTLS:
		return fmt.Sprintf("the mail server refused TLS (%s)", alert)
	case responded:
		return adviceOn(response.Code)
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded),
		errors.Is(err, net.ErrClosed):
		return "check the host and port of SMTP_URL; a port that begins with TLS, such as 465, needs smtps://"
	case errors.Is(err, io.EOF), isRefused(err):
		return "check the host and port of SMTP_URL, and whether the mail server accepts this one"
	}
	return ""
}

func isRefused(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}

// adviceOn returns what to change after a response of the server before an email, or "".
func adviceOn(code int) string {
	switch code {
	case 530:
		return "the mail server wants a user and password, or TLS: check SMTP_URL"
	case 454, 432, 534, 535, 538:
		return "check the user and password in SMTP_URL; many providers want one made for applications"
	case 504, 501, 550, 554:
		return "the mail server refuses this server: check PUBLIC_URL, whose host is the name it is told, and whether" +
			" it accepts mail from this address"
	}
	return ""
}

const adviceOnSender = "check that MAIL_FROM is an address from which the user of SMTP_URL may send"

// rejected returns the error for an email that the server did not take. It wraps ErrRefused if the server will never
// take it; other faults, such as a sender that it does not know, may be mended while the email waits.
func rejected(err error) error {
	refusal, ok := errors.AsType[*gomail.SendError](err)
	if !ok {
		return failedTo("send an email", err)
	}
	code, text := refusal.ErrorCode(), strings.ToLower(err.Error())
	switch {
	case code < 500:
		return failedTo("send an email", err)
	case code == 530:
		return fmt.Errorf("send an email: %w: %s", err, adviceOn(code))
	case refusal.Reason == gomail.ErrSMTPMailFrom:
		return fmt.Errorf("the mail server refused the sender: %w: %s", err, adviceOnSender)
	case refusal.Reason == gomail.ErrSMTPRcptTo && strings.Contains(text, "relay"):
		return fmt.Errorf("the mail server refused to relay: %w: give SMTP_URL a user and password, or have the server"+
			" accept mail from this one", err)
	}
	return fmt.Errorf("%w: %w", ErrRefused, err)
}
