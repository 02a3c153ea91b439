package postgres

import (
	"context"
	"database/sql"
	"errors"

	"github.com/sininho/sininho/server/internal/core"
)

// The limits of one step of a purge: how many notifications, and to how many devices they were sent.
const (
	purgedNotifications = 10_000
	purgedDevices       = 100_000
)

// purgeChannels deletes the notifications of deleted channels and then the channels, in short transactions.
func (s *Store) purgeChannels(ctx context.Context) error {
	for {
		if more, err := s.purge(ctx); err != nil || !more {
			return err
		}
	}
}

// purge takes one step and reports whether more may follow. It skips a channel that another node is purging.
func (s *Store) purge(ctx context.Context) (more bool, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := Unlimited(ctx, tx); err != nil {
			return err
		}
		var channel channelRow
		err := tx.NewSelect().Model(&channel).Column("id").Where("deleted_at IS NOT NULL").
			Order("deleted_at").Limit(1).For("UPDATE SKIP LOCKED").Scan(ctx)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		more = true
		ids, err := toPurge(ctx, tx, channel.ID)
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			_, err = tx.NewDelete().Model(&channel).WherePK().Exec(ctx)
			return err
		}
		return purgeNotifications(ctx, tx, ids)
	})
	return more, err
}

// toPurge returns the notifications of one step: those with an ordinal first, which an index finds. The few others need
// a scan of the table, after all of those. It is raw because it limits a running sum.
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
	for _, table := range []string{"delivery_batches", "held_pushes", "dispatches"} {
		_, err := tx.NewDelete().Table(table).Where("notification_id = ANY (?::uuid[])", UUIDs(ids)).Exec(ctx)
		if err != nil {
			return err
		}
	}
	_, err := tx.NewDelete().Table("notifications").Where("id = ANY (?::uuid[])", UUIDs(ids)).Exec(ctx)
	return err
}
