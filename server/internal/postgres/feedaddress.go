package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type feedAddressRow struct {
	bun.BaseModel `bun:"table:feed_addresses,alias:a"`

	ID           core.ID   `bun:"id"`
	SubscriberID core.ID   `bun:"subscriber_id,pk"`
	Hint         string    `bun:"hint"`
	SecretHash   []byte    `bun:"secret_hash"`
	CreatedAt    time.Time `bun:"created_at"`
}

func (r feedAddressRow) feedAddress() core.FeedAddress {
	return core.FeedAddress{ID: r.ID, Hint: r.Hint, CreatedAt: r.CreatedAt}
}

// FeedAddress implements core.FeedAddressStore.
func (s *Store) FeedAddress(ctx context.Context, subscriberID core.ID) (core.FeedAddress, error) {
	r := feedAddressRow{SubscriberID: subscriberID}
	err := s.db.NewSelect().Model(&r).WherePK().Scan(ctx)
	return r.feedAddress(), Error(err)
}

// PutFeedAddress implements core.FeedAddressStore.
func (s *Store) PutFeedAddress(
	ctx context.Context, subscriberID core.ID, a core.FeedAddress, hash []byte,
) (core.FeedAddress, error) {
	r := feedAddressRow{ID: a.ID, SubscriberID: subscriberID, Hint: a.Hint, SecretHash: hash, CreatedAt: a.CreatedAt}
	_, err := s.db.NewInsert().Model(&r).On("conflict (subscriber_id) do update").Set("hint = excluded.hint").
		Set("secret_hash = excluded.secret_hash").Set("created_at = excluded.created_at").
		Returning("id").Exec(ctx)
	return r.feedAddress(), Error(err)
}

// DeleteFeedAddress implements core.FeedAddressStore.
func (s *Store) DeleteFeedAddress(ctx context.Context, subscriberID core.ID) error {
	return affected(s.db.NewDelete().Model(&feedAddressRow{SubscriberID: subscriberID}).WherePK().Exec(ctx))
}
