package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type webPushKeyRow struct {
	bun.BaseModel `bun:"table:web_push_key"`

	Public    string    `bun:"public"`
	Sealed    []byte    `bun:"private_sealed"`
	CreatedAt time.Time `bun:"created_at"`
}

// WebPushKey returns the stored key. If there is none, it stores the made one; of nodes that start together, all get
// the key of one.
func (s *Store) WebPushKey(ctx context.Context, made core.WebPushKey, now time.Time) (core.WebPushKey, error) {
	row := webPushKeyRow{Public: made.Public, Sealed: made.Sealed, CreatedAt: now}
	if _, err := s.db.NewInsert().Model(&row).On("CONFLICT DO NOTHING").Exec(ctx); err != nil {
		return core.WebPushKey{}, Error(err)
	}
	err := s.db.NewSelect().Model(&row).Scan(ctx)
	return core.WebPushKey{Public: row.Public, Sealed: row.Sealed}, Error(err)
}
