package server

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"sync"

	"github.com/sininho/sininho/server/internal/certificates"
	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/live"
)

// Values of TLS.
const (
	tlsOff  = "off"
	tlsAuto = "auto"
)

// httpsAddr is where a server with a certificate listens unless LISTEN_ADDR says otherwise.
const httpsAddr = ":443"

// Secured reports whether the server itself speaks https.
func (c Config) Secured() bool { return c.TLS == tlsAuto }

// checkTLS validates the settings of certificates.
func (c Config) checkTLS(p *problems) {
	if c.TLS != tlsOff && c.TLS != tlsAuto {
		p.add("TLS", "must be off or auto")
	}
	if !isListenable(c.HTTPAddr) {
		p.add("HTTP_ADDR", "must be an address such as :80")
	}
	if !strings.HasPrefix(c.ACMEDirectory, "https://") {
		p.add("ACME_DIRECTORY_URL", "must be an https address")
	}
	if c.ACMECA != "" && !x509.NewCertPool().AppendCertsFromPEM([]byte(c.ACMECA)) {
		p.add("ACME_CA", "must be certificates in PEM; ACME_CA_FILE may name their file")
	}
	if !c.Secured() {
		return
	}
	if c.DataDir == "" {
		p.add("DATA_DIR", "is required with TLS=auto, to keep the certificate")
	}
	if !hasCertifiedName(c.PublicURL) {
		p.add("PUBLIC_URL", "must be an https address with the name of a host, which TLS=auto gets a certificate for")
	}
}

// hasCertifiedName reports whether an authority gives a certificate for the host of an address.
func hasCertifiedName(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" {
		return false
	}
	_, err = netip.ParseAddr(u.Hostname())
	return err != nil && strings.Contains(strings.Trim(u.Hostname(), "."), ".")
}

// Secure returns l with https and a certificate for the host of PUBLIC_URL, and redirects plain http, if the settings
// say so. Otherwise it returns l. Closing the listener ends both.
func (c Config) Secure(ctx context.Context, l net.Listener, log *slog.Logger) (net.Listener, error) {
	if !c.Secured() {
		return l, nil
	}
	u, err := url.Parse(c.PublicURL)
	if err != nil {
		return nil, err
	}
	config := certificates.Config{Host: u.Hostname(), Dir: filepath.Join(c.DataDir, "certificates"),
		Directory: c.ACMEDirectory, Log: log}
	if c.ACMECA != "" {
		config.Roots = x509.NewCertPool()
		config.Roots.AppendCertsFromPEM([]byte(c.ACMECA))
	}
	plain, err := Listen(ctx, c.HTTPAddr)
	if err != nil {
		return nil, err
	}
	manager := certificates.New(config)
	s := &securedListener{Listener: live.Secure(l, manager.TLS()), below: l, plain: plain, tls: manager.TLS()}
	s.redirect = newWeb(manager.Redirect(c.PublicURL), log)
	s.ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	s.run = sync.OnceFunc(func() {
		go manager.Run(s.ctx)
		go func() {
			if err := s.redirect.Serve(s.plain); !errors.Is(err, http.ErrServerClosed) {
				log.ErrorContext(ctx, "plain http is not redirected any more", "addr", c.HTTPAddr, "error", err)
			}
		}()
	})
	return s, nil
}

// securedListener accepts https connections.
type securedListener struct {
	net.Listener
	below    net.Listener // without TLS
	plain    net.Listener // of what is redirected
	tls      *tls.Config
	redirect *http.Server
	run      func() // gets the certificate, and redirects
	ctx      context.Context
	cancel   context.CancelFunc
}

// bound has connections come through a door. It must be called before Accept.
func (s *securedListener) bound(d *guard.Door) {
	s.Listener, s.plain = live.Secure(d.Listen(s.below), s.tls), d.Listen(s.plain)
}

// Accept implements net.Listener. The certificate is asked for from the first call on, because the authority connects
// to this listener to check the host.
func (s *securedListener) Accept() (net.Conn, error) {
	s.run()
	return s.Listener.Accept()
}

// Close implements net.Listener. Redirects that are under way are still sent.
func (s *securedListener) Close() error {
	s.cancel()
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	err := errors.Join(s.Listener.Close(), s.redirect.Shutdown(ctx))
	_ = s.plain.Close() // it is closed already, unless nothing was accepted
	return err
}
