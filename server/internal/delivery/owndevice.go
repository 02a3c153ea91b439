package delivery

import (
	"context"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
)

// ownDevice is a device of a person to whom something is pushed.
type ownDevice struct {
	ID           core.ID `bun:"id"`
	SubscriberID core.ID `bun:"subscriber_id"`
	Service      string  `bun:"service"`
}

// devicesOf returns the devices of people that are not retired.
func devicesOf(ctx context.Context, tx bun.IDB, people []core.ID) (devices []ownDevice, err error) {
	err = tx.NewSelect().Table("devices").Column("id", "subscriber_id", "service").
		Where("subscriber_id = any (?::uuid[])", pgdialect.Array(people)).Where("retired_at is null").
		Order("id").Scan(ctx, &devices)
	return devices, err
}
