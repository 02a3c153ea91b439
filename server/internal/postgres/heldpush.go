package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// heldPushes are pushes that wait for the end of quiet hours, as columns.
type heldPushes struct {
	notifications, devices []string
	until                  []time.Time
}

func (h *heldPushes) add(notificationID, deviceID core.ID, until time.Time) {
	h.notifications, h.devices = append(h.notifications, notificationID.String()), append(h.devices, deviceID.String())
	h.until = append(h.until, until)
}

func (h *heldPushes) insert(ctx context.Context, tx pgx.Tx) error {
	if len(h.until) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `
		insert into held_pushes (notification_id, device_id, until)
		select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) on conflict do nothing`, h.notifications, h.devices, h.until)
	return err
}

// holdAnew lets the pushes held for a subscriber wait for the end of their quiet hours as they are now.
func holdAnew(ctx context.Context, tx bun.Tx, sub core.Subscriber, now time.Time) error {
	until := now
	if sub.QuietHours != nil {
		if end := sub.QuietHours.Until(now, zone(sub.Timezone)); !end.IsZero() {
			until = end
		}
	}
	_, err := tx.NewRaw(`
		update held_pushes h set until = ? from devices d
		where d.subscriber_id = ? and d.retired_at is null and h.device_id = d.id and h.until <> ?`, until, sub.ID, until).Exec(ctx)
	return err
}

// letGo gives what is held for a subscriber who leaves a channel its outcome.
func letGo(ctx context.Context, tx bun.Tx, subscriberID, channelID core.ID, now time.Time) error {
	_, err := tx.NewRaw(`
		with gone as (
			delete from held_pushes h using devices d, notifications n
			where d.subscriber_id = ? and h.device_id = d.id and n.id = h.notification_id and n.channel_id = ?
			returning h.notification_id, h.device_id
		)
		insert into deliveries (notification_id, device_id, outcome, cause, at)
		select notification_id, device_id, ?, ?, ?::timestamptz from gone on conflict do nothing`,
		subscriberID, channelID, core.Suppressed, core.CauseUnfollowed, now).Exec(ctx)
	return err
}

// ReleaseHeld takes the pushes whose quiet hours are over, of at most that many devices, in one transaction with what
// then does with them. It answers of how many devices.
func (s *Store) ReleaseHeld(ctx context.Context, devices int, now time.Time, then func(ctx context.Context, tx pgx.Tx, held []core.Held) error) (int, error) {
	var held []core.Held
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `
			with due as (
				select distinct device_id from held_pushes where until <= $1 limit $2
			), taken as (
				delete from held_pushes h using due where h.device_id = due.device_id and h.until <= $1 returning h.device_id, h.notification_id
			)
			select device_id, array_agg(notification_id::text) from taken group by device_id`, now, devices)
		if err != nil {
			return err
		}
		held, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (h core.Held, err error) {
			var ids []string
			if err = row.Scan(&h.Device.DeviceID, &ids); err == nil {
				h.Notifications, err = parseIDs(ids)
			}
			return h, err
		})
		if err != nil || len(held) == 0 {
			return err
		}
		return then(ctx, tx, held)
	})
	return len(held), mapError(err)
}

// UndeliveredHeld finds the devices' addresses, and which of their notifications have no outcome yet or were read meanwhile.
func (s *Store) UndeliveredHeld(ctx context.Context, held []core.Held) ([]core.Held, error) {
	var pairs heldPushes
	for _, h := range held {
		for _, id := range h.Notifications {
			pairs.add(id, h.Device.DeviceID, time.Time{})
		}
	}
	rows, err := s.pool.Query(ctx, `
		select w.device, coalesce(d.address, ''), d.id is null or d.retired_at is not null, array_agg(w.notification::text),
		       array_agg(w.notification::text) filter (where r.archived_at is not null or `+isRead+`)
		from unnest($1::uuid[], $2::uuid[]) w (notification, device) left join devices d on d.id = w.device
		left join notifications n on n.id = w.notification
		left join subscriptions s on s.subscriber_id = d.subscriber_id and s.channel_id = n.channel_id
		left join receipts r on r.subscriber_id = d.subscriber_id and r.notification_id = n.id
		where not exists (select from deliveries v where v.notification_id = w.notification and v.device_id = w.device)
		group by w.device, d.id`, pairs.notifications, pairs.devices)
	if err != nil {
		return nil, mapError(err)
	}
	left, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (h core.Held, err error) {
		var ids, read []string
		if err = row.Scan(&h.Device.DeviceID, &h.Device.Address, &h.Device.Retired, &ids, &read); err != nil {
			return h, err
		}
		if h.Notifications, err = parseIDs(ids); err == nil {
			h.Read, err = parseIDs(read)
		}
		return h, err
	})
	return left, mapError(err)
}

// PushedNotifications finds notifications for their dispatch, visible or not, newest first.
func (s *Store) PushedNotifications(ctx context.Context, ids []core.ID) ([]core.Notification, error) {
	var rows []notificationRow
	err := s.db.NewRaw(oneNotification+"n.id = any (?::uuid[]) order by n.published_at desc, n.id desc", nil, uuidArray(ids)).Scan(ctx, &rows)
	if err != nil {
		return nil, mapError(err)
	}
	return notifications(rows), nil
}
