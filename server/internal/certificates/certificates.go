// Package certificates gets the certificate of one host from a certificate authority by ACME (RFC 8555), keeps it in a
// directory, and renews it. It proves the control of the host by TLS-ALPN-01 and HTTP-01.
//
// Strangers cannot make it ask the authority for anything: what they connect to is served from what is there already.
package certificates

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// Config configures a Manager.
type Config struct {
	Host      string
	Dir       string // for the certificate and the keys, created if missing
	Directory string // address of the authority's directory
	// Roots are the authorities that sign the directory's own certificate; nil: those of the system.
	Roots *x509.CertPool
	Log   *slog.Logger
}

// Manager has the certificate of a host.
type Manager struct {
	config   Config
	manager  *autocert.Manager
	obtained atomic.Bool
}

// requestTimeout is for one request to the authority.
const requestTimeout = 30 * time.Second

// New returns a manager without a certificate; Run gets it.
func New(c Config) *Manager {
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // it is documented
	transport.TLSClientConfig = &tls.Config{RootCAs: c.Roots, MinVersion: tls.VersionTLS12}
	m := &Manager{config: c}
	m.manager = &autocert.Manager{Prompt: autocert.AcceptTOS, Cache: autocert.DirCache(c.Dir), HostPolicy: m.isOurs,
		Client: &acme.Client{DirectoryURL: c.Directory, UserAgent: "sininho",
			HTTPClient: &http.Client{Transport: transport, Timeout: requestTimeout}}}
	return m
}

// isOurs refuses other hosts than that of the certificate.
func (m *Manager) isOurs(_ context.Context, host string) error {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if !strings.EqualFold(strings.TrimSuffix(host, "."), m.config.Host) {
		return fmt.Errorf("no certificate is for %q", host)
	}
	return nil
}

// TLS returns the configuration of a listener with the certificate, over which the authority can check the host.
func (m *Manager) TLS() *tls.Config {
	return &tls.Config{GetCertificate: m.certificate, NextProtos: []string{"h2", "http/1.1", acme.ALPNProto},
		MinVersion: tls.VersionTLS12}
}

func (m *Manager) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	if slices.Equal(hello.SupportedProtos, []string{acme.ALPNProto}) {
		return m.manager.GetCertificate(hello)
	}
	if err := m.isOurs(hello.Context(), hello.ServerName); err != nil {
		return nil, err
	}
	if !m.obtained.Load() {
		return nil, fmt.Errorf("the certificate of %s is not there yet", m.config.Host)
	}
	return m.obtain()
}

// obtain returns the certificate, and gets it if there is none. There is one for all clients, with an ECDSA key.
func (m *Manager) obtain() (*tls.Certificate, error) {
	return m.manager.GetCertificate(&tls.ClientHelloInfo{ServerName: m.config.Host,
		SignatureSchemes: []tls.SignatureScheme{tls.ECDSAWithP256AndSHA256},
		SupportedCurves:  []tls.CurveID{tls.CurveP256},
		CipherSuites:     []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256}})
}

// Redirect returns the handler of plain http: the authority can check the host, and everything else leads to publicURL.
func (m *Manager) Redirect(publicURL string) http.Handler {
	return m.manager.HTTPHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "Use "+publicURL, http.StatusForbidden) // what it had was sent unencrypted
			return
		}
		path := r.URL.RequestURI()
		if !strings.HasPrefix(path, "/") { // as of "GET x:.example.com", which would continue the host
			path = "/"
		}
		http.Redirect(w, r, publicURL+path, http.StatusMovedPermanently) //nolint:gosec // it stays at publicURL
	}))
}

// Pauses after a failure. Authorities accept few failures an hour, and autocert itself none within a minute.
const (
	firstPause = 2 * time.Minute
	lastPause  = time.Hour
)

// Run gets the certificate, tries again after failures, and then watches that it is renewed, until ctx is done. It
// returns earlier than what it has asked the authority for.
func (m *Manager) Run(ctx context.Context) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		if m.get(ctx, pause) {
			m.watch(ctx)
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

const whatToCheck = "check that the host leads to this machine, and that ports 80 and 443 are open to everyone"

func (m *Manager) get(ctx context.Context, pause time.Duration) bool {
	failed := make(chan error, 1)
	var certificate *tls.Certificate
	go func() {
		var err error
		certificate, err = m.obtain()
		failed <- err
	}()
	select {
	case <-ctx.Done():
		return false
	case err := <-failed:
		if err != nil {
			m.config.Log.ErrorContext(ctx, "there is no certificate yet: "+whatToCheck, "host", m.config.Host,
				"authority", m.config.Directory, "next_try", pause, "error", err)
			return false
		}
		m.obtained.Store(true)
		m.config.Log.InfoContext(ctx, "the certificate is there", "host", m.config.Host, "until",
			certificate.Leaf.NotAfter)
		return true
	}
}

// watchEvery is how often an old certificate is reported.
const watchEvery = time.Hour

// watch reports a certificate that should have been renewed, until ctx is done.
func (m *Manager) watch(ctx context.Context) {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			certificate, err := m.obtain()
			if err != nil || isOverdue(certificate.Leaf, now) {
				m.config.Log.ErrorContext(ctx, "the certificate is not renewed: "+whatToCheck, "host",
					m.config.Host, "error", err)
			}
		}
	}
}

// isOverdue reports whether a certificate is in the last quarter of its time; it is renewed in the last third.
func isOverdue(leaf *x509.Certificate, now time.Time) bool {
	const quarter = 4
	return now.After(leaf.NotAfter.Add(-leaf.NotAfter.Sub(leaf.NotBefore) / quarter))
}
