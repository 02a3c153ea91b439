package pictures

// Inspect is inspect, for tests.
var Inspect = inspect

// Waiting returns how many readers wait for the fetch of a picture.
func (p *Proxy) Waiting(address string) int {
	p.flights.mu.Lock()
	defer p.flights.mu.Unlock()
	if f := p.flights.all[address]; f != nil {
		return f.readers
	}
	return 0
}

// Limits, for tests.
const (
	MaxBytes       = maxBytes
	MaxPending     = maxPending
	Fetches        = fetches
	SiteFetches    = siteFetches
	NetworkFetches = networkFetches
	ReaderFetches  = readerFetches
)
