package postgres

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// One step of a purge deletes so many notifications, or fewer that had so many devices.
const (
	purgedNotifications = 10_000
	purgedDevices       = 100_000
)

// purgeChannels deletes what channels held that were deleted, and then them, in transactions that hold up nobody.
func (s *Store) purgeChannels(ctx context.Context) error {
	for {
		if more, err := s.purge(ctx); err != nil || !more {
			return err
		}
	}
}

// purge takes one step. It reports whether there may be another; what another node is at is left to it.
func (s *Store) purge(ctx context.Context) (more bool, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := Unlimited(ctx, tx); err != nil {
			return err
		}
		var channels []core.ID
		err := tx.NewRaw("select id from channels where deleted_at is not null order by deleted_at limit 1 for update skip locked").Scan(ctx, &channels)
		if err != nil || len(channels) == 0 {
			return err
		}
		more = true
		ids, err := toPurge(ctx, tx, channels[0])
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			_, err = tx.NewRaw("delete from channels where id = ?", channels[0]).Exec(ctx)
			return err
		}
		return purgeNotifications(ctx, tx, ids)
	})
	return more, err
}

// toPurge finds a step's notifications: first those with an ordinal, which come off its index. The few others are looked
// for in the whole table, once there are no more of those.
func toPurge(ctx context.Context, tx Tx, channelID core.ID) (ids []core.ID, err error) {
	for _, first := range []string{"and ordinal is not null order by ordinal", ""} {
		err = tx.NewRaw(`
			select id from (
				select n.id, sum(coalesce(x.targeted, 0)) over (order by n.id) - coalesce(x.targeted, 0) as before
				from (select id from notifications where channel_id = ? `+first+` limit ?) n
				left join dispatches x on x.notification_id = n.id) v
			where before < ?`, channelID, purgedNotifications, purgedDevices).Scan(ctx, &ids)
		if err != nil || len(ids) > 0 {
			return ids, err
		}
	}
	return nil, nil
}

func purgeNotifications(ctx context.Context, tx Tx, ids []core.ID) error {
	for _, from := range []string{
		"delete from deliveries where notification_id = any (?::uuid[])",
		"delete from held_pushes where notification_id = any (?::uuid[])",
		"delete from notifications where id = any (?::uuid[])",
	} {
		if _, err := tx.NewRaw(from, uuidArray(ids)).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}
