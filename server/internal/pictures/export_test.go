package pictures

// Inspect is inspect, for tests.
var Inspect = inspect

// Waiting returns how many readers wait for the fetch of a picture.
func (p *Proxy) Waiting(address string) (n int) {
	for _, l := range []*lane{p.quick, p.slow} {
		l.flights.mu.Lock()
		if f := l.flights.all[address]; f != nil {
			n += f.readers
		}
		l.flights.mu.Unlock()
	}
	return n
}

// Limits, for tests.
const (
	Patience       = patience
	MaxBytes       = maxBytes
	SitePending    = sitePending
	QuickFetches   = quickFetches
	SlowFetches    = slowFetches
	SiteFetches    = siteFetches
	NetworkFetches = networkFetches
	ReaderFetches  = readerFetches
)
