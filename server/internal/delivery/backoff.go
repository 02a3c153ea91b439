package delivery

import (
	"math/rand/v2"
	"time"
)

const longestBackoff = time.Minute

// backoff grows from one second to a minute, with jitter so that what failed together does not come back together.
func backoff(tries int) time.Duration {
	d := longestBackoff
	if tries < 6 {
		d = time.Second << tries
	}
	return d/2 + rand.N(d/2) //nolint:gosec // only spreads load
}
