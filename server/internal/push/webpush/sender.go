package webpush

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/push/encryption"
)

// Config configures a Sender.
type Config struct {
	Key *Key
	// Contact is where push services reach the operator: a mailto or https address.
	Contact string
	// App is the address of the web app.
	App string
	// Rules says which addresses are dialled.
	Rules core.PushRules
	// Picture returns the address at which devices load a picture; nil means its own.
	Picture func(picture string) string
	// Replace has the addresses that are used instead of origins, for stand-ins.
	Replace map[string]*url.URL
	// TLS is the configuration of connections, for tests; nil means the default one.
	TLS *tls.Config
	// Resolver resolves names; nil means the system's resolver.
	Resolver *net.Resolver
	// Timeout limits one send.
	Timeout time.Duration
}

const (
	// connections is the most connections to one origin. With HTTP/2 each carries many pushes at once.
	connections = 32
	maxBody     = 4 << 10
)

// Sender implements core.PushSender for subscriptions of browsers.
type Sender struct {
	Config
	client   *http.Client
	origins  origins
	prepared atomic.Pointer[prepared]
}

// New returns a Sender. It makes no network requests.
func New(c Config) *Sender {
	s := &Sender{Config: c}
	t := guard.NewTransport(s.mayDial, c.Resolver)
	t.ForceAttemptHTTP2 = true
	t.TLSClientConfig = c.TLS
	t.MaxConnsPerHost = connections
	t.MaxIdleConnsPerHost = connections
	s.client = &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	return s
}

func (s *Sender) mayDial(a netip.AddrPort) error {
	if !s.Rules.May(a) {
		return errAddress
	}
	return nil
}

// Close closes the idle connections.
func (s *Sender) Close() { s.client.CloseIdleConnections() }

// Send pushes to one device, once. A push that is too large for the push service is sent again with less in it.
func (s *Sender) Send(ctx context.Context, p core.Push, to core.PushAddress) core.Result {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	text, err := s.text(p)
	if err != nil {
		return core.Result{Outcome: core.Failed, Cause: core.CauseInvalid, Err: err}
	}
	status, r := s.post(ctx, p, to, text, maxMessage)
	if status != http.StatusRequestEntityTooLarge {
		return r
	}
	p = s.withPictures(p)
	p.Image = ""
	if text, err = newMessage(p, s.App, smallMessage); err != nil {
		return core.Result{Outcome: core.Failed, Cause: core.CauseInvalid, Err: err}
	}
	_, r = s.post(ctx, p, to, text, smallMessage)
	return r
}

// post sends one request. status is 0 without a response.
func (s *Sender) post(ctx context.Context, p core.Push, to core.PushAddress, text []byte, limit int) (
	status int, r core.Result,
) {
	req, err := s.request(ctx, p, to, text, limit)
	if err != nil {
		return 0, core.Result{Outcome: core.Failed, Cause: core.CauseInvalid, Err: err}
	}
	res, err := s.client.Do(req)
	if err != nil {
		return 0, lost(err)
	}
	defer res.Body.Close()
	r = s.outcome(res, to.Service(), time.Now())
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, maxBody)) // so that the connection is used again
	return res.StatusCode, r
}

func (s *Sender) request(ctx context.Context, p core.Push, to core.PushAddress, text []byte, limit int) (
	*http.Request, error,
) {
	now, service := time.Now(), to.Service()
	sealed, err := encryption.Seal(to.Keys, text, limit)
	if err != nil {
		return nil, err
	}
	authorization, err := s.origins.authorization(service, now, func(expires time.Time) (string, error) {
		return s.Key.authorization(service, s.Contact, expires)
	})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to.Address, bytes.NewReader(sealed))
	if err != nil {
		return nil, err
	}
	if other := s.Replace[service]; other != nil {
		req.URL.Scheme, req.URL.Host, req.Host = other.Scheme, other.Host, other.Host
	}
	req.Header = newHeader(p, now)
	req.Header.Set("Authorization", authorization)
	return req, nil
}

// prepared caches the text of the current push, which is the same for all devices.
type prepared struct {
	push core.Push
	text []byte
}

func (s *Sender) text(p core.Push) ([]byte, error) {
	if known := s.prepared.Load(); known != nil && known.push == p {
		return known.text, nil
	}
	text, err := newMessage(s.withPictures(p), s.App, maxMessage)
	if err == nil {
		s.prepared.Store(&prepared{p, text})
	}
	return text, err
}

// withPictures returns the push with the addresses at which devices load its pictures.
func (s *Sender) withPictures(p core.Push) core.Push {
	if s.Picture != nil {
		p.Image, p.Icon = s.Picture(p.Image), s.Picture(p.Icon)
	}
	return p
}
