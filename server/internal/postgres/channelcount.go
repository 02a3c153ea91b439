package postgres

import (
	"context"
	"math/rand/v2"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// channelCountRow is a part of the number of a channel's subscribers, which is spread over stripes so that concurrent
// changes do not wait for each other.
type channelCountRow struct {
	bun.BaseModel `bun:"table:channel_counts,alias:k"`

	ChannelID   core.ID `bun:"channel_id,pk"`
	Stripe      int     `bun:"stripe,pk"`
	Subscribers int64   `bun:"subscribers"`
}

// stripes is how many rows a channel's counts are spread over.
const stripes = 8

func stripe() int { return rand.IntN(stripes) } //nolint:gosec // only spreads load

// addSubscribers adds to the number of a channel's subscribers, in a stripe at random.
func addSubscribers(ctx context.Context, tx Tx, channelID core.ID, n int64) error {
	r := channelCountRow{ChannelID: channelID, Stripe: stripe(), Subscribers: n}
	_, err := tx.NewInsert().Model(&r).On("conflict (channel_id, stripe) do update").
		Set("subscribers = k.subscribers + excluded.subscribers").Exec(ctx)
	return err
}
