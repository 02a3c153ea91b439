package postgres

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/core"
)

// PushedNotification finds a notification for its dispatch, visible or not.
func (s *Store) PushedNotification(ctx context.Context, id core.ID) (core.Notification, error) {
	return notificationWhere(ctx, s.db, nil, "n.id = ?", id)
}

// joinSlack admits devices that were registered just before a dispatch started, whatever the nodes' clocks say.
const joinSlack = time.Minute

// Expand finds the next devices for each of the notifications, at most perNotification, in one transaction with what then
// does with those that are to be pushed. Where each search stands is kept with its dispatch and locked, so that a job
// which runs twice finds every device once. It answers those whose search is not over.
func (s *Store) Expand(ctx context.Context, notifications []core.ID, perNotification int, now time.Time,
	then func(ctx context.Context, tx pgx.Tx, wanted []core.Wanted) error) (unfinished []core.ID, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		searches, err := lockSearches(ctx, tx, notifications)
		if err != nil || len(searches) == 0 {
			return err
		}
		targets, err := searches.next(ctx, tx, perNotification)
		if err != nil {
			return err
		}
		wanted, suppressed, held := split(targets, now)
		if err := record(ctx, tx, suppressed, now); err != nil {
			return err
		}
		if err := held.insert(ctx, tx); err != nil {
			return err
		}
		if err := loads(ctx, tx, wanted, now); err != nil {
			return err
		}
		if err := then(ctx, tx, wanted); err != nil {
			return err
		}
		over, err := searches.save(ctx, tx, perNotification, now)
		if err != nil {
			return err
		}
		for id := range searches {
			if !slices.Contains(over, id) {
				unfinished = append(unfinished, id)
			}
		}
		return tellDispatched(ctx, tx, over, now)
	})
	return unfinished, mapError(err)
}

// searches are those for the devices of some dispatches, by notification.
type searches map[core.ID]*search

// search is how far one is, and how many devices it has found just now.
type search struct {
	subscriber, device core.ID
	found              int
}

// lockSearches locks those of the searches that are not over.
func lockSearches(ctx context.Context, tx pgx.Tx, notifications []core.ID) (searches, error) {
	rows, err := tx.Query(ctx, `
		select notification_id, last_subscriber, last_device from dispatches
		where notification_id = any($1::uuid[]) and expanded_at is null order by notification_id for update`, idTexts(notifications))
	if err != nil {
		return nil, err
	}
	all := searches{}
	var id core.ID
	var at search
	_, err = pgx.ForEachRow(rows, []any{&id, &at.subscriber, &at.device}, func() error {
		all[id] = new(at)
		return nil
	})
	return all, err
}

func (all searches) next(ctx context.Context, tx pgx.Tx, perNotification int) ([]core.Target, error) {
	rows, err := tx.Query(ctx, `
		select x.notification_id, d.id, x.importance, d.bell, d.muted_until, d.subscriber_id,
			to_char(q.quiet_start, 'HH24:MI'), to_char(q.quiet_end, 'HH24:MI'), q.timezone
		from dispatches x cross join lateral (
			select d.id, d.subscriber_id, s.bell, s.muted_until
			from subscriptions s join devices d on d.subscriber_id = s.subscriber_id and d.retired_at is null
			where s.channel_id = x.channel_id and s.subscriber_id >= x.last_subscriber
			  and (s.subscriber_id > x.last_subscriber or d.id > x.last_device)
			  and s.followed_at <= x.started_at + $2::interval and d.created_at <= x.started_at + $2::interval
			order by s.subscriber_id, d.id limit $3) d
		left join subscribers q on q.id = d.subscriber_id and q.quiet_start is not null
		where x.notification_id = any($1::uuid[])
		order by x.notification_id, d.subscriber_id, d.id`, idTexts(slices.Collect(maps.Keys(all))), joinSlack, perNotification)
	if err != nil {
		return nil, err
	}
	timezones := map[string]*time.Location{}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (t core.Target, err error) {
		var subscriber core.ID
		var start, end, timezone *string
		if err = row.Scan(&t.NotificationID, &t.DeviceID, &t.Importance, &t.Bell, &t.MutedUntil, &subscriber, &start, &end, &timezone); err != nil {
			return t, err
		}
		if start != nil {
			t.Quiet, t.Timezone, err = quietHours(*start, *end, *timezone, timezones)
		}
		if at := all[t.NotificationID]; at != nil {
			at.subscriber, at.device = subscriber, t.DeviceID
			at.found++
		}
		return t, err
	})
}

// save keeps where the searches are; those that found less than they might have are over.
func (all searches) save(ctx context.Context, tx pgx.Tx, perNotification int, now time.Time) (over []core.ID, err error) {
	var ids, subscribers, devices []string
	var found []int
	for id, at := range all {
		ids, subscribers = append(ids, id.String()), append(subscribers, at.subscriber.String())
		devices, found = append(devices, at.device.String()), append(found, at.found)
		if at.found < perNotification {
			over = append(over, id)
		}
	}
	_, err = tx.Exec(ctx, `
		update dispatches x set targeted = x.targeted + v.found, last_subscriber = v.subscriber, last_device = v.device,
			expanded_at = case when v.found < $5 then $6::timestamptz end
		from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::integer[]) v (id, subscriber, device, found)
		where x.notification_id = v.id`, ids, subscribers, devices, found, perNotification, now)
	return over, err
}

func quietHours(start, end, timezone string, known map[string]*time.Location) (q *core.QuietHours, l *time.Location, err error) {
	q = &core.QuietHours{}
	if q.Start, err = core.ParseTimeOfDay(start); err != nil {
		return nil, nil, err
	}
	if q.End, err = core.ParseTimeOfDay(end); err != nil {
		return nil, nil, err
	}
	l, ok := known[timezone]
	if !ok {
		l = zone(timezone)
		known[timezone] = l
	}
	return q, l, nil
}

// zone is UTC where this node does not know the one that another node took: it must not hold up everybody's pushes.
func zone(name string) *time.Location {
	if l, err := time.LoadLocation(name); err == nil {
		return l
	}
	return time.UTC
}

// split sorts targets, which are ordered by notification, by what the bell and the quiet hours say.
func split(targets []core.Target, now time.Time) (wanted []core.Wanted, suppressed []core.Delivery, held heldPushes) {
	for _, t := range targets {
		if cause := t.Suppression(now); cause != "" {
			suppressed = append(suppressed, core.Delivery{NotificationID: t.NotificationID, DeviceID: t.DeviceID, Outcome: core.Suppressed, Cause: cause})
			continue
		}
		if until := t.HeldUntil(now); !until.IsZero() {
			held.add(t.NotificationID, t.DeviceID, until)
			continue
		}
		if len(wanted) == 0 || wanted[len(wanted)-1].NotificationID != t.NotificationID {
			wanted = append(wanted, core.Wanted{NotificationID: t.NotificationID})
		}
		w := &wanted[len(wanted)-1]
		w.Devices = append(w.Devices, t.DeviceID)
	}
	return wanted, suppressed, held
}

// loads fills in the load of each.
func loads(ctx context.Context, tx pgx.Tx, wanted []core.Wanted, now time.Time) error {
	if len(wanted) == 0 {
		return nil
	}
	ids, at := make([]string, len(wanted)), map[core.ID]*core.Wanted{}
	for i := range wanted {
		ids[i], at[wanted[i].NotificationID] = wanted[i].NotificationID.String(), &wanted[i]
	}
	rows, err := tx.Query(ctx, `
		with these as (
			select notification_id, publisher_id, channel_id from dispatches where notification_id = any($1::uuid[])
		), recent as (
			select publisher_id, sum(targeted) as devices from dispatches
			where publisher_id in (select publisher_id from these) and started_at > $2 and targeted > 0 group by publisher_id
		)
		select t.notification_id, (coalesce(r.devices, 0) + (
			select coalesce(sum(k.subscribers), 0) from channel_counts k where k.channel_id = t.channel_id))::bigint
		from these t left join recent r using (publisher_id)`, ids, now.Add(-time.Minute))
	if err != nil {
		return err
	}
	var id core.ID
	var load int64
	_, err = pgx.ForEachRow(rows, []any{&id, &load}, func() error {
		at[id].Load = load
		return nil
	})
	return err
}

// Undelivered finds those of the devices that have no outcome for the notification yet. Those of a person who has deleted
// their account count as retired.
func (s *Store) Undelivered(ctx context.Context, notificationID core.ID, devices []core.ID) ([]core.Address, error) {
	var out []core.Address
	err := s.db.NewRaw(`
		select w.id as device_id, coalesce(d.address, '') as address, d.id is null or d.retired_at is not null as retired
		from unnest(?::uuid[]) w (id) left join devices d on d.id = w.id
		where not exists (select from deliveries v where v.notification_id = ? and v.device_id = w.id)`,
		uuidArray(devices), notificationID).Scan(ctx, &out)
	return out, mapError(err)
}

// Record keeps outcomes, each device's first, and retires the devices that are gone.
func (s *Store) Record(ctx context.Context, deliveries []core.Delivery, now time.Time) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return record(ctx, tx, deliveries, now) })
	return mapError(err)
}

func record(ctx context.Context, tx pgx.Tx, deliveries []core.Delivery, now time.Time) error {
	if len(deliveries) == 0 {
		return nil
	}
	n := len(deliveries)
	notifications, devices, outcomes, causes := make([]core.ID, n), make([]core.ID, n), make([]string, n), make([]string, n)
	var gone []string
	for i, d := range deliveries {
		notifications[i], devices[i], outcomes[i], causes[i] = d.NotificationID, d.DeviceID, string(d.Outcome), d.Cause
		if d.Gone != "" {
			gone = append(gone, d.Gone)
		}
	}
	_, err := tx.Exec(ctx, `
		insert into deliveries (notification_id, device_id, outcome, cause, at)
		select v.notification, v.device, v.outcome, nullif(v.cause, ''), $5
		from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) v (notification, device, outcome, cause)
		on conflict do nothing`, idTexts(notifications), idTexts(devices), outcomes, causes, now)
	if err != nil {
		return err
	}
	return retire(ctx, tx, gone, now)
}

// retire retires the devices at addresses where there are none any more.
func retire(ctx context.Context, tx pgx.Tx, gone []string, now time.Time) error {
	if len(gone) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, retireAddresses, gone, now, core.RetiredUnregistered)
	return err
}

// retireAddresses goes by the address and not by the device, which may have another by now.
const retireAddresses = "update devices set retired_at = $2, retired_cause = $3 where address = any($1::text[]) and retired_at is null"
