package delivery

import (
	"context"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/tracing"
)

// parents returns the traces in which notifications were published, of those that were published in one. Without a
// tracer it does not ask the database.
func (d *Dispatcher) parents(
	ctx context.Context, db bun.IDB, notificationIDs []core.ID,
) (map[core.ID]string, error) {
	if !d.Tracer.On() || len(notificationIDs) == 0 {
		return nil, nil
	}
	var rows []struct {
		NotificationID core.ID `bun:"notification_id"`
		Traceparent    string  `bun:"traceparent"`
	}
	err := db.NewSelect().Table("dispatches").Column("notification_id", "traceparent").
		Where("notification_id = any(?::uuid[])", pgdialect.Array(notificationIDs)).
		Where("traceparent is not null").Scan(ctx, &rows)
	parents := make(map[core.ID]string, len(rows))
	for _, r := range rows {
		parents[r.NotificationID] = r.Traceparent
	}
	return parents, postgres.Error(err)
}

// spans begins a span in the trace of each notification, and returns the spans as parents of what follows. The caller
// must call end.
func (d *Dispatcher) spans(
	ctx context.Context, db bun.IDB, notificationIDs []core.ID, name string,
) (parents map[core.ID]string, end func(), err error) {
	parents, err = d.parents(ctx, db, notificationIDs)
	begun := make([]tracing.Span, 0, len(parents))
	for id, parent := range parents {
		in, span := d.Tracer.Start(tracing.WithParent(ctx, parent), name)
		parents[id] = tracing.Parent(in)
		begun = append(begun, span)
	}
	return parents, func() {
		for _, span := range begun {
			span.End()
		}
	}, err
}

// subjects returns what events are about.
func subjects(events []core.EventDelivery) []core.ID {
	ids := make([]core.ID, len(events))
	for i, e := range events {
		ids[i] = e.Subject
	}
	return ids
}
