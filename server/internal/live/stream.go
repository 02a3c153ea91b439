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
	buffered       = 256    // events a slow reader may be behind before it is cut
	replayed       = 50_000 // positions that are replayed; who is further behind is told to fetch anew
	heartbeatEvery = 15 * time.Second
	lookUpEvery    = time.Minute // at what a reader follows, in case a signal was lost
	writeTimeout   = 10 * time.Second
)

// stream is one connected reader.
type stream struct {
	channelIDs   []core.ID
	subscriberID *core.ID // nil on a public channel's stream
	credentialID core.ID  // zero for a visitor
	after        int64    // has been told everything up to here
	frames       chan frame
	end          chan struct{}
	once         sync.Once
}

func newStream() *stream {
	return &stream{frames: make(chan frame, buffered), end: make(chan struct{})}
}

// offer queues a frame and never blocks: a reader that does not keep up is cut.
func (s *stream) offer(f frame) {
	select {
	case s.frames <- f:
	default:
		s.cut()
	}
}

func (s *stream) cut() { s.once.Do(func() { close(s.end) }) }

// ServeFeed streams what happens in all channels that a subscriber follows, until the client leaves, the session or access
// token ends or the server shuts down. lastEventID is the client's, or empty.
func (h *Hub) ServeFeed(ctx context.Context, w http.ResponseWriter, subscriberID, credentialID core.ID, lastEventID string) error {
	s := newStream()
	s.subscriberID, s.credentialID = &subscriberID, credentialID
	// Registered as a reader first: whatever changes from here on is noticed, and looked up again.
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

// ServeChannel streams what happens in one channel, for anyone, until the client leaves, the credential that they have
// shown ends or the server shuts down.
func (h *Hub) ServeChannel(ctx context.Context, w http.ResponseWriter, channelID, credentialID core.ID, lastEventID string) error {
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
	if err := h.catchUpStream(ctx, out, s, h.at(), lastEventID); err != nil {
		return nil //nolint:nilerr // the client has left, or comes back to a database that answers
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
			return nil //nolint:nilerr // the client has left, or the session has ended
		}
	}
}

// at answers the position after which whatever happens is handed out to those who are registered.
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

// catchUpStream tells a stream what it missed up to position.
func (h *Hub) catchUpStream(ctx context.Context, out *writer, s *stream, position int64, lastEventID string) error {
	s.after = position
	if lastEventID == "" {
		return out.write(hello(position))
	}
	last, err := strconv.ParseInt(lastEventID, 10, 64)
	if err == nil && last > position {
		// Another node was ahead of this one, or the position is of another database.
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

// replay writes what changed after last, up to the end of the stream. That may be past the hub's position: s.after drops
// what the hub then offers a second time.
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

// retry spreads reconnecting clients over two seconds.
func retry() int { return 1000 + rand.IntN(2000) } //nolint:gosec // only spreads load
