package server

import (
	"context"
	"net/http"
	"sync"
	"time"
)

const (
	readyFor    = time.Second // how long a result of the database check is reused
	pingTimeout = 2 * time.Second
)

// readiness is the readiness check of a load balancer.
type readiness struct {
	stopping <-chan struct{}
	ping     func(context.Context) error
	now      func() time.Time

	mu    sync.Mutex
	asked time.Time
	err   error
}

func (o *readiness) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case <-o.stopping:
		http.Error(w, "stopping", http.StatusServiceUnavailable)
		return
	default:
	}
	if err := o.database(r.Context()); err != nil {
		http.Error(w, "the database does not respond", http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("ready\n"))
}

// database reports whether the database responds. Concurrent callers share one ping, which therefore ignores the
// cancellation of the first caller's request.
func (o *readiness) database(ctx context.Context) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.asked.IsZero() || o.now().Sub(o.asked) >= readyFor {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pingTimeout)
		defer cancel()
		o.err = o.ping(ctx)
		o.asked = o.now()
	}
	return o.err
}
