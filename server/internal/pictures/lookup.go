package pictures

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/publicsuffix"

	"github.com/sininho/sininho/server/internal/rescue"
)

const (
	fetches     = 16  // at a time; each takes up to twice maxBytes of memory
	siteFetches = 4   // of one site at a time, so that a slow one leaves room for the others
	maxPending  = 256 // fetches that run or wait to
)

// errBusy means that too many pictures are being fetched.
var errBusy = errors.New("too many pictures are being fetched")

// lookup returns the picture at an address from the cache, or fetches it. All who ask for a picture at the same time
// share one fetch, which goes on when they leave.
func (p *Proxy) lookup(ctx context.Context, address string) (picture, error) {
	if kept, ok := p.cache.get(address, p.Now()); ok {
		return kept, nil
	}
	if err := p.ctx.Err(); err != nil {
		return picture{}, errBusy
	}
	result := p.flights.DoChan(address, func() (any, error) {
		found, err := picture{}, errors.New("panic")
		rescue.Run(p.ctx, p.Log, func(ctx context.Context) { found, err = p.find(ctx, address) })
		return found, err
	})
	select {
	case r := <-result:
		return r.Val.(picture), r.Err
	case <-ctx.Done():
		return picture{}, ctx.Err()
	}
}

// find fetches a picture once there is room, and keeps it, or the fact that it cannot be shown.
func (p *Proxy) find(ctx context.Context, address string) (picture, error) {
	defer p.pending.Add(-1)
	if p.pending.Add(1) > maxPending {
		return picture{}, errBusy
	}
	ctx, cancel := context.WithTimeout(ctx, p.Timeout)
	defer cancel()
	host := hostOf(address)
	done, err := p.room(ctx, siteOf(host))
	if err != nil {
		return picture{}, errBusy
	}
	defer done()
	if kept, ok := p.cache.get(address, p.Now()); ok { // fetched since lookup looked
		return kept, nil
	}
	start := time.Now()
	content, contentType, err := fetch(ctx, p.client, address)
	took := time.Since(start)
	found := picture{until: p.Now().Add(failureKept)}
	if err != nil {
		// Not the whole address, which may hold a secret.
		p.Log.DebugContext(ctx, "picture not shown", "host", host, "error", withoutURL(err))
	} else {
		hash := sha256.Sum256(content)
		found = picture{content: content, contentType: contentType,
			etag: `"` + encoding.EncodeToString(hash[:signatureSize]) + `"`, until: p.Now().Add(pictureKept)}
	}
	p.Metrics.Fetched(took, p.cache.put(address, found))
	return found, nil
}

// room waits until a picture of a site may be fetched. The caller calls done after that.
func (p *Proxy) room(ctx context.Context, site string) (done func(), err error) {
	leave, err := p.sites.enter(ctx, site)
	if err != nil {
		return nil, err
	}
	select {
	case p.slots <- struct{}{}:
		return func() { <-p.slots; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}

// sites limits how many fetches of one site run at a time. It knows only sites with fetches.
type sites struct {
	mu  sync.Mutex
	all map[string]*site
}

type site struct {
	slots chan struct{}
	users int // fetches that run or wait
}

func (s *sites) enter(ctx context.Context, name string) (leave func(), err error) {
	s.mu.Lock()
	at := s.all[name]
	if at == nil {
		at = &site{slots: make(chan struct{}, siteFetches)}
		s.all[name] = at
	}
	at.users++
	s.mu.Unlock()
	forget := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if at.users--; at.users == 0 {
			delete(s.all, name)
		}
	}
	select {
	case at.slots <- struct{}{}:
		return func() { <-at.slots; forget() }, nil
	case <-ctx.Done():
		forget()
		return nil, ctx.Err()
	}
}

// siteOf returns the registrable domain of a host, because anyone can have endless names below their own. An IP address
// is its own site.
func siteOf(host string) string {
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(strings.TrimSuffix(host, ".")); err == nil {
		return domain
	}
	return host
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// withoutURL returns an error of the client without the address that it names.
func withoutURL(err error) error {
	if inner, ok := errors.AsType[*url.Error](err); ok {
		return inner.Err
	}
	return err
}
