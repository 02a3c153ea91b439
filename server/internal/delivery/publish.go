package delivery

import (
	"cmp"
	"context"
	"errors"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/group"
	"github.com/sininho/sininho/server/internal/metrics"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/tracing"
)

// Publish implements core.Writer. Publishes that arrive while a transaction is under way share the next one, so the
// cost of a commit is shared too. A publish on an idle node is written at once. One whose caller gives up is dropped,
// unless it is being written already.
func (w *Writer) Publish(
	ctx context.Context, n core.Notification, key core.Idempotency,
) (core.Notification, core.Creation, error) {
	ctx, span := w.Tracer.Start(ctx, "publish")
	defer span.End()
	n, creation, err := w.publish(ctx, n, key)
	w.Metrics.Publish(resultOf(creation, err))
	return n, creation, err
}

// resultOf returns the result of a publish in metrics.
func resultOf(creation core.Creation, err error) string {
	switch {
	case err != nil:
		return metrics.PublishFailed
	case creation == core.Created:
		return metrics.PublishCreated
	case creation == core.Existing:
		return metrics.PublishExisting
	default:
		return metrics.PublishRepeated
	}
}

func (w *Writer) publish(
	ctx context.Context, n core.Notification, key core.Idempotency,
) (core.Notification, core.Creation, error) {
	p := &publish{Publication: newPublication(ctx, n, key)}
	if !n.Channel.Full {
		err := w.group.Do(ctx, p)
		if errors.Is(err, group.ErrFull) {
			err = core.Unavailable(err)
		}
		if err := cmp.Or(err, p.err); err != nil {
			return n, 0, err
		}
	}
	if p.IsFresh() { // there was no room for it, but it may be nothing new
		if err := postgres.FindExisting(ctx, w.DB, []*postgres.Publication{p.Publication}); err != nil {
			return n, 0, err
		}
	}
	switch {
	case p.Written:
		return n, core.Created, nil
	case p.Repeated:
		return postgres.ReplayPublish(ctx, w.DB, key, n)
	case p.Existing != core.ID{}:
		return w.keepExisting(ctx, n.Channel.ID, n.ExternalID, key)
	default:
		return n, 0, w.whyNotWritten(ctx, w.DB, p.Publication)
	}
}

// whyNotWritten returns why a new notification was not written.
func (w *Writer) whyNotWritten(ctx context.Context, db bun.IDB, p *postgres.Publication) error {
	if p.Notification.Channel.Full {
		return core.ErrQuotaExceeded()
	}
	if err := postgres.CheckStorage(ctx, db, p.Notification.Channel.ID, w.StorageQuota); err != nil {
		return err
	}
	return core.NotFound() // the channel has been deleted
}

func newPublication(ctx context.Context, n core.Notification, key core.Idempotency) *postgres.Publication {
	return &postgres.Publication{Notification: n, By: core.OriginOf(ctx).Actor(), Key: key, Trace: tracing.Parent(ctx)}
}

// keepExisting finds the notification with an external id, and keeps it as the response to the key.
func (w *Writer) keepExisting(ctx context.Context, channelID core.ID, externalID string, key core.Idempotency) (
	n core.Notification, creation core.Creation, err error) {
	err = w.DB.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		creation, err = postgres.Once(ctx, tx, key, &n, func() (core.Creation, error) {
			n, err = postgres.NotificationByExternalID(ctx, tx, channelID, externalID, nil)
			return core.Existing, err
		})
		return err
	})
	return n, creation, err
}
