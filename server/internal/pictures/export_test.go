package pictures

// Inspect is inspect, for tests.
var Inspect = inspect

// Limits, for tests.
const (
	MaxBytes    = maxBytes
	MaxPending  = maxPending
	Fetches     = fetches
	SiteFetches = siteFetches
)
