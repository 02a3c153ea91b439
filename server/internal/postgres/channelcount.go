package postgres

import (
	"context"
	"math/rand/v2"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// channelCountRow is a part of a channel's counts, which are spread over stripes so that concurrent changes do not wait
// for each other.
type channelCountRow struct {
	bun.BaseModel `bun:"table:channel_counts,alias:k"`

	ChannelID   core.ID `bun:"channel_id,pk"`
	Stripe      int     `bun:"stripe,pk"`
	Visible     int64   `bun:"visible"` // notifications
	Subscribers int64   `bun:"subscribers"`
}

// stripes is how many rows a channel's counts are spread over.
const stripes = 8

// Stripe returns a stripe at random.
func Stripe() int { return rand.IntN(stripes) } //nolint:gosec // only spreads load

// addCounts adds to the counts of a channel, in a stripe at random.
func addCounts(ctx context.Context, tx Tx, add channelCountRow) error {
	add.Stripe = Stripe()
	_, err := tx.NewInsert().Model(&add).On("conflict (channel_id, stripe) do update").
		Set("visible = k.visible + excluded.visible").
		Set("subscribers = k.subscribers + excluded.subscribers").Exec(ctx)
	return err
}
