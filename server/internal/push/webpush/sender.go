package webpush

import (
	"bytes"
	"cmp"
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
	"github.com/sininho/sininho/server/internal/push"
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
	client   *http.Client // for sites that are established
	careful  *http.Client // for the others
	hosts    hosts
	origins  origins
	prepared atomic.Pointer[prepared]
}

// New returns a Sender. It makes no network requests.
func New(c Config) *Sender {
	s := &Sender{Config: c}
	t := s.newTransport()
	t.MaxConnsPerHost = connections
	t.MaxIdleConnsPerHost = connections
	// Each push to a site that is not established has a connection of its own, to an address that is counted.
	careful := s.newTransport()
	careful.DisableKeepAlives = true
	careful.DialContext = s.dialCarefully(careful.DialContext)
	s.client, s.careful = newClient(t), newClient(careful)
	return s
}

func (s *Sender) newTransport() *http.Transport {
	t := guard.NewTransport(s.mayDial, s.Resolver)
	t.ForceAttemptHTTP2 = true
	t.TLSClientConfig = s.TLS
	return t
}

func newClient(t *http.Transport) *http.Client {
	return &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

type dial = func(ctx context.Context, network, address string) (net.Conn, error)

// dialCarefully takes a place at each address before it is dialled.
func (s *Sender) dialCarefully(next dial) dial {
	resolver := s.Resolver
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		number, err := resolver.LookupPort(ctx, network, port)
		if err != nil {
			return nil, err
		}
		found, err := resolver.LookupNetIP(ctx, "ip", host)
		if err != nil {
			return nil, err
		}
		v, _ := ctx.Value(visitKey{}).(*visit)
		var first error
		for _, ip := range found[:min(len(found), mostDialled)] {
			to := netip.AddrPortFrom(ip.Unmap(), uint16(number)) //nolint:gosec // a port
			if v != nil {
				if err := v.enterAddress(to, time.Now()); err != nil {
					return nil, err
				}
			}
			conn, err := next(ctx, network, to.String())
			if err == nil {
				return conn, nil
			}
			first = cmp.Or(first, err)
		}
		return nil, first
	}
}

// mostDialled is how many addresses of a name are tried.
const mostDialled = 4

// visitKey is the key of the visit in the context of a request.
type visitKey struct{}

func (s *Sender) mayDial(a netip.AddrPort) error {
	if !s.Rules.May(a) {
		return errAddress
	}
	return nil
}

// Close closes the idle connections.
func (s *Sender) Close() { s.client.CloseIdleConnections() }

// Send pushes to one device, once, if there are not enough pushes under way. A push that is too large for the push
// service is sent again with less in it.
func (s *Sender) Send(ctx context.Context, p core.Push, to core.PushAddress) (r core.Result) {
	v, err := s.hosts.enter(to, time.Now())
	if again, ok := asBusy(err); ok {
		return core.Result{Cause: core.CauseQuota, Later: again}
	}
	defer func() { v.leave(r, time.Now()) }()
	timeout, client := s.Timeout, s.client
	if !v.established {
		timeout, client = min(timeout, patienceWithOthers), s.careful
	}
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, visitKey{}, v), timeout)
	defer cancel()
	return s.send(ctx, client, p, to)
}

func (s *Sender) send(ctx context.Context, client *http.Client, p core.Push, to core.PushAddress) core.Result {
	text, err := s.text(p)
	if err != nil {
		return core.Result{Outcome: core.Failed, Cause: core.CauseInvalid, Err: err}
	}
	status, r := s.post(ctx, client, p, to, text, maxMessage)
	if status != http.StatusRequestEntityTooLarge {
		return r
	}
	p = s.withPictures(p)
	p.Image = ""
	if text, err = newMessage(p, s.App, smallMessage); err != nil {
		return core.Result{Outcome: core.Failed, Cause: core.CauseInvalid, Err: err}
	}
	_, r = s.post(ctx, client, p, to, text, smallMessage)
	return r
}

// post sends one request. status is 0 without a response.
func (s *Sender) post(
	ctx context.Context, client *http.Client, p core.Push, to core.PushAddress, text []byte, limit int,
) (status int, r core.Result) {
	req, err := s.request(ctx, p, to, text, limit)
	if err != nil {
		return 0, core.Result{Outcome: core.Failed, Cause: core.CauseInvalid, Err: err}
	}
	res, err := client.Do(req)
	if err != nil {
		return 0, lost(err)
	}
	defer res.Body.Close()
	r = outcome(res, to.Service(), time.Now())
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, maxBody)) // so that the connection is used again
	return res.StatusCode, r
}

func (s *Sender) request(ctx context.Context, p core.Push, to core.PushAddress, text []byte, limit int) (
	*http.Request, error,
) {
	now, service := time.Now(), to.Service()
	sealed, err := push.Seal(to.Keys, text, limit)
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
	if err != nil {
		return text, err
	}
	s.prepared.Store(&prepared{p, text})
	return text, nil
}

// withPictures returns the push with the addresses at which devices load its pictures.
func (s *Sender) withPictures(p core.Push) core.Push {
	if s.Picture != nil {
		p.Image, p.Icon = s.Picture(p.Image), s.Picture(p.Icon)
	}
	return p
}
