package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type eventDeliveryRow struct {
	bun.BaseModel `bun:"table:event_deliveries,alias:d"`

	ID            core.ID                  `bun:"id,pk"`
	EndpointID    core.ID                  `bun:"endpoint_id"`
	Subject       core.ID                  `bun:"subject"`
	Type          core.EventType           `bun:"type"`
	Payload       string                   `bun:"payload"`
	Status        core.EventDeliveryStatus `bun:"status"`
	Attempts      int                      `bun:"attempts"`
	Tries         int                      `bun:"tries"`
	NextAttemptAt *time.Time               `bun:"next_attempt_at"`
	CreatedAt     time.Time                `bun:"created_at"`
	DeliveredAt   *time.Time               `bun:"delivered_at"`
	LastStatus    int                      `bun:"last_status,scanonly"`
	LastError     string                   `bun:"last_error,scanonly"`
}

func (r eventDeliveryRow) eventDelivery() core.EventDelivery {
	return core.EventDelivery{
		ID: r.ID, EndpointID: r.EndpointID, Subject: r.Subject, Type: r.Type, Payload: r.Payload, Status: r.Status,
		Attempts: r.Attempts, Tries: r.Tries, NextAttemptAt: r.NextAttemptAt, LastStatus: r.LastStatus,
		LastError: r.LastError, CreatedAt: r.CreatedAt, DeliveredAt: r.DeliveredAt,
	}
}

type eventAttemptRow struct {
	bun.BaseModel `bun:"table:event_attempts,alias:a"`

	At         time.Time `bun:"at"`
	Status     int       `bun:"status,nullzero"`
	Response   string    `bun:"response,nullzero"`
	Error      string    `bun:"error,nullzero"`
	DurationMs int64     `bun:"duration_ms"`
}

func (r eventAttemptRow) eventAttempt() core.EventAttempt {
	return core.EventAttempt{
		At: r.At, Duration: time.Duration(r.DurationMs) * time.Millisecond, Status: r.Status, Response: r.Response,
		Error: r.Error,
	}
}

// selectEventDeliveries selects the deliveries to an endpoint with the result of their latest attempts.
func selectEventDeliveries(db bun.IDB, endpointID core.ID) *bun.SelectQuery {
	return db.NewSelect().
		ColumnExpr("?TableColumns, a.status AS last_status, a.error AS last_error").
		Join("LEFT JOIN event_attempts AS a ON a.delivery_id = d.id AND a.number = d.attempts").
		Where("d.endpoint_id = ?", endpointID)
}

// keptAttempts is how many attempts of a delivery are shown.
const keptAttempts = 100

// endPause has the next event posted to an endpoint at once, even if it fails.
func endPause(ctx context.Context, tx Tx, endpointID core.ID) error {
	_, err := tx.NewUpdate().Table("event_endpoints").Set("paused_until = NULL").
		Where("id = ?", endpointID).Where("paused_until IS NOT NULL").Exec(ctx)
	return err
}

// AddEventDelivery implements core.EventEndpointStore.
func (s *Store) AddEventDelivery(ctx context.Context, d core.EventDelivery) error {
	row := eventDeliveryRow{
		ID: d.ID, EndpointID: d.EndpointID, Subject: d.Subject, Type: d.Type, Payload: d.Payload, Status: d.Status,
		NextAttemptAt: d.NextAttemptAt, CreatedAt: d.CreatedAt,
	}
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if _, err := tx.NewInsert().Model(&row).Exec(ctx); err != nil {
			return err
		}
		return endPause(ctx, tx, d.EndpointID)
	})
}

// EventDeliveries implements core.EventEndpointStore.
func (s *Store) EventDeliveries(
	ctx context.Context, endpointID core.ID, status core.EventDeliveryStatus, page core.Page,
) ([]core.EventDelivery, int64, error) {
	q := selectEventDeliveries(s.db, endpointID).Order("d.created_at DESC", "d.id DESC")
	if status != "" {
		q = q.Where("d.status = ?", status)
	}
	return list(ctx, q, page, eventDeliveryRow.eventDelivery)
}

// EventDelivery implements core.EventEndpointStore.
func (s *Store) EventDelivery(ctx context.Context, endpointID, id core.ID) (
	core.EventDelivery, []core.EventAttempt, error,
) {
	row := eventDeliveryRow{ID: id}
	if err := selectEventDeliveries(s.db, endpointID).Model(&row).WherePK().Scan(ctx); err != nil {
		return core.EventDelivery{}, nil, Error(err)
	}
	latest := s.db.NewSelect().Where("delivery_id = ?", id).Order("number DESC").Limit(keptAttempts)
	attempts, err := all(ctx, latest, eventAttemptRow.eventAttempt)
	slices.Reverse(attempts)
	return row.eventDelivery(), attempts, err
}

// UpdateEventDelivery implements core.EventEndpointStore.
func (s *Store) UpdateEventDelivery(ctx context.Context, endpointID, id core.ID, change func(*core.EventDelivery)) (
	d core.EventDelivery, err error,
) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		row := eventDeliveryRow{ID: id}
		err := selectEventDeliveries(tx, endpointID).Model(&row).WherePK().For("UPDATE OF d").Scan(ctx)
		if err != nil {
			return err
		}
		d = row.eventDelivery()
		change(&d)
		row.Status, row.Attempts = d.Status, d.Attempts
		row.Tries, row.NextAttemptAt = d.Tries, d.NextAttemptAt
		row.DeliveredAt = d.DeliveredAt
		_, err = tx.NewUpdate().Model(&row).
			Column("status", "attempts", "tries", "next_attempt_at", "delivered_at").WherePK().Exec(ctx)
		if err != nil {
			return err
		}
		return endPause(ctx, tx, endpointID)
	})
	return d, err
}
