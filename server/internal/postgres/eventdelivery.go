package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// eventDeliveries selects deliveries with what came of the latest attempt.
const eventDeliveries = `
	select d.id, d.endpoint_id, d.subject, d.type, d.payload, d.status, d.attempts, d.tries, d.next_attempt_at, d.created_at, d.delivered_at,
		coalesce(a.status, 0) as last_status, coalesce(a.error, '') as last_error
	from event_deliveries d left join event_attempts a on a.delivery_id = d.id and a.number = d.attempts
	where `

// keptAttempts is how many attempts of a delivery are shown.
const keptAttempts = 100

// AddEventDelivery implements core.EventEndpointStore.
func (s *Store) AddEventDelivery(ctx context.Context, d core.EventDelivery) error {
	_, err := s.db.NewRaw(`
		insert into event_deliveries (id, endpoint_id, subject, type, payload, status, next_attempt_at, created_at) values (?, ?, ?, ?, ?, ?, ?, ?)`,
		d.ID, d.EndpointID, d.Subject, d.Type, d.Payload, d.Status, d.NextAttemptAt, d.CreatedAt).Exec(ctx)
	return mapError(err)
}

// EventDeliveries implements core.EventEndpointStore.
func (s *Store) EventDeliveries(ctx context.Context, endpointID core.ID, status core.EventDeliveryStatus, page core.Page) ([]core.EventDelivery, int64, error) {
	where, args := "d.endpoint_id = ?", []any{endpointID}
	if status != "" {
		where, args = where+" and d.status = ?", append(args, status)
	}
	var data []core.EventDelivery
	err := s.db.NewRaw(eventDeliveries+where+" order by d.created_at desc, d.id desc"+limit(page), args...).Scan(ctx, &data)
	if err != nil {
		return nil, 0, mapError(err)
	}
	total, err := s.total(ctx, page, len(data), "event_deliveries d where "+where, args...)
	return data, total, err
}

type eventAttemptRow struct {
	At         time.Time
	DurationMs int64
	Status     int
	Answer     string
	Error      string
}

// EventDelivery implements core.EventEndpointStore.
func (s *Store) EventDelivery(ctx context.Context, endpointID, id core.ID) (d core.EventDelivery, attempts []core.EventAttempt, err error) {
	if err = s.db.NewRaw(eventDeliveries+"d.endpoint_id = ? and d.id = ?", endpointID, id).Scan(ctx, &d); err != nil {
		return d, nil, mapError(err)
	}
	var rows []eventAttemptRow
	err = s.db.NewRaw(`
		select at, duration_ms, coalesce(status, 0) as status, coalesce(answer, '') as answer, coalesce(error, '') as error
		from event_attempts where delivery_id = ? order by number desc limit ?`, id, keptAttempts).Scan(ctx, &rows)
	if err != nil {
		return d, nil, mapError(err)
	}
	for _, r := range slices.Backward(rows) {
		attempts = append(attempts, core.EventAttempt{At: r.At, Duration: time.Duration(r.DurationMs) * time.Millisecond, Status: r.Status, Answer: r.Answer, Error: r.Error})
	}
	return d, attempts, nil
}

// UpdateEventDelivery implements core.EventEndpointStore.
func (s *Store) UpdateEventDelivery(ctx context.Context, endpointID, id core.ID, change func(*core.EventDelivery)) (d core.EventDelivery, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		if err := tx.NewRaw(eventDeliveries+"d.endpoint_id = ? and d.id = ? for update of d", endpointID, id).Scan(ctx, &d); err != nil {
			return err
		}
		change(&d)
		return updateEventDelivery(ctx, tx, d)
	})
	return d, err
}

func updateEventDelivery(ctx context.Context, tx bun.Tx, d core.EventDelivery) error {
	_, err := tx.NewRaw("update event_deliveries set status = ?, attempts = ?, tries = ?, next_attempt_at = ?, delivered_at = ? where id = ?",
		d.Status, d.Attempts, d.Tries, d.NextAttemptAt, d.DeliveredAt, d.ID).Exec(ctx)
	return err
}

// DueEventEndpoints finds up to limit endpoints in service to which something is to be sent.
func (s *Store) DueEventEndpoints(ctx context.Context, limit int, now time.Time) ([]core.ID, error) {
	var ids []core.ID
	err := s.db.NewRaw(`
		select e.id from event_endpoints e cross join lateral (
			select 1 from event_deliveries d where d.endpoint_id = e.id and d.status = 'pending' and d.next_attempt_at <= ? limit 1) d
		where e.enabled limit ?`, now, limit).Scan(ctx, &ids)
	return ids, mapError(err)
}

// DueEvents finds what is to be sent to an endpoint, the longest due first, and what it is signed with; nothing when the
// endpoint is not in service any more.
func (s *Store) DueEvents(ctx context.Context, endpointID core.ID, limit int, now time.Time) (e core.EventEndpoint, secrets core.EventSecrets, due []core.EventDelivery, err error) {
	var found []sealedEndpointRow
	err = s.db.NewRaw("select"+eventEndpointColumns+`, secret_sealed, previous_secret_sealed, previous_secret_until
		from event_endpoints where id = ? and enabled`, endpointID).Scan(ctx, &found)
	if err != nil || len(found) == 0 {
		return e, secrets, nil, mapError(err)
	}
	err = s.db.NewRaw(eventDeliveries+"d.endpoint_id = ? and d.status = 'pending' and d.next_attempt_at <= ? order by d.next_attempt_at, d.id limit ?",
		endpointID, now, limit).Scan(ctx, &due)
	return core.EventEndpoint(found[0].eventEndpointRow), found[0].secrets(), due, mapError(err)
}

// RecordEventAttempt keeps what came of sending an event, and what follows for its endpoint. It reports whether that is
// still in service.
func (s *Store) RecordEventAttempt(ctx context.Context, endpointID, deliveryID core.ID, a core.EventAttempt) (enabled bool, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		if enabled, err = takeAttempt(ctx, tx, endpointID, a); err != nil {
			return err
		}
		var d core.EventDelivery
		if err := tx.NewRaw(eventDeliveries+"d.id = ? for update of d", deliveryID).Scan(ctx, &d); err != nil {
			return err
		}
		d.Take(a)
		if err := updateEventDelivery(ctx, tx, d); err != nil {
			return err
		}
		_, err := tx.NewRaw("insert into event_attempts (delivery_id, number, at, duration_ms, status, answer, error) values (?, ?, ?, ?, nullif(?, 0), ?, ?)",
			d.ID, d.Attempts, a.At, a.Duration.Milliseconds(), a.Status, null(a.Answer), null(a.Error)).Exec(ctx)
		return err
	})
	return enabled, err
}

// takeAttempt locks an endpoint and keeps of it what changes by an attempt.
func takeAttempt(ctx context.Context, tx bun.Tx, endpointID core.ID, a core.EventAttempt) (enabled bool, err error) {
	var r eventEndpointRow
	err = tx.NewRaw("select"+eventEndpointColumns+" from event_endpoints where id = ? for no key update", endpointID).Scan(ctx, &r)
	if err != nil {
		return false, err
	}
	e := core.EventEndpoint(r)
	e.Take(a)
	if e.Enabled == r.Enabled && (e.FailingSince == nil) == (r.FailingSince == nil) {
		return e.Enabled, nil
	}
	_, err = tx.NewRaw(`
		update event_endpoints set enabled = ?, disabled_at = ?, disabled_reason = ?, failing_since = ?,
			updated_at = case when enabled <> ? then greatest(?, updated_at + interval '1 microsecond') else updated_at end
		where id = ?`, e.Enabled, e.DisabledAt, null(e.DisabledReason), e.FailingSince, e.Enabled, a.At, e.ID).Exec(ctx)
	return e.Enabled, err
}

// pruneEvents deletes the log of what was sent long ago, and secrets that are good no more.
func pruneEvents(ctx context.Context, tx bun.Tx, now time.Time) error {
	if _, err := tx.NewRaw("delete from event_deliveries where created_at < ?", now.Add(-core.EventDeliveriesKept)).Exec(ctx); err != nil {
		return err
	}
	_, err := tx.NewRaw("update event_endpoints set previous_secret_sealed = null, previous_secret_until = null where previous_secret_until <= ?", now).Exec(ctx)
	return err
}
