package live

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// Source is where changes are read and signals are sent.
type Source interface {
	StreamPosition(ctx context.Context) (int64, error)
	Changes(ctx context.Context, after int64, limit int, channelIDs []core.ID) ([]core.Change, error)
	FollowedChannels(ctx context.Context, subscriberID core.ID) ([]core.ID, error)
	Tell(ctx context.Context, s core.Signal) error
}

// Hub hands out changes to the streams of this node. Fill in the fields, call Run, and serve streams.
type Hub struct {
	Source Source
	// Listen receives the signals of all nodes until the connection breaks.
	Listen func(ctx context.Context, ready func(), hear func(core.Signal)) error
	// Encode is a notification as the API shows it.
	Encode func(core.Notification) []byte
	Log    *slog.Logger

	wake chan struct{}
	done chan struct{} // closed when streams must end

	mu       sync.Mutex
	position int64
	channels map[core.ID]map[*stream]struct{}
	readers  map[core.ID]map[*stream]struct{}
	hearing  bool
}

// Start reads where the stream is. It must be called before anything else.
func (h *Hub) Start(ctx context.Context) (err error) {
	h.wake = make(chan struct{}, 1)
	h.done = make(chan struct{})
	h.channels = map[core.ID]map[*stream]struct{}{}
	h.readers = map[core.ID]map[*stream]struct{}{}
	h.position, err = h.Source.StreamPosition(ctx)
	return err
}

const (
	pollDeaf    = time.Second      // how often to look while signals do not come through
	pollHearing = 10 * time.Second // and while they do, in case one was lost
	pageSize    = 500
)

// Run hands out changes until ctx is done, and then ends all streams.
func (h *Hub) Run(ctx context.Context) {
	var wg sync.WaitGroup
	wg.Go(func() { h.listen(ctx) })
	for ctx.Err() == nil {
		if err := h.catchUp(ctx); err != nil && ctx.Err() == nil {
			h.Log.WarnContext(ctx, "live: read changes", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-h.wake:
		case <-time.After(h.pollInterval()):
		}
	}
	close(h.done)
	wg.Wait()
}

func (h *Hub) pollInterval() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.hearing {
		return pollHearing
	}
	return pollDeaf
}

func (h *Hub) listen(ctx context.Context) {
	for ctx.Err() == nil {
		err := h.Listen(ctx, func() { h.setHearing(true); h.Wake() }, func(s core.Signal) { h.hear(ctx, s) })
		h.setHearing(false)
		if ctx.Err() != nil {
			return
		}
		h.Log.WarnContext(ctx, "live: signals do not come through; polling", "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(pollDeaf):
		}
	}
}

func (h *Hub) setHearing(on bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hearing = on
}

// Wake makes the hub look for changes now.
func (h *Hub) Wake() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// catchUp hands out everything after the hub's position.
func (h *Hub) catchUp(ctx context.Context) error {
	for {
		before := h.position // only this goroutine changes it
		changes, err := h.Source.Changes(ctx, before, pageSize, nil)
		if err != nil {
			return err
		}
		for _, c := range changes {
			h.hand(c, before)
		}
		if len(changes) < pageSize {
			return nil
		}
	}
}

// hand gives a change to the streams of its channel. What was published after before has not been handed out yet, even
// if it was corrected in the meantime and stands further on.
func (h *Hub) hand(c core.Change, before int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if streams := h.channels[c.Notification.Channel.ID]; len(streams) > 0 {
		f := h.change(c, before)
		for s := range streams {
			s.offer(f)
		}
	}
	h.position = c.Position
}

// hear acts on a signal.
func (h *Hub) hear(ctx context.Context, s core.Signal) {
	switch {
	case s.Position > 0:
		h.Wake()
	case s.Followed != nil:
		h.refollow(ctx, *s.Followed)
	case s.Reader != nil && s.Read != nil:
		h.tellRead(*s.Reader, *s.Read)
	case s.SignedOut != nil:
		h.end(*s.SignedOut)
	}
}

func (h *Hub) tellRead(subscriberID core.ID, r core.ReadEvent) {
	data, _ := json.Marshal(r)
	f := event(0, "read", data)
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.readers[subscriberID] {
		s.offer(f)
	}
}

func (h *Hub) end(sessionID core.ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, streams := range h.readers {
		for s := range streams {
			if s.sessionID == sessionID {
				s.cut()
			}
		}
	}
}

// refollow gives a subscriber's streams the channels they follow now.
func (h *Hub) refollow(ctx context.Context, subscriberID core.ID) {
	h.mu.Lock()
	n := len(h.readers[subscriberID])
	h.mu.Unlock()
	if n == 0 {
		return
	}
	ids, err := h.Source.FollowedChannels(ctx, subscriberID)
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.readers[subscriberID] {
		if err != nil {
			s.cut() // it comes back and reads them anew
			continue
		}
		h.unsubscribe(s)
		s.channelIDs = ids
		h.subscribe(s)
	}
}

func (h *Hub) subscribe(s *stream) {
	for _, id := range s.channelIDs {
		put(h.channels, id, s)
	}
}

func (h *Hub) unsubscribe(s *stream) {
	for _, id := range s.channelIDs {
		drop(h.channels, id, s)
	}
}

func put(m map[core.ID]map[*stream]struct{}, id core.ID, s *stream) {
	if m[id] == nil {
		m[id] = map[*stream]struct{}{}
	}
	m[id][s] = struct{}{}
}

func drop(m map[core.ID]map[*stream]struct{}, id core.ID, s *stream) {
	delete(m[id], s)
	if len(m[id]) == 0 {
		delete(m, id)
	}
}
