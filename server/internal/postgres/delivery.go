package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/core"
)

// DispatchLoad tells how many devices are to be pushed for a channel's notification: its followers, and what the same
// publisher's notifications of the last minute were for.
func (s *Store) DispatchLoad(ctx context.Context, channelID, publisherID core.ID, now time.Time) (int64, error) {
	var n int64
	err := s.db.NewRaw(`
		select (select coalesce(sum(subscribers), 0) from channel_counts where channel_id = ?)
		     + (select coalesce(sum(targeted), 0) from dispatches where publisher_id = ? and started_at > ?)`,
		channelID, publisherID, now.Add(-time.Minute)).Scan(ctx, &n)
	return n, mapError(err)
}

// PushedNotification finds a notification for its dispatch, visible or not.
func (s *Store) PushedNotification(ctx context.Context, id core.ID) (core.Notification, error) {
	return notificationWhere(ctx, s.db, nil, "n.id = ?", id)
}

// joinSlack admits devices that were registered while a publish was under way, whatever the nodes' clocks say.
const joinSlack = time.Minute

// Expand finds the next page of devices for a dispatch, in one transaction with what then does with those that judge
// does not suppress. Where the search stands is kept with the dispatch and locked, so that a job which runs twice
// finds every device once. It reports whether that was the last page.
func (s *Store) Expand(ctx context.Context, n core.Notification, page int, now time.Time,
	judge func(core.Target) (cause string), then func(ctx context.Context, tx pgx.Tx, wanted []core.ID) error) (last bool, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		at, done, err := lockSearch(ctx, tx, n.ID)
		if err != nil || done {
			last = done
			return err
		}
		targets, err := at.next(ctx, tx, n, page)
		if err != nil {
			return err
		}
		last = len(targets) < page
		wanted, suppressed := split(targets, judge)
		if err := record(ctx, tx, n.ID, suppressed, now); err != nil {
			return err
		}
		if err := then(ctx, tx, wanted); err != nil {
			return err
		}
		return at.save(ctx, tx, n.ID, len(targets), last, now)
	})
	return last, mapError(err)
}

// search is how far the search for a dispatch's devices is.
type search struct{ subscriber, device core.ID }

func lockSearch(ctx context.Context, tx pgx.Tx, id core.ID) (at search, done bool, err error) {
	err = tx.QueryRow(ctx, "select last_subscriber, last_device, expanded_at is not null from dispatches where notification_id = $1 for update", id).
		Scan(&at.subscriber, &at.device, &done)
	return at, done, err
}

func (at *search) next(ctx context.Context, tx pgx.Tx, n core.Notification, page int) ([]core.Target, error) {
	rows, err := tx.Query(ctx, `
		select d.id, d.subscriber_id, s.bell, s.muted_until
		from subscriptions s join devices d on d.subscriber_id = s.subscriber_id and d.retired_at is null
		where s.channel_id = $1 and s.subscriber_id >= $2 and (s.subscriber_id > $2 or d.id > $3)
		  and s.followed_at <= $4 and d.created_at <= $4
		order by s.subscriber_id, d.id limit $5`, n.Channel.ID, at.subscriber, at.device, n.PublishedAt.Add(joinSlack), page)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (t core.Target, err error) {
		err = row.Scan(&t.DeviceID, &at.subscriber, &t.Bell, &t.MutedUntil)
		at.device = t.DeviceID
		return t, err
	})
}

func (at *search) save(ctx context.Context, tx pgx.Tx, id core.ID, found int, last bool, now time.Time) error {
	_, err := tx.Exec(ctx, `
		update dispatches set targeted = targeted + $2, last_subscriber = $3, last_device = $4,
			expanded_at = case when $5::boolean then $6::timestamptz end
		where notification_id = $1`, id, found, at.subscriber, at.device, last, now)
	return err
}

func split(targets []core.Target, judge func(core.Target) string) (wanted []core.ID, suppressed []core.Delivery) {
	for _, t := range targets {
		if cause := judge(t); cause != "" {
			suppressed = append(suppressed, core.Delivery{DeviceID: t.DeviceID, Outcome: core.Suppressed, Cause: cause})
		} else {
			wanted = append(wanted, t.DeviceID)
		}
	}
	return wanted, suppressed
}

// Undelivered finds those of the devices that have no outcome for the notification yet.
func (s *Store) Undelivered(ctx context.Context, notificationID core.ID, devices []core.ID) ([]core.Address, error) {
	var out []core.Address
	err := s.db.NewRaw(`
		select d.id as device_id, d.address, d.retired_at is not null as retired
		from unnest(?::uuid[]) w (id) join devices d on d.id = w.id
		where not exists (select from deliveries v where v.notification_id = ? and v.device_id = w.id)`,
		uuidArray(devices), notificationID).Scan(ctx, &out)
	return out, mapError(err)
}

// Record keeps outcomes, each device's first, and retires the devices that are gone.
func (s *Store) Record(ctx context.Context, notificationID core.ID, deliveries []core.Delivery, now time.Time) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return record(ctx, tx, notificationID, deliveries, now) })
	return mapError(err)
}

func record(ctx context.Context, tx pgx.Tx, notificationID core.ID, deliveries []core.Delivery, now time.Time) error {
	if len(deliveries) == 0 {
		return nil
	}
	devices, outcomes, causes := make([]core.ID, len(deliveries)), make([]string, len(deliveries)), make([]string, len(deliveries))
	var gone []core.ID
	for i, d := range deliveries {
		devices[i], outcomes[i], causes[i] = d.DeviceID, string(d.Outcome), d.Cause
		if d.Retire {
			gone = append(gone, d.DeviceID)
		}
	}
	_, err := tx.Exec(ctx, `
		insert into deliveries (notification_id, device_id, outcome, cause, at)
		select $1, v.device, v.outcome, nullif(v.cause, ''), $5 from unnest($2::uuid[], $3::text[], $4::text[]) v (device, outcome, cause)
		on conflict do nothing`, notificationID, idTexts(devices), outcomes, causes, now)
	if err != nil || len(gone) == 0 {
		return err
	}
	_, err = tx.Exec(ctx, "update devices set retired_at = $2, retired_cause = $3 where id = any($1::uuid[]) and retired_at is null",
		idTexts(gone), now, core.RetiredUnregistered)
	return err
}
