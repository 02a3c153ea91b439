package delivery

import (
	"context"
	"encoding/json"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/metrics"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/tracing"
)

// publish is a request to publish, and its result.
type publish struct {
	ctx      context.Context // of the caller
	n        core.Notification
	by       core.Actor
	key      core.Idempotency
	response []byte // stored with the key
	trace    string // of the request, see tracing.Parent

	existing *core.ID // the channel's notification with the external id
	full     bool     // the publisher's quota is used up
	skipped  bool     // the key was used before, or the channel has been purged
	err      error
	done     chan struct{} // closed when the above is set
}

// Publish implements core.Stream. Publishes that arrive while a transaction is under way, on this node or another,
// share the next one, so the cost of a commit is shared too. A publish on an idle node is written at once. One whose
// caller gives up is dropped, unless it is being written already.
func (s *Stream) Publish(
	ctx context.Context, n core.Notification, key core.Idempotency,
) (core.Notification, core.Creation, error) {
	ctx, span := s.Tracer.Start(ctx, "publish")
	defer span.End()
	n, creation, err := s.publish(ctx, n, key)
	s.Metrics.Publish(resultOf(creation, err))
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

func (s *Stream) publish(
	ctx context.Context, n core.Notification, key core.Idempotency,
) (core.Notification, core.Creation, error) {
	p := &publish{ctx: ctx, n: n, by: core.OriginOf(ctx).Actor(), key: key, trace: tracing.Parent(ctx),
		done: make(chan struct{})}
	if key.Wanted() {
		var err error
		if p.response, err = json.Marshal(n); err != nil {
			return n, 0, err
		}
	}
	if err := s.enqueue(p); err != nil {
		return n, 0, err
	}
	select {
	case <-p.done:
	case <-ctx.Done():
		return n, 0, ctx.Err()
	}
	switch {
	case p.err != nil:
		return n, 0, p.err
	case p.existing != nil:
		return s.keepExisting(ctx, n.Channel.ID, n.ExternalID, key)
	case p.full:
		return s.repeatedOr(ctx, n, key, core.ErrQuotaExceeded())
	case p.skipped:
		creation, err := postgres.Replay(ctx, s.DB, key, &n)
		return n, creation, err
	default:
		return n, core.Created, nil
	}
}

// repeatedOr returns the notification that was published with the key before, or an error.
func (s *Stream) repeatedOr(ctx context.Context, n core.Notification, key core.Idempotency, otherwise error) (
	core.Notification, core.Creation, error) {
	if !key.Wanted() {
		return n, 0, otherwise
	}
	creation, err := postgres.Replay(ctx, s.DB, key, &n)
	if core.IsCode(err, core.CodeNotFound) {
		err = otherwise
	}
	return n, creation, err
}

// keepExisting finds the notification with an external id, and keeps it as the response to the key.
func (s *Stream) keepExisting(ctx context.Context, channelID core.ID, externalID string, key core.Idempotency) (
	n core.Notification, creation core.Creation, err error) {
	err = s.DB.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		creation, err = postgres.Once(ctx, tx, key, &n, func() (core.Creation, error) {
			n, err = postgres.NotificationByExternalID(ctx, tx, channelID, externalID)
			return core.Existing, err
		})
		return err
	})
	return n, creation, err
}
