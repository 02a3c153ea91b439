package pictures

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"github.com/sininho/sininho/server/internal/guard"
)

const (
	// shrinkers is how many pictures are made small at a time, of each site one.
	shrinkers  = 2
	shrinkTime = 2 * time.Second
)

// lookupIn returns the picture at an address in one of the sizes, or as it is if size is "", or if it cannot be made
// small, or not soon.
func (p *Proxy) lookupIn(ctx context.Context, size, address string, from netip.Prefix) (picture, error) {
	if size == "" {
		return p.lookup(ctx, address, from)
	}
	key := size + " " + address
	kept, ok := p.cache.get(key, p.Now())
	if ok && kept.content != nil {
		return kept, nil
	}
	whole, err := p.lookup(ctx, address, from)
	if err != nil || whole.content == nil || ok { // without content it is known to have no small form
		return whole, err
	}
	making := p.shrinking.DoChan(key, func() (any, error) { return p.makeSmall(size, address, whole) })
	select {
	case made := <-making:
		small, _ := made.Val.(picture)
		switch {
		case made.Err != nil:
			whole.fleeting = true
			return whole, nil
		case small.content == nil:
			return whole, nil
		}
		return small, nil
	case <-ctx.Done():
		return picture{}, ctx.Err()
	}
}

// makeSmall makes a picture small once there is a place, and keeps it, or the fact that it cannot be. It fails with
// errBusy.
func (p *Proxy) makeSmall(size, address string, whole picture) (picture, error) {
	host := hostOf(address)
	waiting, cancel := context.WithTimeout(p.ctx, p.Timeout)
	defer cancel()
	leave, err := p.shrinkers.Take(waiting, siteOf(host), 1)
	if err != nil {
		return picture{}, errBusy
	}
	defer leave()
	limited, cancel := context.WithTimeout(p.ctx, shrinkTime)
	defer cancel()
	small, err := picture{until: whole.until}, errors.New("panic")
	guard.Run(limited, p.Log, func(ctx context.Context) {
		var content []byte
		var contentType string
		if content, contentType, err = shrink(ctx, whole.content, whole.contentType, sizes[size]); err == nil {
			small = newPicture(content, contentType, whole.until)
		}
	})
	if p.ctx.Err() != nil {
		return picture{}, errBusy
	}
	if err != nil {
		p.Log.DebugContext(limited, "picture not made small", "host", host, "error", err)
	}
	p.cache.put(size+" "+address, small)
	return small, nil
}
