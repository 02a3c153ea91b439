package pictures

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
	Patience       = patience
	MaxBytes       = maxBytes
	SitePending    = sitePending
	QuickFetches   = quickFetches
	SlowFetches    = slowFetches
	SiteFetches    = siteFetches
	NetworkFetches = networkFetches
	ReaderFetches  = readerFetches
)
