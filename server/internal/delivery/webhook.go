package delivery

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// PublishEvent implements core.Stream.
func (s *Stream) PublishEvent(
	ctx context.Context, webhookID core.ID, e core.ReceivedEvent, n core.Notification,
) (core.ReceivedEvent, core.Creation, error) {
	p := &publish{n: n}
	err := s.alone(ctx, func(ctx context.Context, tx postgres.Tx) ([]placed, error) {
		if err := postgres.LockWebhook(ctx, tx, webhookID); err != nil {
			return nil, err
		}
		all, err := insertOne(ctx, tx, p)
		if err != nil {
			return nil, err
		}
		e.NotificationID = &p.n.ID
		_, err = postgres.KeepEvent(ctx, tx, webhookID, e)
		return all, err
	})
	if core.IsCode(err, core.CodeNotFound) {
		// The event was published before, and the transaction has rolled back the new notification.
		e, err = postgres.WebhookEvent(ctx, s.DB, webhookID, e.ID)
		return e, core.Replayed, err
	}
	if p.existing {
		return e, core.Existing, err
	}
	return e, core.Created, err
}

// insertOne stores a notification, published or scheduled, or finds the one with its external id.
func insertOne(ctx context.Context, tx postgres.Tx, p *publish) (all []placed, err error) {
	if p.n.PublishedAt == nil {
		var creation core.Creation
		p.n, creation, err = postgres.Schedule(ctx, tx, p.n)
		p.existing = creation == core.Existing
		return nil, err
	}
	if all, err = insertGroup(ctx, tx, []*publish{p}); err == nil && p.existing {
		p.n, err = postgres.NotificationByExternalID(ctx, tx, p.n.Channel.ID, p.n.ExternalID)
	}
	return all, err
}
