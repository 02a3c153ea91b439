package certificates

import (
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/crypto/acme"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const host = "sininho.example.com"

// newManager returns a manager without a certificate, and the number of requests that the authority gets.
func newManager(t *testing.T) (*Manager, *atomic.Int64) {
	t.Helper()
	requests := new(atomic.Int64)
	directory := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.WriteHeader(http.StatusForbidden) // after which nothing is tried again
	}))
	t.Cleanup(directory.Close)
	roots := x509.NewCertPool()
	roots.AddCert(directory.Certificate())
	return New(Config{Host: host, Dir: filepath.Join(t.TempDir(), "certificates"), Directory: directory.URL, Roots: roots,
		Log: slog.New(slog.DiscardHandler)}), requests
}

// TestStrangersAskForNothing connects with every kind of name before there is a certificate. The authority must hear of
// none of it, or strangers could use up what it allows the server to ask for.
func TestStrangersAskForNothing(t *testing.T) {
	m, requests := newManager(t)
	for _, hello := range []*tls.ClientHelloInfo{
		{ServerName: host}, {ServerName: strings.ToUpper(host) + "."}, {ServerName: "www." + host}, {ServerName: ""},
		{ServerName: "192.0.2.1"}, {ServerName: host, SupportedProtos: []string{"h2", acme.ALPNProto}},
		{ServerName: host, SupportedProtos: []string{acme.ALPNProto}},
		{ServerName: "www." + host, SupportedProtos: []string{acme.ALPNProto}},
	} {
		if certificate, err := m.certificate(hello); err == nil {
			t.Errorf("certificate for %q with %v: got %v, want none", hello.ServerName, hello.SupportedProtos, certificate)
		}
	}
	if got := requests.Load(); got != 0 {
		t.Errorf("requests to the authority: got %d, want 0", got)
	}
}

func TestRedirect(t *testing.T) {
	m, _ := newManager(t)
	const public = "https://" + host
	for _, c := range []struct {
		method, target string
		status         int
		location       string
	}{
		{http.MethodGet, "http://evil.example.com/a?b=c", http.StatusMovedPermanently, public + "/a?b=c"},
		{http.MethodHead, "http://" + host + "//evil.example.com", http.StatusMovedPermanently,
			public + "//evil.example.com"},
		{http.MethodGet, "x:.evil.example.com", http.StatusMovedPermanently, public + "/"},
		{http.MethodGet, "*", http.StatusMovedPermanently, public + "/"},
		{http.MethodPost, "http://" + host + "/api/v1/auth", http.StatusForbidden, ""},
		{http.MethodGet, "http://" + host + ":8080/.well-known/acme-challenge/unknown", http.StatusNotFound, ""},
		{http.MethodGet, "http://evil.example.com/.well-known/acme-challenge/x", http.StatusForbidden, ""},
	} {
		w := httptest.NewRecorder()
		m.Redirect(public).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), c.method, c.target, http.NoBody))
		if got := w.Header().Get("Location"); w.Code != c.status || got != c.location {
			t.Errorf("%s %s: got %d to %q, want %d to %q", c.method, c.target, w.Code, got, c.status, c.location)
		}
	}
}

func TestOverdue(t *testing.T) {
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	leaf := &x509.Certificate{NotBefore: from, NotAfter: from.AddDate(0, 0, 100)}
	for days, want := range map[int]bool{0: false, 70: false, 76: true, 101: true} {
		if got := isOverdue(leaf, from.AddDate(0, 0, days)); got != want {
			t.Errorf("certificate of 100 days is overdue after %d: got %t, want %t", days, got, want)
		}
	}
}
