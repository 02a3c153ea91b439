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
	err = s.alone(ctx, func(ctx context.Context, tx postgres.Tx) (positioned []placed, err error) {
		creation, err = postgres.Once(ctx, tx, key, &published, func() (core.Creation, error) {
			positioned, published, err = insertBatch(ctx, tx, all, s.Now())
			return core.Created, err
		})
		return positioned, err
	})
	if isKeyHeld(err) {
		err = core.ErrKeyInFlight()
	}
	return published, creation, err
}

func insertBatch(ctx context.Context, tx postgres.Tx, all []core.Notification, now time.Time) (
	[]placed, []core.Published, error) {
	group := make([]*publish, len(all))
	for i, n := range all {
		group[i] = &publish{n: n}
	}
	positioned, err := insertGroup(ctx, tx, group, now)
	if err != nil {
		return nil, nil, err
	}
	published := make([]core.Published, len(group))
	for i, p := range group {
		published[i] = core.Published{ID: p.n.ID}
		if p.existing != nil {
			published[i] = core.Published{ID: *p.existing, Existing: true}
		}
	}
	return positioned, published, nil
}
