package live

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// Followed implements core.Announcer.
func (h *Hub) Followed(ctx context.Context, subscriberID core.ID) {
	h.refollow(ctx, subscriberID) // on this node at once, so that nothing published from now on is missed
	h.notify(ctx, core.Signal{Followed: &subscriberID})
}

// Read implements core.Announcer.
func (h *Hub) Read(ctx context.Context, subscriberID core.ID, r core.ReadEvent) {
	h.notify(ctx, core.Signal{Reader: &subscriberID, Read: &r})
}

// ChannelReset implements core.Announcer.
func (h *Hub) ChannelReset(ctx context.Context, channelID core.ID) {
	h.notify(ctx, core.Signal{Reset: &channelID})
}

// ChannelLeft implements core.Announcer.
func (h *Hub) ChannelLeft(ctx context.Context, channelID core.ID) {
	h.leave(channelID) // on this node at once
	h.notify(ctx, core.Signal{Left: &channelID})
}

// SignedOut implements core.Announcer.
func (h *Hub) SignedOut(ctx context.Context, credentialID core.ID) {
	h.end(credentialID) // on this node at once, even if the database does not respond
	h.notify(ctx, core.Signal{SignedOut: &credentialID})
}

// Positioned notifies the nodes that the stream has reached a position, with changes in these channels.
func (h *Hub) Positioned(ctx context.Context, position int64, channelIDs []core.ID) {
	h.reach(position)
	h.notify(ctx, core.Signal{Position: position, ChannelIDs: channelIDs})
}

// send sends signals by the relay, and by the database those that the relay does not carry.
func (h *Hub) send(ctx context.Context, signals []core.Signal) error {
	if h.Relay != nil {
		signals = h.Relay.Send(signals)
	}
	return h.Source.Notify(ctx, signals)
}

// notify queues a signal, so that no request waits for it. A server that shuts down finishes its last requests after
// Run has returned; their signals are sent at once.
func (h *Hub) notify(ctx context.Context, s core.Signal) {
	if h.signals.add(s) {
		return
	}
	if err := h.signals.send(context.WithoutCancel(ctx), []core.Signal{s}); err != nil {
		h.Log.WarnContext(ctx, "live: notify the other nodes", "error", err)
	}
}
