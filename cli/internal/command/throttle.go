package command

import (
	"context"
	"sync"
	"time"
)

// throttle makes the workers of a batch wait together once the server is over its rate limit
// for one of them.
type throttle struct {
	mu    sync.Mutex
	until time.Time
}

// pause keeps every worker waiting for a while, but at least a second: a server that names no
// time must not be asked again at once.
func (t *throttle) pause(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if until := time.Now().Add(max(d, time.Second)); until.After(t.until) {
		t.until = until
	}
}

// wait returns when no pause is left, or with the error of ctx.
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
