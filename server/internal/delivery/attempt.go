package delivery

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// endpointRow has the columns of an event endpoint that attempts read and change.
type endpointRow struct {
	bun.BaseModel `bun:"table:event_endpoints,alias:e"`

	ID                   core.ID    `bun:"id,pk"`
	URL                  string     `bun:"url"`
	Enabled              bool       `bun:"enabled"`
	DisabledAt           *time.Time `bun:"disabled_at"`
	DisabledReason       string     `bun:"disabled_reason,nullzero"`
	FailingSince         *time.Time `bun:"failing_since"`
	UpdatedAt            time.Time  `bun:"updated_at"`
	SecretSealed         []byte     `bun:"secret_sealed"`
	PreviousSecretSealed []byte     `bun:"previous_secret_sealed"`
	PreviousSecretUntil  *time.Time `bun:"previous_secret_until"`
}

func (r endpointRow) endpoint() core.EventEndpoint {
	return core.EventEndpoint{ID: r.ID, URL: r.URL, Enabled: r.Enabled, DisabledAt: r.DisabledAt,
		DisabledReason: r.DisabledReason, FailingSince: r.FailingSince, UpdatedAt: r.UpdatedAt}
}

func (r endpointRow) secrets() core.EventSecrets {
	return core.EventSecrets{Sealed: r.SecretSealed, PreviousSealed: r.PreviousSecretSealed,
		PreviousUntil: r.PreviousSecretUntil}
}

// eventRow has the columns of an event delivery that attempts read and change.
type eventRow struct {
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
}

func (r eventRow) delivery() core.EventDelivery {
	return core.EventDelivery{
		ID: r.ID, EndpointID: r.EndpointID, Subject: r.Subject, Type: r.Type, Payload: r.Payload, Status: r.Status,
		Attempts: r.Attempts, Tries: r.Tries, NextAttemptAt: r.NextAttemptAt, CreatedAt: r.CreatedAt,
		DeliveredAt: r.DeliveredAt,
	}
}

// attemptRow is one attempt to post an event.
type attemptRow struct {
	bun.BaseModel `bun:"table:event_attempts"`

	DeliveryID core.ID   `bun:"delivery_id,pk"`
	Number     int       `bun:"number,pk"`
	At         time.Time `bun:"at"`
	DurationMs int64     `bun:"duration_ms"`
	Status     int       `bun:"status,nullzero"`
	Response   string    `bun:"answer,nullzero"`
	Error      string    `bun:"error,nullzero"`
}

// DueEndpoints finds up to limit enabled endpoints to which something is due.
func DueEndpoints(ctx context.Context, db bun.IDB, limit int, now time.Time) (ids []core.ID, err error) {
	err = db.NewSelect().Model((*endpointRow)(nil)).Column("e.id").
		Join(`cross join lateral (
			select 1 from event_deliveries d
			where d.endpoint_id = e.id and d.status = 'pending' and d.next_attempt_at <= ? limit 1) d`, now).
		Where("e.enabled").Limit(int64(limit)).Scan(ctx, &ids)
	return ids, postgres.Error(err)
}

// DueEvents finds the events due at an endpoint, the longest due first, and the secrets that sign them. It finds none
// when the endpoint is not enabled.
func DueEvents(ctx context.Context, db bun.IDB, endpointID core.ID, limit int64, now time.Time) (
	e core.EventEndpoint, secrets core.EventSecrets, due []core.EventDelivery, err error) {
	var found []endpointRow
	err = db.NewSelect().Model(&found).Where("e.id = ?", endpointID).Where("e.enabled").Scan(ctx)
	if err != nil || len(found) == 0 {
		return e, secrets, nil, postgres.Error(err)
	}
	var rows []eventRow
	err = db.NewSelect().Model(&rows).
		Where("d.endpoint_id = ?", endpointID).Where("d.status = ?", core.EventPending).
		Where("d.next_attempt_at <= ?", now).
		Order("d.next_attempt_at", "d.id").Limit(limit).Scan(ctx)
	if err != nil {
		return e, secrets, nil, postgres.Error(err)
	}
	for _, r := range rows {
		due = append(due, r.delivery())
	}
	return found[0].endpoint(), found[0].secrets(), due, nil
}

// RecordAttempt records an attempt and updates its event and its endpoint. It reports whether the endpoint is still
// enabled.
func RecordAttempt(ctx context.Context, db *postgres.DB, endpointID, deliveryID core.ID, a core.EventAttempt) (
	enabled bool, err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		if enabled, err = updateEndpoint(ctx, tx, endpointID, a); err != nil {
			return err
		}
		attempts, err := updateEvent(ctx, tx, deliveryID, a)
		if err != nil {
			return err
		}
		r := attemptRow{DeliveryID: deliveryID, Number: attempts, At: a.At, DurationMs: a.Duration.Milliseconds(),
			Status: a.Status, Response: a.Response, Error: a.Error}
		_, err = tx.NewInsert().Model(&r).Exec(ctx)
		return err
	})
	return enabled, err
}

// updateEvent returns the number of attempts so far.
func updateEvent(ctx context.Context, tx bun.IDB, id core.ID, a core.EventAttempt) (attempts int, err error) {
	var r eventRow
	if err := tx.NewSelect().Model(&r).Where("d.id = ?", id).For("update").Scan(ctx); err != nil {
		return 0, err
	}
	d := r.delivery()
	d.Take(a)
	r.Status = d.Status
	r.Attempts, r.Tries = d.Attempts, d.Tries
	r.NextAttemptAt, r.DeliveredAt = d.NextAttemptAt, d.DeliveredAt
	_, err = tx.NewUpdate().Model(&r).Column("status", "attempts", "tries", "next_attempt_at", "delivered_at").
		WherePK().Exec(ctx)
	return d.Attempts, err
}

// updateEndpoint locks an endpoint and updates it by an attempt.
func updateEndpoint(ctx context.Context, tx bun.IDB, id core.ID, a core.EventAttempt) (enabled bool, err error) {
	var r endpointRow
	if err := tx.NewSelect().Model(&r).Where("e.id = ?", id).For("no key update").Scan(ctx); err != nil {
		return false, err
	}
	e := r.endpoint()
	e.Take(a)
	if e.Enabled == r.Enabled && (e.FailingSince == nil) == (r.FailingSince == nil) {
		return e.Enabled, nil
	}
	if e.Enabled != r.Enabled {
		r.UpdatedAt = postgres.NextVersion(r.UpdatedAt, a.At)
	}
	r.Enabled, r.DisabledAt = e.Enabled, e.DisabledAt
	r.DisabledReason, r.FailingSince = e.DisabledReason, e.FailingSince
	_, err = tx.NewUpdate().Model(&r).
		Column("enabled", "disabled_at", "disabled_reason", "failing_since", "updated_at").WherePK().Exec(ctx)
	return e.Enabled, err
}
