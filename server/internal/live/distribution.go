package live

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// distributeChanges distributes all changes. It reads whole only those that streams of this node need.
func (h *Hub) distributeChanges(ctx context.Context) {
	for more := true; more; {
		idle, err := h.skip(ctx)
		if !idle && err == nil {
			more, err = h.distributePage(ctx)
		}
		if err != nil {
			h.warn(ctx, err)
		}
		if idle || err != nil {
			return
		}
	}
}

// skip moves past all changes while no stream is open, and reports whether it did.
func (h *Hub) skip(ctx context.Context) (idle bool, err error) {
	if h.anyOpen() {
		return false, nil
	}
	position, err := h.Source.StreamPosition(ctx)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err != nil || len(h.channels) > 0 { // a stream that was opened meanwhile begins at the earlier position
		return false, err
	}
	h.position = max(h.position, position) // the latest change may have been purged
	h.distributed = h.position
	return true, nil
}

func (h *Hub) anyOpen() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.channels) > 0
}

// distributePage distributes the next changes, and reports whether there may be more.
func (h *Hub) distributePage(ctx context.Context) (more bool, err error) {
	h.mu.Lock()
	after := h.distributed
	h.mu.Unlock()
	positions, err := h.Source.Positions(ctx, after, pageSize)
	if err != nil || len(positions) == 0 {
		return false, err
	}
	ids, last, more := h.advance(positions)
	if len(ids) > 0 {
		changes, err := h.Source.ChangesOf(ctx, after, ids)
		if err != nil {
			return false, err
		}
		h.Metrics.Changed(len(changes))
		h.distribute(changes, last)
	}
	h.hasDistributed(last)
	return more, nil
}

const readAtOnce = 1 << 20 // bytes of texts, after which a page of changes ends

// advance returns the notifications that have changed in the channels of streams that are prompt, and moves the hub's
// position to where that page ends. A stream that registers later for another channel misses nothing: it begins at the
// new position.
func (h *Hub) advance(positions []core.ChangePosition) (notificationIDs []core.ID, last int64, more bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	notificationIDs, last, more = h.needed(nil, positions, pageSize, readAtOnce)
	h.position = max(h.position, last)
	return notificationIDs, last, more || len(positions) == pageSize
}

// needed returns the notifications of positions in the channels of the streams of a late distribution, or of those that
// are prompt, up to a number and to the one with which their texts have that many bytes. It also returns the position
// up to which these are all, and whether positions are left. Its caller has locked mu.
func (h *Hub) needed(
	l *late, positions []core.ChangePosition, most int, mostBytes int64,
) (notificationIDs []core.ID, last int64, more bool) {
	bytes, needs := int64(0), map[core.ID]bool{}
	for i, p := range positions {
		last = p.Position
		need, known := needs[p.ChannelID]
		if !known {
			need = h.anyOf(l, p.ChannelID)
			needs[p.ChannelID] = need
		}
		if !need {
			continue
		}
		notificationIDs = append(notificationIDs, p.NotificationID)
		if bytes += p.Bytes; len(notificationIDs) == most || bytes >= mostBytes {
			return notificationIDs, last, i < len(positions)-1
		}
	}
	return notificationIDs, last, false
}

// anyOf reports whether any stream of a channel is of a late distribution, or prompt.
func (h *Hub) anyOf(l *late, channelID core.ID) bool {
	for s := range h.channels[channelID] {
		if s.late == l {
			return true
		}
	}
	return false
}

// distribute sends changes up to last to the streams that are prompt.
func (h *Hub) distribute(changes []core.Change, last int64) {
	for _, c := range changes {
		if c.Position > last { // made since; streams for other channels may have registered before it
			return
		}
		h.offer(c)
		h.hasDistributed(c.Position)
	}
}

func (h *Hub) hasDistributed(position int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.distributed = max(h.distributed, position)
	if len(h.lates) > 0 {
		h.wakeLates()
	}
}

func (h *Hub) warn(ctx context.Context, err error) {
	if ctx.Err() == nil {
		h.Log.WarnContext(ctx, "live: reading changes failed; trying again", "error", err)
	}
}

// settle waits until each stream for which something was queued has had a turn.
func (h *Hub) settle(ctx context.Context) {
	for _, d := range h.shards {
		served := make(chan struct{})
		select {
		case d.sync <- served:
		case <-ctx.Done():
			return
		}
		select {
		case <-served:
		case <-ctx.Done():
			return
		}
	}
}

// offer queues a change for the prompt streams of its channel. Those to which it cannot be written soon fall late.
func (h *Hub) offer(c core.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var f frame
	for s := range h.channels[c.Notification.Channel.ID] {
		if s.late != nil || c.Position <= s.offered {
			continue
		}
		if f.bytes == nil {
			f = h.change(c)
		}
		if !s.offerPromptly(f) {
			h.fallLate(s, c)
		}
	}
}
