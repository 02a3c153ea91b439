package postgres

import (
	"context"
	"slices"
	"time"

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
	return Error(err)
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
		return nil, 0, Error(err)
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
		return d, nil, Error(err)
	}
	var rows []eventAttemptRow
	err = s.db.NewRaw(`
		select at, duration_ms, coalesce(status, 0) as status, coalesce(answer, '') as answer, coalesce(error, '') as error
		from event_attempts where delivery_id = ? order by number desc limit ?`, id, keptAttempts).Scan(ctx, &rows)
	if err != nil {
		return d, nil, Error(err)
	}
	for _, r := range slices.Backward(rows) {
		attempts = append(attempts, core.EventAttempt{At: r.At, Duration: time.Duration(r.DurationMs) * time.Millisecond, Status: r.Status, Answer: r.Answer, Error: r.Error})
	}
	return d, attempts, nil
}

// UpdateEventDelivery implements core.EventEndpointStore.
func (s *Store) UpdateEventDelivery(ctx context.Context, endpointID, id core.ID, change func(*core.EventDelivery)) (d core.EventDelivery, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := tx.NewRaw(eventDeliveries+"d.endpoint_id = ? and d.id = ? for update of d", endpointID, id).Scan(ctx, &d); err != nil {
			return err
		}
		change(&d)
		return updateEventDelivery(ctx, tx, d)
	})
	return d, err
}

func updateEventDelivery(ctx context.Context, tx Tx, d core.EventDelivery) error {
	_, err := tx.NewRaw("update event_deliveries set status = ?, attempts = ?, tries = ?, next_attempt_at = ?, delivered_at = ? where id = ?",
		d.Status, d.Attempts, d.Tries, d.NextAttemptAt, d.DeliveredAt, d.ID).Exec(ctx)
	return err
}

// pruneEvents deletes the log of what was sent long ago, and secrets that are good no more.
func pruneEvents(ctx context.Context, tx Tx, now time.Time) error {
	if _, err := tx.NewRaw("delete from event_deliveries where created_at < ?", now.Add(-core.EventDeliveriesKept)).Exec(ctx); err != nil {
		return err
	}
	_, err := tx.NewRaw("update event_endpoints set previous_secret_sealed = null, previous_secret_until = null where previous_secret_until <= ?", now).Exec(ctx)
	return err
}
