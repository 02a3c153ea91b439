package postgres

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// CreateAnonymous implements core.AnonymousStore.
func (s *Store) CreateAnonymous(ctx context.Context, in core.Language, x core.Session, hash []byte) error {
	person := newSubscriberRow(core.Profile{Locale: string(in)}, x.CreatedAt)
	person.ID, person.Anonymous = x.SubscriberID, true
	session := newSessionRow(x, hash)
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := insertSubscriber(ctx, tx, &person); err != nil {
			return err
		}
		_, err := tx.NewInsert().Model(&session).Exec(ctx)
		return err
	})
}

// removeNameless removes the anonymous followers of a channel that becomes private, whose members have names.
func removeNameless(ctx context.Context, tx Tx, channelID core.ID) error {
	res, err := tx.NewDelete().Model((*subscriptionRow)(nil)).TableExpr("subscribers as p").
		Where("s.channel_id = ?", channelID).Where("p.id = s.subscriber_id").Where("p.anonymous").Exec(ctx)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil || n == 0 {
		return err
	}
	return addSubscribers(ctx, tx, channelID, -n)
}
