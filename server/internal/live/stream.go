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

	// The hub's mutex guards these.
	late     *late // the distribution of which the stream is; nil: it is prompt
	offered  int64 // position up to which another distribution has offered it everything
	followed int64 // in which turn of Hub.follows its channels were read

	mu     sync.Mutex
	queue  []frame // to be written
	queued int     // bytes of these
	woken  bool    // and has not taken from the queue since
	behind bool    // a goroutine writes to a slow reader, and takes from the queue
	paced  bool    // by its client: what is written before it is handed on may wait for that
	isCut  bool
	wake   func() // wakes the writer; nil while the stream is beginning
	stop   func() // ends the handler; nil once the stream goes on without it

	*socket // of a stream that goes on without its handler
}

// offer queues a frame without blocking; a reader that does not keep up is cut.
func (s *stream) offer(f frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.offerLocked(f)
}

// offerPromptly queues a frame as offer does, unless a burst is queued already.
func (s *stream) offerPromptly(f frame) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hasBurst() {
		return false
	}
	s.offerLocked(f)
	return true
}

func (s *stream) hasBurst() bool { return len(s.queue) >= burst || s.queued >= burstBytes }

// waitsForShard reports whether a burst is queued that a shard writes as soon as it comes to the stream, or as soon as
// the stream is handed on to it.
func (s *stream) waitsForShard() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop == nil {
		return s.hasBurst() && s.woken
	}
	return s.hasBurst() && s.wake == nil && !s.paced && !s.isCut
}

// setPaced makes others no longer wait until a beginning stream is handed on.
func (s *stream) setPaced() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paced = true
}

func (s *stream) offerLocked(f frame) {
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
	if s.isCut {
		return nil, false
	}
	frames = s.queue
	s.queue, s.queued = nil, 0
	return slices.DeleteFunc(frames, s.has), true
}

// has reports whether the client has a frame, because it was replayed.
func (s *stream) has(f frame) bool { return f.position != 0 && f.position <= s.after }

// takePiece takes the next bytes that the client does not have yet, at most a piece of them, and returns how many
// events end there. The bytes are those of a frame, which all streams share, or in the memory of joined.
func (s *stream) takePiece(joined *[]byte) (b []byte, events int) {
	b = (*joined)[:0]
	for len(s.queue) > 0 {
		f := &s.queue[0]
		switch {
		case s.has(*f):
		case len(b)+len(f.bytes) <= piece:
			b = append(b, f.bytes...)
			*joined = b
			events++
		case len(b) > 0:
			return b, events
		default:
			b, f.bytes = f.bytes[:piece], f.bytes[piece:]
			s.queued -= piece
			return b, events
		}
		s.queued -= len(f.bytes)
		*f = frame{}
		s.queue = s.queue[1:]
	}
	s.queue = nil
	return b, events
}

// takeTurn takes a piece for a shard, unless a goroutine writes to the client, and reports whether the stream goes on.
func (s *stream) takeTurn(joined *[]byte) (b []byte, events int, open bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.woken = false
	if s.isCut || s.behind {
		return nil, 0, !s.isCut
	}
	b, events = s.takePiece(joined)
	return b, events, true
}

// endTurn wakes the shard for what is left.
func (s *stream) endTurn() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) > 0 {
		s.wakeLocked()
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

// wakes returns a channel that receives a value when there is something to take, and when wake is called.
func (s *stream) wakes() (woken <-chan struct{}, wake func()) {
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
	return c, s.wake
}
