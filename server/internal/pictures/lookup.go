package pictures

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"
)

const (
	fetches        = 16  // at a time; each takes up to twice maxBytes of memory
	siteFetches    = 4   // of one site at a time, so that a slow one leaves room for the others
	networkFetches = 6   // for the readers of one network at a time, so that they leave room for others
	readerFetches  = 3   // of one site for the readers of one network at a time
	maxPending     = 256 // fetches that run or wait to
)

// errBusy means that too many pictures are being fetched.
var errBusy = errors.New("too many pictures are being fetched")

// reader is whom a picture of a site is fetched for.
type reader struct {
	network netip.Prefix
	site    string
}

// lookup returns the picture at an address from the cache, or fetches it for a network. All who ask for a picture at
// the same time share one fetch, which ends when all have left.
func (p *Proxy) lookup(ctx context.Context, address string, from netip.Prefix) (picture, error) {
	if kept, ok := p.cache.get(address, p.Now()); ok {
		return kept, nil
	}
	if err := p.ctx.Err(); err != nil {
		return picture{}, errBusy
	}
	if err := p.limiter.take(from); err != nil {
		return picture{}, err
	}
	done, err := p.turn(ctx, reader{from, siteOf(hostOf(address))})
	if err != nil {
		return picture{}, cmp.Or(ctx.Err(), errBusy)
	}
	defer done()
	f := p.join(address)
	defer p.leave(address, f)
	select {
	case <-f.done:
		return f.found, f.err
	case <-ctx.Done():
		return picture{}, ctx.Err()
	}
}

// turn waits until a picture may be fetched for a reader. It is taken by each reader, not for a fetch, so that nobody
// waits for the turns of others who want the same picture. The caller calls done after that.
func (p *Proxy) turn(ctx context.Context, r reader) (done func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, p.Timeout)
	defer cancel()
	leaveSite, err := p.readers.enter(ctx, r)
	if err != nil {
		return nil, err
	}
	leaveNetwork, err := p.networks.enter(ctx, r.network)
	if err != nil {
		leaveSite()
		return nil, err
	}
	return func() { leaveNetwork(); leaveSite() }, nil
}

// find fetches a picture once there is room, and keeps it, or the fact that it cannot be shown.
func (p *Proxy) find(ctx context.Context, address string) (picture, error) {
	if kept, ok := p.cache.get(address, p.Now()); ok { // fetched since lookup looked
		return kept, nil
	}
	defer p.pending.Add(-1)
	if p.pending.Add(1) > maxPending {
		return picture{}, errBusy
	}
	limited, cancel := context.WithTimeout(ctx, p.Timeout)
	defer cancel()
	host := hostOf(address)
	done, err := p.room(limited, siteOf(host))
	if err != nil {
		return picture{}, errBusy
	}
	defer done()
	start := time.Now()
	content, contentType, err := fetch(limited, p.client, address)
	took := time.Since(start)
	if err := ctx.Err(); err != nil { // it was abandoned, which says nothing about the picture
		return picture{}, err
	}
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
