package delivery

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/tracing"
)

// PublishBatch implements core.Stream. The key comes before the stream's lock, so that nobody else waits while it is
// stored; nothing but this takes keys of batches.
func (s *Stream) PublishBatch(
	ctx context.Context, all []core.Notification, key core.Idempotency,
) (published []core.Published, creation core.Creation, err error) {
	published = make([]core.Published, len(all))
	for i, n := range all {
		published[i] = core.Published{ID: n.ID}
	}
	var positioned []placed
	err = s.inTurn(ctx, func() error {
		ctx, cancel := context.WithTimeout(ctx, lockTimeout)
		defer cancel()
		return s.DB.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
			creation, err = postgres.Once(ctx, tx, key, &published, func() (core.Creation, error) {
				positioned, err = s.insertBatch(ctx, tx, all, published)
				return core.Created, err
			})
			return err
		})
	})
	switch {
	case isKeyHeld(err):
		return nil, 0, core.ErrKeyInFlight()
	case err != nil:
		return nil, 0, err
	}
	s.report(ctx, positioned)
	return published, creation, nil
}

// insertBatch takes the stream's lock, and sets in published which notifications the channel had already.
func (s *Stream) insertBatch(
	ctx context.Context, tx postgres.Tx, all []core.Notification, published []core.Published,
) ([]placed, error) {
	group, by := make([]*publish, len(all)), core.OriginOf(ctx).Actor()
	for i, n := range all {
		group[i] = &publish{n: n, by: by, trace: tracing.Parent(ctx)}
	}
	if _, err := tx.NewRaw(takeLock).Exec(ctx); err != nil { // raw, because it only calls functions
		return nil, noLock(err)
	}
	positioned, err := insertGroup(ctx, tx, group, s.StorageQuota, s.Now())
	if err != nil {
		return nil, err
	}
	for i, p := range group {
		switch {
		case p.skipped:
			return nil, core.NotFound()
		case p.full:
			return nil, core.ErrQuotaExceeded()
		}
		if p.existing != nil {
			published[i] = core.Published{ID: *p.existing, Existing: true}
		}
	}
	return positioned, insertRevises(ctx, tx, changed(positioned))
}
