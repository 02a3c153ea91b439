package delivery

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// PublishEvent implements core.Writer.
func (w *Writer) PublishEvent(
	ctx context.Context, webhookID core.ID, e core.ReceivedEvent, n core.Notification,
) (core.ReceivedEvent, core.Creation, error) {
	by := core.OriginOf(ctx).Actor() // who replays an event
	if by.Kind == core.ActorSystem {
		by = core.Actor{Kind: core.ActorWebhook, ID: webhookID}
	}
	p := newPublication(ctx, n, core.Idempotency{})
	p.By = by
	err := w.alone(ctx, func(ctx context.Context, tx postgres.Tx) ([]positioned, error) {
		if err := postgres.LockWebhook(ctx, tx, webhookID); err != nil {
			return nil, err
		}
		if err := w.insert(ctx, tx, []*postgres.Publication{p}); err != nil {
			return nil, err
		}
		if e.NotificationID = &n.ID; !p.Written {
			e.NotificationID = &p.Existing
		}
		_, err := postgres.KeepEvent(ctx, tx, webhookID, e)
		return positionedOf([]*postgres.Publication{p}), err
	})
	switch {
	case core.IsCode(err, core.CodeNotFound), core.IsQuotaExceeded(err):
		// The event may have been published before; then the transaction has rolled back the new notification.
		before, missing := postgres.PublishedEvent(ctx, w.DB, webhookID, e)
		if core.IsCode(missing, core.CodeNotFound) {
			return e, 0, err
		}
		return before, core.Replayed, missing
	case p.Existing != core.ID{}:
		return e, core.Existing, err
	}
	return e, core.Created, err
}
