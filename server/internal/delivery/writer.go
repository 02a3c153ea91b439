package delivery

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/group"
	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/metrics"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/tracing"
)

// WriterConfig is what a writer works with.
type WriterConfig struct {
	DB *postgres.DB
	// WakeFinder is called when there are notifications whose devices are to be found, and WakeTurns when there are
	// turns to take; nil: this node does neither.
	WakeFinder, WakeTurns func()
	// Positioned is called after each transaction that gave positions, with the latest one and the channels.
	Positioned func(ctx context.Context, position int64, channelIDs []core.ID)
	// Analytics captures each notification that reaches no device, because nobody listens.
	Analytics core.Analytics
	Metrics   *metrics.Delivery // nil: nothing is counted
	Tracer    *tracing.Tracer   // nil: nothing is traced
	Now       func() time.Time
	Log       *slog.Logger
	// StorageQuota is how many bytes a publisher may store for which no operator has set another number; 0 is no limit.
	StorageQuota int64
	// Drafts is how many drafts a person may have in a channel.
	Drafts int
}

// Writer implements core.Writer: it publishes notifications and changes them. Everything about them is final when the
// transaction commits: the position on the stream, the number within the channel, the counts, and the dispatch.
type Writer struct {
	WriterConfig

	group *group.Group[*publish]
	slots chan struct{} // semaphore: at most aloneAtOnce transactions that are not of a group
}

// NewWriter returns the writer of a node.
func NewWriter(c WriterConfig) *Writer {
	w := &Writer{WriterConfig: c, slots: make(chan struct{}, aloneAtOnce)}
	w.group = w.newGroup()
	return w
}

const aloneAtOnce = 4 // of this node: while one commits, the next has the lock

// locked runs fn in a transaction that holds the stream's lock. fn returns what it has positioned.
func (w *Writer) locked(
	ctx context.Context, fn func(ctx context.Context, tx postgres.Tx) ([]positioned, error),
) ([]positioned, error) {
	var all []positioned
	err := w.DB.InStream(ctx, func(ctx context.Context, tx postgres.Tx) (err error) {
		if all, err = fn(ctx, tx); err != nil {
			return err
		}
		return insertRevisionSearches(ctx, tx, changed(all))
	})
	if err != nil {
		return nil, err
	}
	w.report(ctx, all)
	return all, nil
}

// alone is locked for one notification.
func (w *Writer) alone(
	ctx context.Context, fn func(ctx context.Context, tx postgres.Tx) ([]positioned, error),
) error {
	return w.inSlot(ctx, func() error {
		_, err := w.locked(ctx, fn)
		return err
	})
}

// inSlot runs what waits for the lock by itself. Only a few of these do on each node at once, so that they do not use
// up the connections, and groups of publishes are not behind all of them.
func (w *Writer) inSlot(ctx context.Context, fn func() error) error {
	select {
	case w.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-w.slots }()
	return fn()
}

// positioned is a notification that has been given a position.
type positioned struct {
	ID        core.ID
	ChannelID core.ID
	Position  int64
	Published bool // now
	Visible   bool
	Heard     bool // there is somebody to reach
}

// positionedOf returns the publications that have been given a position.
func positionedOf(all []*postgres.Publication) (list []positioned) {
	for _, p := range all {
		if p.Position != 0 {
			list = append(list, positioned{ID: p.Notification.ID, ChannelID: p.Notification.Channel.ID,
				Position: p.Position, Published: true, Visible: true, Heard: p.Heard})
		}
	}
	return list
}

// changed returns those of the notifications that were published before.
func changed(all []positioned) (ids []core.ID) {
	for _, p := range all {
		if !p.Published {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// report does what follows a commit. A panic there undoes nothing.
func (w *Writer) report(ctx context.Context, all []positioned) {
	if len(all) > 0 {
		guard.Run(ctx, w.Log, func(ctx context.Context) { w.reportPositioned(ctx, all) })
	}
}

func (w *Writer) reportPositioned(ctx context.Context, all []positioned) {
	last, channels, published := int64(0), map[core.ID]struct{}{}, 0
	heard, revised := false, false
	for _, p := range all {
		heard, revised = heard || p.Heard, revised || !p.Published
		if p.Published && p.Visible {
			published++
		}
		last = max(last, p.Position)
		channels[p.ChannelID] = struct{}{}
		if p.Published && p.Visible && !p.Heard {
			w.Analytics.Capture(core.NotificationAccepted{NotificationID: p.ID, ChannelID: p.ChannelID})
		}
	}
	if heard && w.WakeFinder != nil {
		w.WakeFinder()
	}
	if revised && w.WakeTurns != nil {
		w.WakeTurns()
	}
	w.Metrics.Published(published)
	w.Positioned(ctx, last, slices.Collect(maps.Keys(channels)))
}
