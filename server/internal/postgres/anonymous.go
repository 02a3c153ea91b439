package postgres

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// CreateAnonymous implements core.AnonymousStore.
func (s *Store) CreateAnonymous(ctx context.Context, in core.Language, x core.Session, hash []byte) error {
	person := newSubscriberRow(core.Profile{Locale: string(in)}, x.CreatedAt)
	person.ID = x.SubscriberID
	session := newSessionRow(x, hash)
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := insertSubscriber(ctx, tx, &person); err != nil {
			return err
		}
		_, err := tx.NewInsert().Model(&session).Exec(ctx)
		return err
	})
}
