package webpush

import (
	"sync"
	"time"
)

const (
	tokenLife = 12 * time.Hour // push services accept at most 24 hours
	renewAt   = tokenLife - time.Hour
	// manyOrigins bounds how many origins are remembered: strangers choose them.
	manyOrigins = 10_000
)

// origins are what is known about push services, by origin.
type origins struct {
	mu    sync.Mutex
	known map[string]*origin
}

// origin is what is known about one push service.
type origin struct {
	authorization string
	signedAt      time.Time
}

// get returns an origin. The caller must hold the lock.
func (o *origins) get(name string) *origin {
	if known := o.known[name]; known != nil {
		return known
	}
	if o.known == nil || len(o.known) >= manyOrigins {
		o.known = map[string]*origin{}
	}
	o.known[name] = &origin{}
	return o.known[name]
}

// authorization returns the header for an origin. It signs one token for all pushes until it nears its end.
func (o *origins) authorization(name string, now time.Time, sign func(expires time.Time) (string, error)) (
	string, error,
) {
	o.mu.Lock()
	defer o.mu.Unlock()
	known := o.get(name)
	if known.authorization != "" && now.Sub(known.signedAt) < renewAt && !now.Before(known.signedAt) {
		return known.authorization, nil
	}
	header, err := sign(now.Add(tokenLife))
	if err != nil {
		return header, err
	}
	known.authorization, known.signedAt = header, now
	return header, nil
}
