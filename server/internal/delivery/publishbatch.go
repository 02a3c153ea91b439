package delivery

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// PublishBatch implements core.Stream.
func (s *Stream) PublishBatch(
	ctx context.Context, all []core.Notification, key core.Idempotency,
) (published []core.Published, creation core.Creation, err error) {
	published = make([]core.Published, len(all))
	for i, n := range all {
		published[i] = core.Published{ID: n.ID}
	}
	err = s.alone(ctx, func(ctx context.Context, tx postgres.Tx) (positioned []placed, err error) {
		creation, err = postgres.Once(ctx, tx, key, &published, func() (core.Creation, error) {
			positioned, err = insertBatch(ctx, tx, all, published, s.Now())
			return core.Created, err
		})
		return positioned, err
	})
	if isKeyHeld(err) {
		err = core.ErrKeyInFlight()
	}
	return published, creation, err
}

// insertBatch sets in published which notifications the channel had already.
func insertBatch(
	ctx context.Context, tx postgres.Tx, all []core.Notification, published []core.Published, now time.Time,
) ([]placed, error) {
	group := make([]*publish, len(all))
	for i, n := range all {
		group[i] = &publish{n: n}
	}
	positioned, err := insertGroup(ctx, tx, group, now)
	if err != nil {
		return nil, err
	}
	for i, p := range group {
		if p.skipped {
			return nil, core.NotFound()
		}
		if p.existing != nil {
			published[i] = core.Published{ID: *p.existing, Existing: true}
		}
	}
	return positioned, nil
}
