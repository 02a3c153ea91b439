package live

import (
	"net"
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

// idle reports whether nothing is written or to be written, so that a heartbeat is not in the middle of an event.
func (s *stream) idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.behind && !s.isCut && len(s.queue) == 0
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
	for len(b) > 0 {
		err := writeWithin(s.conn, b, limit)
		if err == nil {
			b, err = s.sealed(s.backlog(&joined), &records)
		}
		if err != nil {
			s.cut(metrics.CutSlow)
			return
		}
	}
}

// backlog takes the next piece of what was queued while a slow reader was written to. When there is nothing, the shard
// goes on.
func (s *stream) backlog(joined *[]byte) []byte {
	_ = s.conn.SetWriteDeadline(time.Time{}) // the shard's writes have none
	s.mu.Lock()
	defer s.mu.Unlock()
	b, events := s.takePiece(joined)
	s.metrics.Sent(events, len(b))
	if len(b) == 0 {
		s.drains.Store(false) // before the shard goes on
		s.behind = false
	}
	return b
}

const piece = 16 << 10 // bytes that a stream is written in a turn and within the time limit, and a record of TLS

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
