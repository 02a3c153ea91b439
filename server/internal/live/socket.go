package live

import (
	"net"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/sininho/sininho/server/internal/metrics"
)

// socket is the connection of a stream that goes on without its handler. Times are those of Hub.clock.
type socket struct {
	conn    net.Conn
	raw     syscall.RawConn
	seal    *seal         // nil: without TLS
	expires time.Duration // end of the credential; 0: none
	drains  atomic.Bool   // a goroutine writes what the reader is behind, or has failed to

	// Only the shard's goroutine uses these.
	index          int // in shard.streams
	placed, ending bool
	beat, look     time.Duration // of the next heartbeat and look-up
}

func (h *Hub) newSocket(conn net.Conn, raw syscall.RawConn, seal *seal, expiresAt *time.Time) *socket {
	now := h.clock()
	s := &socket{conn: conn, raw: raw, seal: seal, beat: now + h.pace.heartbeat, look: now + h.pace.lookUp}
	if expiresAt != nil {
		s.expires = max(1, now+time.Until(*expiresAt))
	}
	return s
}

// idle reports whether the shard may write. While a goroutine writes it must not, because it would wait for it.
func (s *stream) idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.behind && !s.isCut
}

// sealed returns what is sent for b. What TLS makes of it is in the memory of records.
func (s *socket) sealed(b []byte, records *[]byte) (_ []byte, err error) {
	if s.seal == nil || len(b) == 0 {
		return b, nil
	}
	*records, err = s.seal.seal(*records, b)
	return *records, err
}

// drain writes what a slow reader is behind, until it has everything or does not keep up.
func (s *stream) drain(b []byte, limit time.Duration) {
	s.metrics.Behind(1)
	defer s.metrics.Behind(-1)
	var joined, records []byte
	var frames []frame
	for {
		err := writeWithin(s.conn, b, limit)
		if err == nil && len(frames) == 0 {
			if frames = s.backlog(); len(frames) == 0 {
				return
			}
		}
		if err == nil {
			b, frames = next(frames, &joined)
			b, err = s.sealed(b, &records)
		}
		if err != nil {
			s.cut(metrics.CutSlow)
			return
		}
	}
}

// backlog takes the next frames that were queued while a slow reader was written to, about a piece of them: what it
// takes no longer counts as queued. When there is nothing, the shard goes on.
func (s *stream) backlog() []frame {
	_ = s.conn.SetWriteDeadline(time.Time{}) // the shard's writes have none
	s.mu.Lock()
	defer s.mu.Unlock()
	n, taken := 0, 0
	for n < len(s.queue) && (n == 0 || taken+len(s.queue[n].bytes) <= piece) {
		taken += len(s.queue[n].bytes)
		n++
	}
	frames := slices.Clone(s.queue[:n])
	clear(s.queue[:n])
	s.queue, s.queued = s.queue[n:], s.queued-taken
	s.metrics.Sent(n, taken)
	if n == 0 {
		s.drains.Store(false) // before the shard goes on
		s.behind = false
	}
	return frames
}

const piece = 16 << 10 // bytes that must be written within the time limit, and a record of TLS

// writeWithin writes b in pieces, each within a time limit.
func writeWithin(conn net.Conn, b []byte, limit time.Duration) error {
	for len(b) > 0 {
		n := min(len(b), piece)
		if err := conn.SetWriteDeadline(time.Now().Add(limit)); err != nil {
			return err
		}
		if _, err := conn.Write(b[:n]); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}
