package command

import (
	"context"
	"sync"
	"time"
)

// throttle makes all workers of a batch wait as soon as one of them exceeds the server's rate limit.
type throttle struct {
	mu    sync.Mutex
	until time.Time
}

// pause makes every worker wait for d, but at least a second, to spare a server that sends no Retry-After.
func (t *throttle) pause(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if until := time.Now().Add(max(d, time.Second)); until.After(t.until) {
		t.until = until
	}
}

// wait returns nil when no pause is left, or the error of ctx.
func (t *throttle) wait(ctx context.Context) error {
	for {
		left := t.left()
		if left <= 0 {
			return ctx.Err()
		}
		if err := pause(ctx, left); err != nil {
			return err
		}
	}
}

func (t *throttle) left() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Until(t.until)
}
