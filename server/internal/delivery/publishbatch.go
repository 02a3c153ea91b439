package delivery

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// PublishBatch implements core.Writer. The key comes before the stream's lock, so that nobody else waits while it is
// stored; nothing but this takes keys of batches.
func (w *Writer) PublishBatch(
	ctx context.Context, all []core.Notification, key core.Idempotency,
) (published []core.Published, creation core.Creation, err error) {
	publications := make([]*postgres.Publication, len(all))
	published = make([]core.Published, len(all))
	for i, n := range all {
		publications[i] = newPublication(ctx, n, core.Idempotency{})
		published[i] = core.Published{ID: n.ID}
	}
	err = w.inSlot(ctx, func() error {
		ctx, cancel := context.WithTimeout(ctx, postgres.StreamTimeout)
		defer cancel()
		return w.DB.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
			creation, err = postgres.Once(ctx, tx, key, &published, func() (core.Creation, error) {
				return core.Created, w.insertBatch(ctx, tx, publications, published)
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
	w.report(ctx, positionedOf(publications))
	return published, creation, nil
}

// insertBatch takes the stream's lock, and sets in published which notifications the channel had already.
func (w *Writer) insertBatch(
	ctx context.Context, tx postgres.Tx, all []*postgres.Publication, published []core.Published,
) error {
	if err := tx.TakeStream(ctx); err != nil {
		return err
	}
	if err := w.insert(ctx, tx, all); err != nil {
		return err
	}
	for i, p := range all {
		if !p.Written {
			published[i] = core.Published{ID: p.Existing, Existing: true}
		}
	}
	return nil
}

// insert stores publications of a channel in a transaction that has the stream's lock, except for those that exist.
func (w *Writer) insert(ctx context.Context, tx postgres.Tx, all []*postgres.Publication) error {
	if err := postgres.FindExisting(ctx, tx, all); err != nil {
		return err
	}
	fresh := postgres.Fresh(all)
	if len(fresh) == 0 {
		return nil
	}
	if err := tx.Publish(ctx, fresh, w.StorageQuota, w.Now()); err != nil {
		return err
	}
	if rest := postgres.Fresh(fresh); len(rest) > 0 {
		return w.whyNotWritten(ctx, tx, rest[0])
	}
	return nil
}
