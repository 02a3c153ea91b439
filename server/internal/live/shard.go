package live

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/metrics"
)

// shard writes to a part of the streams whose connections were taken over. Its goroutine never waits for a client or
// for the database: it gives each socket what the kernel takes at once.
type shard struct {
	hub  *Hub
	wake chan struct{}
	sync chan chan struct{} // each is closed when every stream that was due before has had a turn

	mu     sync.Mutex
	due    []*stream // woken streams, and new ones
	closed bool

	// Only the shard's goroutine uses these.
	streams []*stream
	spare   []*stream // the memory of due, used in turn
	joined  []byte    // a piece of several frames for one stream
	records []byte    // what TLS makes of them
	try     *attempt
	drains  sync.WaitGroup

	sentEvents, sentBytes int // that serve has not counted yet
}

func newShard(h *Hub) *shard {
	return &shard{hub: h, wake: make(chan struct{}, 1), sync: make(chan chan struct{}), try: newAttempt()}
}

// add hands a stream on to the shard. It returns false when the stream was cut, or the shard has ended.
func (d *shard) add(s *stream) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isCut || !d.schedule(s) {
		return false
	}
	s.woken, s.stop = true, nil
	s.wake = func() { d.schedule(s) }
	return true
}

func (d *shard) schedule(s *stream) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return false
	}
	d.due = append(d.due, s)
	if len(d.due) == 1 {
		select {
		case d.wake <- struct{}{}:
		default:
		}
	}
	return true
}

// run writes to the shard's streams until done is closed, and then ends them.
func (d *shard) run(done <-chan struct{}) {
	sweep := time.NewTicker(d.hub.pace.sweep)
	defer sweep.Stop()
	for {
		select {
		case <-done:
			d.end()
			return
		case <-d.wake:
			d.serve()
		case synced := <-d.sync:
			d.serve()
			close(synced)
		case <-sweep.C:
			guard.Run(context.Background(), d.hub.Log, func(context.Context) { d.sweep() })
		}
	}
}

// serve gives each stream that is due a turn.
func (d *shard) serve() {
	d.mu.Lock()
	due := d.due
	d.due, d.spare = d.spare[:0], nil
	d.mu.Unlock()
	for _, s := range due {
		if !s.ending && !d.attended(s) {
			s.cut(metrics.CutPanic)
		}
	}
	d.hub.Metrics.Sent(d.sentEvents, d.sentBytes)
	d.sentEvents, d.sentBytes = 0, 0
	clear(due)
	d.spare = due[:0]
}

// attended attends to a stream, and reports false when that panicked.
func (d *shard) attended(s *stream) (ok bool) {
	guard.Run(context.Background(), d.hub.Log, func(context.Context) {
		d.attend(s)
		ok = true
	})
	return ok
}

// attend writes a piece of what is queued for a stream, or ends it. The next piece comes after those of other streams.
func (d *shard) attend(s *stream) {
	if !s.placed {
		s.placed, s.index = true, len(d.streams)
		d.streams = append(d.streams, s)
	}
	b, events, open := s.takeTurn(&d.joined)
	if !open {
		d.remove(s)
		return
	}
	d.sentEvents += events
	if len(b) > 0 {
		d.write(s, b)
	}
	s.endTurn()
}

// write gives the kernel what it takes at once. A goroutine that lives while the reader is behind writes the rest.
func (d *shard) write(s *stream, b []byte) {
	d.sentBytes += len(b)
	b, err := s.sealed(b, &d.records)
	n := 0
	if err == nil {
		n, err = d.try.write(s.raw, b)
	}
	switch {
	case err != nil:
		d.remove(s)
	case n < len(b):
		s.mu.Lock()
		s.behind = !s.isCut
		s.mu.Unlock()
		rest := bytes.Clone(b[n:])
		s.drains.Store(true)
		d.drains.Go(func() { s.drain(rest, d.hub.pace.write) })
	}
}

// sweep ends the streams whose client has left or whose credential has expired, and sends heartbeats.
func (d *shard) sweep() {
	now := d.hub.clock()
	for i := len(d.streams) - 1; i >= 0; i-- { // backwards, because remove moves the last one into the gap
		s := d.streams[i]
		if s.expires != 0 && now >= s.expires || d.try.left(s.raw, s.seal != nil) {
			d.remove(s)
			continue
		}
		if s.subscriberID != nil && now >= s.look && d.hub.lookUp(s) {
			s.look = now + d.hub.pace.lookUp
		}
		if now >= s.beat {
			s.beat = now + d.hub.pace.heartbeat
			if s.idle() {
				d.write(s, heartbeat.bytes)
			}
		}
	}
}

// remove forgets a stream and closes its connection.
func (d *shard) remove(s *stream) {
	last := d.streams[len(d.streams)-1]
	d.streams[s.index], last.index = last, s.index
	d.streams[len(d.streams)-1] = nil
	d.streams = d.streams[:len(d.streams)-1]
	s.ending = true
	if s.seal != nil && !s.drains.Load() {
		if b, err := s.seal.farewell(); err == nil {
			_, _ = d.try.write(s.raw, b)
		}
	}
	_ = s.conn.Close()
	d.hub.finish(s)
}

// end ends all streams.
func (d *shard) end() {
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	d.serve() // also takes in the streams that were added before
	for len(d.streams) > 0 {
		d.remove(d.streams[len(d.streams)-1])
	}
	d.drains.Wait()
}
