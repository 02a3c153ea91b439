package sininho

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/rules"
)

const (
	backoffBase = 250 * time.Millisecond
	backoffCap  = 8 * time.Second
	// maxRetryAfter is the longest wait before a retry. If the server requests a longer one, the call
	// fails, and RetryAfter of its error is that wait.
	maxRetryAfter = time.Minute
)

// backoff returns the wait before the next attempt, or false if the server requests more than
// maxRetryAfter or the caller's deadline comes first.
func backoff(ctx context.Context, attempt int, resp *http.Response) (time.Duration, bool) {
	wait := fullJitter(attempt)
	if resp != nil {
		requested := rules.RetryAfter(resp.Header.Get("Retry-After"), time.Now())
		if requested > maxRetryAfter {
			return 0, false
		}
		if requested > 0 {
			wait += requested // jitter, so that clients do not all retry at the same instant
		}
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
		return 0, false
	}
	return wait, true
}

// fullJitter returns a random duration up to a bound that doubles with each attempt.
func fullJitter(attempt int) time.Duration {
	bound := backoffCap
	if attempt < 16 {
		bound = min(backoffCap, backoffBase<<attempt)
	}
	return rand.N(bound) + 1 //nolint:gosec // only spreads load
}

// sleep waits for d. If the context ends first, it returns the context's error at once.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
