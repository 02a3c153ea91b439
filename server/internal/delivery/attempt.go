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
	Failures             int        `bun:"failures"`
	PausedUntil          *time.Time `bun:"paused_until"`
	UpdatedAt            time.Time  `bun:"updated_at"`
	SecretSealed         []byte     `bun:"secret_sealed"`
	PreviousSecretSealed []byte     `bun:"previous_secret_sealed"`
	PreviousSecretUntil  *time.Time `bun:"previous_secret_until"`
}

func (r endpointRow) endpoint() core.EventEndpoint {
	return core.EventEndpoint{ID: r.ID, URL: r.URL, Enabled: r.Enabled, DisabledAt: r.DisabledAt,
		DisabledReason: r.DisabledReason, FailingSince: r.FailingSince, Failures: r.Failures,
		PausedUntil: r.PausedUntil, UpdatedAt: r.UpdatedAt}
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
	Response   string    `bun:"response,nullzero"`
	Error      string    `bun:"error,nullzero"`
}

// whereOpen selects endpoints that are enabled, confirmed and not paused, of publishers that are not suspended.
func whereOpen(q *bun.SelectQuery, now time.Time) *bun.SelectQuery {
	return q.Where("e.enabled").Where("e.confirmed_url = e.url").
		Where("(select p.suspended_at from publishers p where p.id = e.publisher_id) is null").
		Where("e.paused_until is null or e.paused_until <= ?", now)
}

// DueEndpoints finds up to limit endpoints to which something is due, and which may be posted to.
func DueEndpoints(ctx context.Context, db bun.IDB, limit int, now time.Time) (ids []core.ID, err error) {
	q := db.NewSelect().Model((*endpointRow)(nil)).Column("e.id").
		Join(`cross join lateral (
			select 1 from event_deliveries d
			where d.endpoint_id = e.id and d.status = 'pending' and d.next_attempt_at <= ? limit 1) d`, now)
	err = whereOpen(q, now).Limit(int64(limit)).Scan(ctx, &ids)
	return ids, postgres.Error(err)
}

// DueEvents finds the events due at an endpoint, oldest first, and the secrets that sign them. It finds none when the
// endpoint may not be posted to, and one when it fails: another each time, so that an event that is always rejected
// does not hold up the rest, but first one that a person has just sent.
func DueEvents(ctx context.Context, db bun.IDB, endpointID core.ID, limit int64, now time.Time) (
	e core.EventEndpoint, secrets core.EventSecrets, due []core.EventDelivery, err error) {
	var found []endpointRow
	err = whereOpen(db.NewSelect().Model(&found), now).Where("e.id = ?", endpointID).Scan(ctx)
	if err != nil || len(found) == 0 {
		return e, secrets, nil, postgres.Error(err)
	}
	e = found[0].endpoint()
	var rows []eventRow
	q := db.NewSelect().Model(&rows).
		Where("d.endpoint_id = ?", endpointID).Where("d.status = ?", core.EventPending).
		Where("d.next_attempt_at <= ?", now)
	if e.Failing() {
		q = q.OrderExpr("? desc, d.next_attempt_at, d.id", bun.Safe(sentByHand)).Limit(1)
	} else {
		q = q.Order("d.id").Limit(limit)
	}
	if err = q.Scan(ctx); err != nil {
		return e, secrets, nil, postgres.Error(err)
	}
	for _, r := range rows {
		due = append(due, r.delivery())
	}
	return e, found[0].secrets(), due, nil
}

// sentByHand is true of tests and of events sent again, until they are tried.
const sentByHand = "(d.tries = 0 and (d.type = 'test' or d.attempts > 0))"

// RecordAttempt records an attempt and updates its event.
func RecordAttempt(ctx context.Context, db *postgres.DB, deliveryID core.ID, a core.EventAttempt) error {
	return db.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		attempts, err := updateEvent(ctx, tx, deliveryID, a)
		if err != nil {
			return err
		}
		r := attemptRow{DeliveryID: deliveryID, Number: attempts, At: a.At, DurationMs: a.Duration.Milliseconds(),
			Status: a.Status, Response: a.Response, Error: a.Error}
		_, err = tx.NewInsert().Model(&r).Exec(ctx)
		return err
	})
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

// RecordResult updates an endpoint by the attempts that were made together. It reports whether more may be posted.
func RecordResult(
	ctx context.Context, db *postgres.DB, endpointID core.ID, attempts []core.EventAttempt,
) (open bool, err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		var r endpointRow
		if err := tx.NewSelect().Model(&r).Where("e.id = ?", endpointID).For("no key update").Scan(ctx); err != nil {
			return err
		}
		e := r.endpoint()
		e.Take(attempts...)
		open = e.Enabled && !e.Failing()
		if e.Enabled != r.Enabled {
			r.UpdatedAt = postgres.NextVersion(r.UpdatedAt, attempts[0].At)
		}
		r.Enabled, r.DisabledAt, r.DisabledReason = e.Enabled, e.DisabledAt, e.DisabledReason
		r.FailingSince, r.Failures, r.PausedUntil = e.FailingSince, e.Failures, e.PausedUntil
		_, err := tx.NewUpdate().Model(&r).
			Column("enabled", "disabled_at", "disabled_reason", "failing_since", "failures", "paused_until",
				"updated_at").WherePK().Exec(ctx)
		return err
	})
	return open, err
}
