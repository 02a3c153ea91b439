package live

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

const (
	buffered       = 256    // events queued for a slow reader before it is cut
	replayed       = 50_000 // positions that are replayed; a client further behind receives a reset
	heartbeatEvery = 15 * time.Second
	lookUpEvery    = time.Minute // interval of reading the followed channels again, in case a signal was lost
	writeTimeout   = 10 * time.Second
)

// stream is one connected client.
type stream struct {
	channelIDs   []core.ID
	subscriberID *core.ID // nil for a public channel's stream
	credentialID core.ID  // zero for a visitor
	after        int64    // position up to which everything has been sent
	frames       chan frame
	end          chan struct{}
	once         sync.Once
}

func newStream() *stream {
	return &stream{frames: make(chan frame, buffered), end: make(chan struct{})}
}

// offer queues a frame without blocking; a reader that does not keep up is cut.
func (s *stream) offer(f frame) {
	select {
	case s.frames <- f:
	default:
		s.cut()
	}
}

func (s *stream) cut() { s.once.Do(func() { close(s.end) }) }

// ServeFeed streams changes in all channels that a subscriber follows, until the client disconnects, the session or
// access token ends, or the server shuts down. lastEventID is the client's Last-Event-ID, or empty.
func (h *Hub) ServeFeed(
	ctx context.Context, w http.ResponseWriter, subscriberID, credentialID core.ID, lastEventID string,
) error {
	s := newStream()
	s.subscriberID, s.credentialID = &subscriberID, credentialID
	// Register as a reader before reading the followed channels, so that a change from now on makes it read them again.
	h.mu.Lock()
	put(h.readers, subscriberID, s)
	put(h.credentials, credentialID, s)
	h.mu.Unlock()
	if err := h.follow(ctx, s); err != nil {
		h.unregister(s)
		return err
	}
	return h.serve(ctx, w, s, lastEventID)
}

// ServeChannel streams changes in one channel to anyone, until the client disconnects, the credential it was opened
// with ends, or the server shuts down.
func (h *Hub) ServeChannel(
	ctx context.Context, w http.ResponseWriter, channelID, credentialID core.ID, lastEventID string,
) error {
	s := newStream()
	s.channelIDs, s.credentialID = []core.ID{channelID}, credentialID
	h.mu.Lock()
	h.subscribe(s)
	if credentialID != (core.ID{}) {
		put(h.credentials, credentialID, s)
	}
	h.mu.Unlock()
	return h.serve(ctx, w, s, lastEventID)
}

func (h *Hub) serve(ctx context.Context, w http.ResponseWriter, s *stream, lastEventID string) error {
	defer h.unregister(s)
	out := newWriter(w)
	if err := h.begin(ctx, out, s, h.at(), lastEventID); err != nil {
		return nil //nolint:nilerr // the client has disconnected, or reconnects when the database is available
	}
	beat, look := time.NewTicker(heartbeatEvery), time.NewTicker(lookUpEvery)
	defer beat.Stop()
	defer look.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return nil
		case <-h.done:
			return nil
		case <-s.end:
			return nil
		case <-look.C:
			if s.subscriberID != nil {
				err = h.follow(ctx, s)
			}
		case <-beat.C:
			err = out.write(heartbeat)
		case f := <-s.frames:
			err = out.frames(s, f)
		}
		if err != nil {
			// The client has disconnected, its credential has ended, or the database did not respond: the client
			// reconnects.
			return nil //nolint:nilerr // see above
		}
	}
}

// at returns the hub's position. Every change after it is sent to the registered streams.
func (h *Hub) at() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.position
}

func (h *Hub) unregister(s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.unsubscribe(s)
	drop(h.credentials, s.credentialID, s)
	if s.subscriberID != nil {
		drop(h.readers, *s.subscriberID, s)
	}
}

// begin sends a stream its first block and what it missed up to position.
func (h *Hub) begin(ctx context.Context, out *writer, s *stream, position int64, lastEventID string) error {
	s.after = position
	if lastEventID == "" {
		return out.write(hello(position))
	}
	last, err := strconv.ParseInt(lastEventID, 10, 64)
	if err == nil && last > position {
		// Another node was ahead of this one, or the position belongs to another database.
		now, err := h.Source.StreamPosition(ctx)
		if err != nil {
			return err
		}
		if last <= now {
			s.after = last
			return out.write(hello(last))
		}
	}
	if err != nil || last < 0 || last > position || position-last > replayed {
		return out.write(helloReset(position))
	}
	if err := out.write(hello(last)); err != nil {
		return err
	}
	return h.replay(ctx, out, s, last)
}

// replay writes the changes after last, up to the latest. Those may be past the hub's position: s.after drops what the
// hub then offers a second time.
func (h *Hub) replay(ctx context.Context, out *writer, s *stream, last int64) error {
	h.mu.Lock()
	channelIDs := s.channelIDs
	h.mu.Unlock()
	if len(channelIDs) == 0 {
		return nil
	}
	for at := last; ; {
		changes, err := h.Source.Changes(ctx, at, pageSize, channelIDs)
		if err != nil {
			return err
		}
		for _, c := range changes {
			at = c.Position
			if err := out.write(h.change(c).bytes); err != nil {
				return err
			}
		}
		s.after = max(s.after, at)
		if len(changes) < pageSize {
			return nil
		}
	}
}

// retry returns a random delay between 1,000 and 3,000 ms, so that clients do not all reconnect at once.
func retry() int { return 1000 + rand.IntN(2000) } //nolint:gosec // only spreads load
