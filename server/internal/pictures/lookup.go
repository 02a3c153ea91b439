package pictures

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var (
	// errBusy means that too many pictures are being fetched.
	errBusy = errors.New("too many pictures are being fetched")
	// errSlow means that a fetch has no more time among the quick ones.
	errSlow = errors.New("the picture's server is slow")
)

// lookup returns the picture at an address from the cache, or fetches it for a network.
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
	limited, cancel := context.WithTimeout(ctx, 2*p.Timeout+patience)
	defer cancel()
	r, found, err := reader{core.SiteOf(from), siteOf(hostOf(address))}, picture{}, errSlow
	if !p.slowness.isSlow(r.site) {
		found, err = p.visit(limited, p.quick, r, address)
	}
	// Again when the first visit has found the network of the site, by which it shares the lane.
	for visits := 0; visits < 2 && errors.Is(err, errSlow); visits++ {
		found, err = p.visit(limited, p.slow, r, address)
	}
	if err != nil {
		err = cmp.Or(ctx.Err(), err)
	}
	return found, err
}

// visit fetches a picture in a lane. All who ask for it there at the same time share one fetch, which ends when all
// have left.
func (p *Proxy) visit(ctx context.Context, l *lane, r reader, address string) (picture, error) {
	waiting, cancel := context.WithTimeout(ctx, p.Timeout)
	defer cancel()
	done, err := l.turn(waiting, r)
	if err != nil {
		return picture{}, errBusy
	}
	defer done()
	f := p.join(l, address)
	defer l.leave(address, f)
	select {
	case <-f.done:
		return f.found, f.err
	case <-ctx.Done():
		return picture{}, errBusy
	}
}

// find fetches a picture once there is a place, and keeps it, or the fact that it cannot be shown.
func (p *Proxy) find(ctx context.Context, l *lane, address string) (picture, error) {
	if kept, ok := p.cache.get(address, p.Now()); ok { // fetched since lookup looked
		return kept, nil
	}
	limited, cancel := context.WithTimeout(ctx, p.Timeout)
	defer cancel()
	host := hostOf(address)
	t := &trip{lane: l, slowness: p.slowness, site: siteOf(host)}
	t.holder = t.site
	if l.slow {
		t.holder = p.slowness.shared(t.site)
	}
	leave, err := l.enter(limited, t.holder)
	if err != nil {
		return picture{}, err
	}
	defer leave()
	content, contentType, err := p.travel(limited, t, address)
	if err := ctx.Err(); err != nil { // it was abandoned, which says nothing about the picture
		return picture{}, err
	}
	if errors.Is(err, errSlow) || errors.Is(err, errBusy) {
		return picture{}, err
	}
	found := picture{until: p.Now().Add(failureKept)}
	if err != nil {
		// Not the whole address, which may hold a secret.
		p.Log.DebugContext(ctx, "picture not shown", "host", host, "error", withoutURL(err))
	} else {
		found = newPicture(content, contentType, p.Now().Add(pictureKept))
	}
	p.Metrics.Fetched(time.Since(t.began), p.cache.put(address, found))
	return found, nil
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
