package live

import (
	"context"
	"math/rand/v2"
	"strconv"

	"github.com/sininho/sininho/server/internal/core"
)

const replayed = 50_000 // positions that are replayed; a client further behind receives a reset

// begin sends a stream its first block and what it missed.
func (h *Hub) begin(ctx context.Context, out output, s *stream, q core.StreamRequest) error {
	position, err := h.at(ctx)
	if err != nil {
		return err
	}
	s.after = position
	if q.LastEventID == "" {
		return out.write(hello(position))
	}
	last, ok := parseEventID(q.LastEventID)
	if ok && last > position {
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
	if !ok || last > position || position-last > replayed {
		h.Metrics.Reset()
		return out.write(helloReset(position))
	}
	if err := out.write(hello(last)); err != nil || last == position {
		return err
	}
	return h.replay(ctx, out, s, last, q.Room)
}

// Position returns a position up to which everything has been committed. There may be more, which this node has not
// noticed yet.
func (h *Hub) Position() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.position
}

// parseEventID returns the position of the id of an event, or false if no server has sent such an id.
func parseEventID(id string) (position int64, ok bool) {
	position, err := strconv.ParseInt(id, 10, 64)
	return position, err == nil && position >= 0 && strconv.FormatInt(position, 10) == id
}

// replay writes the changes after last, up to the latest. Those may be past the hub's position: s.after drops what the
// hub then offers a second time.
func (h *Hub) replay(
	ctx context.Context, out output, s *stream, last int64, room func(ctx context.Context) (func(), error),
) error {
	h.mu.Lock()
	channelIDs := s.channelIDs
	h.mu.Unlock()
	if len(channelIDs) == 0 {
		return nil
	}
	s.setPaced()
	for at, more := last, true; more; s.after = max(s.after, at) {
		var err error
		if at, more, err = h.replayPart(ctx, out, at, channelIDs, room); err != nil {
			return err
		}
	}
	return nil
}

// replayPart writes the next changes after a position, and returns that of the last, and whether there may be more. The
// part is in memory until the client has read it, so there must be room for it.
func (h *Hub) replayPart(
	ctx context.Context, out output, after int64, channelIDs []core.ID,
	room func(ctx context.Context) (func(), error),
) (last int64, more bool, err error) {
	if room != nil {
		release, err := room(ctx)
		if err != nil {
			return after, false, err
		}
		defer release()
	}
	changes, err := h.Source.Changes(ctx, after, pageSize, partBytes, channelIDs)
	if err != nil {
		return after, false, err
	}
	frames := make([]frame, len(changes))
	last = after
	for i, c := range changes {
		last, frames[i] = c.Position, h.change(c)
	}
	if err := out.write(frames...); err != nil {
		return last, false, err
	}
	bytes := size(frames)
	h.Metrics.Replayed(len(frames))
	h.Metrics.Sent(len(frames), bytes)
	// Events are at least half as long as the texts that the bound counts.
	return last, len(changes) == pageSize || bytes >= partBytes/2, nil
}

const partBytes = 64 << 10 // of texts, after which a part of a replay ends

// retry returns a random delay between 1,000 and 3,000 ms, so that clients do not all reconnect at once.
func retry() int { return 1000 + rand.IntN(2000) } //nolint:gosec // only spreads load
