package events_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func TestConnectionErrors(t *testing.T) {
	t.Parallel()
	s := newSender(t, loopback)
	closed := httptest.NewServer(nil)
	closed.Close()
	broken := receiver(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	foreign, err := core.NewSealer(core.NewSecretKey())
	if err != nil {
		t.Fatalf("make another sealer: %v", err)
	}
	unsigned := newSender(t, loopback)
	unsigned.secrets.Sealed = foreign.Seal([]byte(unsigned.secret))
	for _, c := range []struct {
		what, address, want string
		by                  *sender
	}{
		{"a closed port", closed.URL, "it refuses connections", s},
		{"a broken connection", broken.URL, "the connection broke off, or the response was not HTTP", s},
		{"an address, with a secret of another key", broken.URL, "the event could not be signed", unsigned},
	} {
		if a := c.by.send(t, c.address); a.Delivered() || a.Error != c.want {
			t.Errorf("send to %s: got %+v, want the error %q", c.what, a, c.want)
		}
	}
}

// TestCertificateErrors sends to servers whose certificates name hosts of their network, which no error may repeat.
func TestCertificateErrors(t *testing.T) {
	t.Parallel()
	soon, past := time.Now().Add(time.Hour), time.Now().Add(-time.Hour)
	for _, c := range []struct {
		what, want string
		names      []string
		notAfter   time.Time
	}{
		{"an unknown authority", "its certificate is not from a known authority", []string{"localhost"}, soon},
		{"an expired certificate", "its certificate has expired or is not valid yet", []string{"localhost"}, past},
		{
			"another name", "its certificate is for another name",
			[]string{"db.internal", "a\x00b", strings.Repeat("x", 9_000)}, soon,
		},
	} {
		a := newSender(t, loopback).send(t, serveTLS(t, c.names, c.notAfter))
		if a.Delivered() || a.Error != c.want {
			t.Errorf("send to a server with %s: got %.200q, want %q", c.what, a.Error, c.want)
		}
	}
}

// serveTLS serves with a certificate that it has signed itself, and returns its address on localhost.
func serveTLS(t *testing.T, names []string, notAfter time.Time) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatalf("generate a key: %v", err)
	}
	certificate := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: names, NotAfter: notAfter}
	der, err := x509.CreateCertificate(rand.Reader, certificate, certificate, key.Public(), key)
	if err != nil {
		t.Fatalf("create the certificate: %v", err)
	}
	r := httptest.NewUnstartedServer(nil)
	r.TLS = &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS12,
	}
	r.StartTLS()
	t.Cleanup(r.Close)
	_, port, err := net.SplitHostPort(r.Listener.Addr().String())
	if err != nil {
		t.Fatalf("split the address: %v", err)
	}
	return "https://localhost:" + port
}
