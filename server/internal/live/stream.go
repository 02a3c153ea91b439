package live

import (
	"slices"
	"sync"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/metrics"
)

// What is queued for a slow reader before it is cut.
const (
	buffered      = 256     // frames
	bufferedBytes = 2 << 20 // of all of them
)

// stream is one connected client. Nothing of its request is kept, so that an open stream takes little memory.
type stream struct {
	channelIDs   []core.ID
	subscriberID *core.ID // nil for a public channel's stream
	credentialID core.ID  // zero for a visitor
	ended        func()   // called once when the stream has ended
	metrics      *metrics.Live
	after        int64 // position up to which everything has been sent

	mu     sync.Mutex
	queue  []frame // to be written
	queued int     // bytes of these
	woken  bool    // and has not taken from the queue since
	behind bool    // a goroutine writes to a slow reader, and takes from the queue
	isCut  bool
	wake   func() // wakes the writer; nil while the stream is beginning
	stop   func() // ends the handler; nil once the stream goes on without it

	*socket // of a stream that goes on without its handler
}

// offer queues a frame without blocking; a reader that does not keep up is cut.
func (s *stream) offer(f frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.isCut:
	case len(s.queue) >= buffered, s.queued > 0 && s.queued+len(f.bytes) > bufferedBytes:
		s.cutLocked(metrics.CutSlow)
	default:
		s.queue = append(s.queue, f)
		s.queued += len(f.bytes)
		s.wakeLocked()
	}
}

// take returns the queued frames that the client does not have yet, and whether the stream goes on.
func (s *stream) take() (frames []frame, open bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.woken = false
	if s.isCut || s.behind {
		return nil, !s.isCut
	}
	frames = s.queue
	s.queue, s.queued = nil, 0
	return slices.DeleteFunc(frames, func(f frame) bool { return f.position != 0 && f.position <= s.after }), true
}

// fallBehind queues again what was not written, for a goroutine that writes it.
func (s *stream) fallBehind(frames []frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.behind = !s.isCut; s.behind {
		s.queue = append(frames, s.queue...)
		s.queued += size(frames)
	}
}

// kind returns the stream's kind in metrics.
func (s *stream) kind() string {
	if s.subscriberID == nil {
		return metrics.Channel
	}
	return metrics.Feed
}

// cut ends the stream soon. The reason is for metrics.
func (s *stream) cut(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cutLocked(reason)
}

func (s *stream) cutLocked(reason string) {
	if s.isCut {
		return
	}
	s.metrics.Cut(reason, len(s.queue))
	s.isCut, s.queue, s.queued = true, nil, 0
	if s.stop != nil {
		s.stop()
	}
	s.behind = false // wake the shard, which closes the connection under the goroutine that writes to it
	s.wakeLocked()
}

func (s *stream) wakeLocked() {
	if s.wake != nil && !s.woken && !s.behind {
		s.woken = true
		s.wake()
	}
}

// onCut makes a cut call stop.
func (s *stream) onCut(stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop = stop; s.isCut {
		stop()
	}
}

// wakes returns a channel that receives a value when there is something to take.
func (s *stream) wakes() <-chan struct{} {
	c := make(chan struct{}, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wake = func() {
		select {
		case c <- struct{}{}:
		default:
		}
	}
	if len(s.queue) > 0 || s.isCut {
		s.wakeLocked()
	}
	return c
}
