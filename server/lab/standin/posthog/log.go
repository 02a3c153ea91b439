package posthog

import (
	"context"
	"slices"
	"sync"
)

// keep is the number of requests that are kept; older ones are dropped.
const keep = 10_000

// log is the record of received requests.
type log struct {
	mu       sync.Mutex
	requests []Request
	last     int64
	grown    chan struct{} // closed when a request is added
}

func (l *log) add(r Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	r.Seq = l.last
	for i := range r.Events {
		r.Events[i].Seq = r.Seq
	}
	l.requests = append(l.requests, r)
	if len(l.requests) > keep {
		l.requests = slices.Clone(l.requests[len(l.requests)-keep:])
	}
	if l.grown != nil {
		close(l.grown)
		l.grown = nil
	}
}

func (l *log) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = nil
}

// after returns the requests after a seq, oldest first, and a channel that is closed when more are added.
func (l *log) after(seq int64) (found []Request, grown <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.grown == nil {
		l.grown = make(chan struct{})
	}
	for _, r := range l.requests {
		if r.Seq > seq {
			found = append(found, r)
		}
	}
	return found, l.grown
}

// wait returns what pick selects from the requests after a seq. It waits until there is something or the context ends.
func wait[T any](ctx context.Context, l *log, seq int64, pick func(Request) []T) []T {
	for {
		found, grown := l.after(seq)
		var picked []T
		for _, r := range found {
			picked = append(picked, pick(r)...)
		}
		if len(picked) > 0 {
			return picked
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return nil
		}
	}
}
