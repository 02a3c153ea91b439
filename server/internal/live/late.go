package live

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
)

// late is a distribution of its own to streams that receive the changes of a channel slower than they are made, until
// it has caught up. The changes wait in the database, and the streams of other channels do not wait for them.
type late struct {
	channelID   core.ID // whose changes were too many
	distributed int64
	streams     map[*stream]struct{}
}

// fallLate takes a stream to which everything before a change was offered out of the prompt distribution. Its caller
// has locked mu.
func (h *Hub) fallLate(s *stream, c core.Change) {
	id := c.Notification.Channel.ID
	l := h.lates[id]
	if l == nil {
		l = &late{channelID: id, distributed: h.distributed, streams: map[*stream]struct{}{}}
		h.lates[id] = l
	}
	l.streams[s] = struct{}{}
	s.late, s.offered = l, c.Position-1
	h.wakeLates()
}

func (h *Hub) wakeLates() {
	select {
	case h.lateWake <- struct{}{}:
	default:
	}
}

// leaveLate forgets a stream that has ended. Its caller has locked mu.
func (h *Hub) leaveLate(s *stream) {
	if s.late == nil {
		return
	}
	if delete(s.late.streams, s); len(s.late.streams) == 0 {
		delete(h.lates, s.late.channelID)
	}
}

// runLates goes on with the late distributions in turns until ctx is done.
func (h *Hub) runLates(ctx context.Context) {
	for ctx.Err() == nil {
		goesOn := false
		guard.Run(ctx, h.Log, func(ctx context.Context) { goesOn = h.distributeLates(ctx) })
		if goesOn {
			continue
		}
		select {
		case <-ctx.Done():
		case <-h.lateWake:
		case <-time.After(pollAlone): // in case it failed
		}
	}
}

// distributeLates gives each late distribution a turn, and then each stream. It reports whether there is more to do.
func (h *Hub) distributeLates(ctx context.Context) (goesOn bool) {
	h.mu.Lock()
	lates := slices.Collect(maps.Values(h.lates))
	h.mu.Unlock()
	for _, l := range lates {
		moved, err := h.distributeLate(ctx, l)
		if err != nil {
			h.warn(ctx, err)
			return false
		}
		goesOn = goesOn || moved
	}
	h.settle(ctx)
	return goesOn
}

// distributeLate distributes a part of what is late, once there is room for it at the streams. It returns false when
// there is nothing to distribute yet.
func (h *Hub) distributeLate(ctx context.Context, l *late) (moved bool, err error) {
	h.mu.Lock()
	after, until := l.distributed, h.distributed // those who fall late from now on have received what is before that
	ready, done := h.ready(l), h.caughtUp(l)
	h.mu.Unlock()
	if !ready || done || after == until {
		return !ready, nil
	}
	positions, err := h.Source.Positions(ctx, after, pageSize)
	if err != nil {
		return false, err
	}
	ids, last := h.neededLate(l, positions, until)
	if len(ids) > 0 {
		changes, err := h.Source.ChangesOf(ctx, after, ids)
		if err != nil {
			return false, err
		}
		h.Metrics.Changed(len(changes))
		for _, c := range changes {
			if c.Position <= last {
				h.offerLate(l, c)
			}
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	l.distributed = last
	h.caughtUp(l)
	return true, nil
}

// ready reports whether no stream waits for a shard with much that is queued. Its caller has locked mu.
func (h *Hub) ready(l *late) bool {
	for s := range l.streams {
		if s.waitsForShard() {
			return false
		}
	}
	return true
}

// caughtUp returns the streams to the prompt distribution when they have been offered all that it has begun with, and
// reports whether it did. Its caller has locked mu.
func (h *Hub) caughtUp(l *late) bool {
	if l.distributed < h.position {
		return false
	}
	if len(l.streams) == 0 { // forgotten; there may be another of its channel
		return true
	}
	for s := range l.streams {
		s.late, s.offered = nil, l.distributed
	}
	clear(l.streams)
	delete(h.lates, l.channelID)
	return true
}

// neededLate returns the notifications of the next part, and the position at which it ends.
func (h *Hub) neededLate(l *late, positions []core.ChangePosition, until int64) (ids []core.ID, last int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	full := len(positions) == pageSize
	for i, p := range positions {
		if p.Position > until {
			positions, full = positions[:i], false
			break
		}
	}
	ids, last, more := h.needed(l, positions, burst/2, burstBytes/4)
	if !full && !more {
		last = until // there is nothing else before it
	}
	return ids, last
}

// offerLate queues a change for the streams of a late distribution.
func (h *Hub) offerLate(l *late, c core.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f := h.change(c)
	for s := range h.channels[c.Notification.Channel.ID] {
		if s.late == l && c.Position > s.offered {
			s.offer(f)
		}
	}
}
