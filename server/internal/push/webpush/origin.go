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
	// provenFor is how long the acceptance of a push shows that the origin accepts this server's key.
	provenFor = time.Minute
	// manyRefusals in a row are about the key or the clock of this server, and not about single devices.
	manyRefusals = 20
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
	acceptedAt    time.Time // the latest push that it accepted
	refused       int       // pushes since then that it refused because of the key
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
	if err == nil {
		known.authorization, known.signedAt = header, now
	}
	return header, err
}

// accepted records that an origin accepted a push.
func (o *origins) accepted(name string, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	known := o.get(name)
	known.acceptedAt, known.refused = now, 0
}

// What a refusal of the key is about.
type fault int

const (
	faultOfKey    fault = iota // of this server's: nothing more is to be sent
	faultOfDevice              // of the device, because the origin accepts the key
	faultUnclear
)

// refused records that an origin refused the key, and returns what that is about. A stranger can register a device
// whose subscription belongs to another key: it must not stop the pushes of the others.
func (o *origins) refused(name string, now time.Time) fault {
	o.mu.Lock()
	defer o.mu.Unlock()
	known := o.get(name)
	known.refused++
	switch {
	case known.acceptedAt.IsZero() || known.refused >= manyRefusals:
		return faultOfKey
	case now.Sub(known.acceptedAt) < provenFor:
		return faultOfDevice
	default:
		return faultUnclear
	}
}
