package pictures

import (
	"context"
	"errors"
	"sync"

	"github.com/sininho/sininho/server/internal/guard"
)

// flights are the fetches of a lane that run or wait to, by address.
type flights struct {
	mu  sync.Mutex
	all map[string]*flight
}

// flight is the fetch of a picture, for all readers who wait for it.
type flight struct {
	readers int
	abandon context.CancelFunc
	done    chan struct{} // closed when there is a result
	found   picture
	err     error
}

// join returns the flight to an address in a lane, and begins it unless there is one. The caller calls leave after
// that.
func (p *Proxy) join(l *lane, address string) *flight {
	l.flights.mu.Lock()
	defer l.flights.mu.Unlock()
	f := l.flights.all[address]
	if f == nil {
		f = &flight{done: make(chan struct{}), err: errors.New("panic")}
		var ctx context.Context
		ctx, f.abandon = context.WithCancel(p.ctx)
		l.flights.all[address] = f
		go func() {
			defer close(f.done)
			guard.Run(ctx, p.Log, func(ctx context.Context) { f.found, f.err = p.find(ctx, l, address) })
		}()
	}
	f.readers++
	return f
}

// leave ends a flight for which nobody waits any more.
func (l *lane) leave(address string, f *flight) {
	l.flights.mu.Lock()
	defer l.flights.mu.Unlock()
	if f.readers--; f.readers == 0 {
		f.abandon()
		delete(l.flights.all, address)
	}
}
