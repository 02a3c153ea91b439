package delivery

import (
	"cmp"
	"context"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/tracing"
)

// PublishEvent implements core.Stream.
func (s *Stream) PublishEvent(
	ctx context.Context, webhookID core.ID, e core.ReceivedEvent, n core.Notification,
) (core.ReceivedEvent, core.Creation, error) {
	by := core.OriginOf(ctx).Actor() // who replays an event
	if by.Kind == core.ActorSystem {
		by = core.Actor{Kind: core.ActorWebhook, ID: webhookID}
	}
	p := &publish{n: n, by: by, trace: tracing.Parent(ctx)}
	err := s.alone(ctx, func(ctx context.Context, tx postgres.Tx) ([]placed, error) {
		if err := postgres.LockWebhook(ctx, tx, webhookID); err != nil {
			return nil, err
		}
		all, err := insertGroup(ctx, tx, []*publish{p}, s.StorageQuota, s.Now())
		if err != nil {
			return nil, err
		}
		switch {
		case p.skipped:
			return nil, core.NotFound()
		case p.full:
			return nil, core.ErrQuotaExceeded()
		}
		e.NotificationID = cmp.Or(p.existing, &p.n.ID)
		_, err = postgres.KeepEvent(ctx, tx, webhookID, e)
		return all, err
	})
	switch {
	case core.IsCode(err, core.CodeNotFound):
		// The event was published before, and the transaction has rolled back the new notification.
		e, err = postgres.PublishedEvent(ctx, s.DB, webhookID, e)
		return e, core.Replayed, err
	case p.full:
		before, missing := postgres.PublishedEvent(ctx, s.DB, webhookID, e)
		if missing == nil {
			return before, core.Replayed, nil
		}
		return e, 0, err
	}
	if p.existing != nil {
		return e, core.Existing, err
	}
	return e, core.Created, err
}
