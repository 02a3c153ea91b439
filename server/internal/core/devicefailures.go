package core

import (
	"math/rand/v2"
	"time"
)

// DeviceFailures is how pushes to a device have failed since it last accepted one. They concern the device alone:
// nothing else waits for it.
type DeviceFailures struct {
	Failures int       // tries after which the device is left alone for a while
	Refusals int       // those of them that the push service is likely to repeat for ever
	Since    time.Time // the first of them
	Rang     bool      // it had accepted a push before
}

const (
	longestWait = 15 * time.Minute
	// mostRefusals retire a device. They are spread over minutes, so that a push service that is briefly misconfigured
	// costs nobody their device.
	mostRefusals = 3
	refusalWait  = time.Minute
	// longestRefusal is how long a device is refused at least that has rung before: the fault may be this server's.
	longestRefusal = 24 * time.Hour
	longestPause   = time.Hour // between the refusals of such a device
)

// After returns the failures of a device after another one, how long it is left alone, and whether to retire it.
func (f DeviceFailures) After(r Result, now time.Time) (after DeviceFailures, wait time.Duration, retire bool) {
	if f.Failures == 0 {
		f.Since = now
	}
	wait = max(r.Wait, backoff(f.Failures))
	f.Failures++
	if r.Refused {
		f.Refusals++
		wait = max(wait, min(longestPause, refusalWait<<min(f.Refusals-1, 10)))
	}
	return f, wait, f.Refusals >= mostRefusals && (!f.Rang || now.Sub(f.Since) >= longestRefusal)
}

// backoff returns how long to wait after a number of failures, with jitter, so that what failed together does not
// return together.
func backoff(failures int) time.Duration {
	d := min(longestWait, time.Second<<min(failures, 10))
	return d/2 + rand.N(d/2) //nolint:gosec // only spreads load
}
