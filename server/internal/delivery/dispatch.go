package delivery

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// dispatch inserts the dispatches of changed notifications that are published now.
func dispatch(ctx context.Context, tx postgres.Tx, all []positioned, now time.Time) error {
	var published, channels []core.ID
	for _, p := range all {
		if p.Published && p.Visible {
			published, channels = append(published, p.ID), append(channels, p.ChannelID)
		}
	}
	heard, err := tx.Dispatch(ctx, published, channels, now)
	for i, p := range all {
		all[i].Heard = heard[p.ID]
	}
	return err
}
