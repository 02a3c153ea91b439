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
	places, err := h.Source.Places(ctx, after, pageSize)
	if err != nil || len(places) == 0 {
		return false, err
	}
	places, more = firstBytes(places)
	last := places[len(places)-1].Position
	if ids := h.advance(last, places); len(ids) > 0 {
		changes, err := h.Source.ChangesOf(ctx, after, ids)
		if err != nil {
			return false, err
		}
		h.Metrics.Changed(len(changes))
		h.distribute(ctx, changes, last)
	}
	h.hasDistributed(last)
	return more, nil
}

const readAtOnce = 1 << 20 // bytes of texts, after which a page of changes ends

// firstBytes returns the places that are read at once, and whether there may be more.
func firstBytes(places []core.ChangePlace) (first []core.ChangePlace, more bool) {
	bytes := int64(0)
	for i, p := range places {
		if bytes += p.Bytes; bytes >= readAtOnce {
			return places[:i+1], true
		}
	}
	return places, len(places) == pageSize
}

// advance moves the hub's position to last, and returns the notifications that have changed up to there in the
// channels of streams. A stream that registers later for another channel misses nothing: it begins at the new position.
func (h *Hub) advance(last int64, places []core.ChangePlace) (notificationIDs []core.ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.position = max(h.position, last)
	for _, p := range places {
		if len(h.channels[p.ChannelID]) > 0 {
			notificationIDs = append(notificationIDs, p.NotificationID)
		}
	}
	return notificationIDs
}

// distribute sends changes up to last to the streams.
func (h *Hub) distribute(ctx context.Context, changes []core.Change, last int64) {
	number, bytes := 0, 0
	for _, c := range changes {
		if c.Position > last { // made since; streams for other channels may have registered before it
			return
		}
		bytes += h.offer(c)
		h.hasDistributed(c.Position)
		if number++; number == burst || bytes > burstBytes {
			h.settle(ctx)
			number, bytes = 0, 0
		}
	}
}

func (h *Hub) hasDistributed(position int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.distributed = max(h.distributed, position)
}

func (h *Hub) warn(ctx context.Context, err error) {
	if ctx.Err() == nil {
		h.Log.WarnContext(ctx, "live: reading changes failed; trying again", "error", err)
	}
}

// settle waits until the shards have written what is queued, so that a burst of changes cuts only slow readers.
func (h *Hub) settle(ctx context.Context) {
	for _, d := range h.shards {
		written := make(chan struct{})
		select {
		case d.sync <- written:
			<-written
		case <-ctx.Done():
		}
	}
}

// offer queues a change for the streams of its channel, and returns the length of its event.
func (h *Hub) offer(c core.Change) (bytes int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	streams := h.channels[c.Notification.Channel.ID]
	if len(streams) == 0 {
		return 0
	}
	f := h.change(c)
	for s := range streams {
		s.offer(f)
	}
	return len(f.bytes)
}
