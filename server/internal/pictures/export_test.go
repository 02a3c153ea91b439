package pictures

import "context"

// Inspect is inspect, for tests.
var Inspect = inspect

// Waiting returns how many readers wait for the fetch of a picture.
func (p *Proxy) Waiting(address string) int {
	return p.quick.waiting(address) + p.slow.waiting(address)
}

// WaitingSlow returns how many readers wait for the slow fetch of a picture.
func (p *Proxy) WaitingSlow(address string) int { return p.slow.waiting(address) }

func (l *lane) waiting(address string) int {
	l.flights.mu.Lock()
	defer l.flights.mu.Unlock()
	if f := l.flights.all[address]; f != nil {
		return f.readers
	}
	return 0
}

// Limits, for tests.
const (
	Patience        = patience
	MaxBytes        = maxBytes
	MaxSmall        = maxSmall
	MaxDecoded      = maxDecoded
	MaxUploadStored = maxUploadStored
	SitePending     = sitePending
	QuickFetches    = quickFetches
	SlowFetches     = slowFetches
	SiteFetches     = siteFetches
	NetworkFetches  = networkFetches
	ReaderFetches   = readerFetches
)

// Shrink is shrink, for tests.
func Shrink(ctx context.Context, content []byte, size string) ([]byte, string, error) {
	contentType, err := inspect(content)
	if err != nil {
		return nil, "", err
	}
	return shrink(ctx, content, contentType, sizes[size])
}

// HoldShrinker takes the place in which the pictures of a site are made small.
func (p *Proxy) HoldShrinker(ctx context.Context, address string) (release func(), err error) {
	return p.shrinkers.Take(ctx, siteOf(hostOf(address)), 1)
}

// Sizes are the sizes, for tests.
var Sizes = sizes
