package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/core"
)

// unrevised tells of deliveries v that the device may show the notification as it was before $2.
const unrevised = "v.outcome = 'accepted' and coalesce(v.revised_at, '-infinity') < $2"

// Unrevised finds the next devices that were pushed a notification and not its change of that time, in the order of their
// ids. Who has read it is not troubled again.
func (s *Store) Unrevised(ctx context.Context, notificationID, after core.ID, limit int, revisedAt time.Time) ([]core.ID, error) {
	rows, err := s.pool.Query(ctx, `
		select v.device_id from deliveries v
		join notifications n on n.id = v.notification_id
		join devices d on d.id = v.device_id and d.retired_at is null
		left join subscriptions s on s.subscriber_id = d.subscriber_id and s.channel_id = n.channel_id
		left join receipts r on r.subscriber_id = d.subscriber_id and r.notification_id = n.id
		where v.notification_id = $1 and v.device_id > $3 and `+unrevised+`
		  and not `+isRead+`
		order by v.device_id limit $4`, notificationID, revisedAt, after, limit)
	if err != nil {
		return nil, mapError(err)
	}
	devices, err := pgx.CollectRows(rows, pgx.RowTo[core.ID])
	return devices, mapError(err)
}

// UnrevisedAmong finds those of the devices that are still to be told.
func (s *Store) UnrevisedAmong(ctx context.Context, notificationID core.ID, devices []core.ID, revisedAt time.Time) ([]core.Address, error) {
	rows, err := s.pool.Query(ctx, `
		select d.id, d.address from deliveries v join devices d on d.id = v.device_id and d.retired_at is null
		where v.notification_id = $1 and v.device_id = any($3::uuid[]) and `+unrevised, notificationID, revisedAt, idTexts(devices))
	if err != nil {
		return nil, mapError(err)
	}
	addresses, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (a core.Address, err error) {
		err = row.Scan(&a.DeviceID, &a.Address)
		return a, err
	})
	return addresses, mapError(err)
}

// RecordRevised keeps which devices have been told of the change of that time, or cannot be, and retires those that are gone.
func (s *Store) RecordRevised(ctx context.Context, told []core.Delivery, revisedAt, now time.Time) error {
	var notifications, devices []core.ID
	var gone []string
	for _, d := range told {
		notifications, devices = append(notifications, d.NotificationID), append(devices, d.DeviceID)
		if d.Gone != "" {
			gone = append(gone, d.Gone)
		}
	}
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `
			update deliveries v set revised_at = $3 from unnest($1::uuid[], $2::uuid[]) t (notification, device)
			where v.notification_id = t.notification and v.device_id = t.device`, idTexts(notifications), idTexts(devices), revisedAt); err != nil {
			return err
		}
		return retire(ctx, tx, gone, now)
	})
	return mapError(err)
}
