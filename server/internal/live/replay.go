package live

import (
	"context"
	"math/rand/v2"
	"strconv"
)

const replayed = 50_000 // positions that are replayed; a client further behind receives a reset

// begin sends a stream its first block and what it missed.
func (h *Hub) begin(ctx context.Context, out output, s *stream, lastEventID string) error {
	position, err := h.at(ctx)
	if err != nil {
		return err
	}
	s.after = position
	if lastEventID == "" {
		return out.write(hello(position))
	}
	last, ok := parseEventID(lastEventID)
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
	if err := out.write(hello(last)); err != nil {
		return err
	}
	return h.replay(ctx, out, s, last)
}

// parseEventID returns the position of the id of an event, or false if no server has sent such an id.
func parseEventID(id string) (position int64, ok bool) {
	position, err := strconv.ParseInt(id, 10, 64)
	return position, err == nil && position >= 0 && strconv.FormatInt(position, 10) == id
}

// replay writes the changes after last, up to the latest. Those may be past the hub's position: s.after drops what the
// hub then offers a second time.
func (h *Hub) replay(ctx context.Context, out output, s *stream, last int64) error {
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
		frames := make([]frame, len(changes))
		for i, c := range changes {
			at, frames[i] = c.Position, h.change(c)
		}
		if err := out.write(frames...); err != nil {
			return err
		}
		h.Metrics.Replayed(len(frames))
		h.Metrics.Sent(len(frames), size(frames))
		s.after = max(s.after, at)
		if len(changes) < pageSize {
			return nil
		}
	}
}

// retry returns a random delay between 1,000 and 3,000 ms, so that clients do not all reconnect at once.
func retry() int { return 1000 + rand.IntN(2000) } //nolint:gosec // only spreads load
