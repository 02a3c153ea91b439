package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// unusedAtOnce is how many anonymous subscribers are warned or looked for in one transaction.
const unusedAtOnce = 500

// WarnAnonymous finds the anonymous subscribers whom nobody has used for so long that they are deleted after
// core.AnonymousWarning. It calls warn with their devices, in transactions that remember that they were warned.
func (s *Store) WarnAnonymous(
	ctx context.Context, now time.Time, warn func(context.Context, Tx, []core.Device) error,
) error {
	for found := unusedAtOnce; found == unusedAtOnce; {
		err := s.tx(ctx, func(ctx context.Context, tx Tx) error {
			var ids []core.ID
			err := tx.NewSelect().TableExpr("sessions as x").ColumnExpr("x.subscriber_id").
				Join("join subscribers s on s.id = x.subscriber_id").Where("x.anonymous").
				Where("x.seen_at < ?", now.Add(core.AnonymousWarning-core.AnonymousKept)).
				Where("s.warned_at is null or s.warned_at < x.seen_at").
				Order("x.seen_at").Limit(unusedAtOnce).For("update of s skip locked").Scan(ctx, &ids)
			if found = len(ids); err != nil || found == 0 {
				return err
			}
			_, err = tx.NewUpdate().Table("subscribers").Set("warned_at = ?", now).
				Where("id = any (?::uuid[])", UUIDs(ids)).Exec(ctx)
			if err != nil {
				return err
			}
			devices, err := all(ctx, tx.NewSelect().Model((*deviceRow)(nil)).Where("retired_at is null").
				Where("subscriber_id = any (?::uuid[])", UUIDs(ids)).Order("id"), deviceRow.device)
			if err != nil {
				return err
			}
			return warn(ctx, tx, devices)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// unused selects the anonymous subscribers s whom nobody has used for core.AnonymousKept and who were warned in time,
// and those who follow nothing and whom nobody has used for a day.
func unused(q *bun.SelectQuery, now time.Time) *bun.SelectQuery {
	const used = "exists (select from sessions x where x.subscriber_id = s.id and x.seen_at >= ?)"
	return q.TableExpr("subscribers as s").ColumnExpr("s.id").Where("s.anonymous").
		Where("s.created_at < ?", now.Add(-core.EmptyAnonymousKept)).
		WhereGroup(" and ", func(q *bun.SelectQuery) *bun.SelectQuery {
			warned := now.Add(-core.AnonymousWarning)
			return q.Where("not "+used+" and s.warned_at <= ?", now.Add(-core.AnonymousKept), warned).
				WhereOr("not "+used+" and not exists (select from subscriptions f where f.subscriber_id = s.id)",
					now.Add(-core.EmptyAnonymousKept))
		})
}

// pruneAnonymous deletes the unused anonymous subscribers, each in a transaction.
func (s *Store) pruneAnonymous(ctx context.Context, now time.Time) error {
	for {
		var ids []core.ID
		if err := unused(s.db.NewSelect(), now).Limit(unusedAtOnce).Scan(ctx, &ids); err != nil {
			return Error(err)
		}
		deleted := 0
		for _, id := range ids {
			isGone, err := s.deleteUnused(ctx, id, now)
			if err != nil {
				return err
			}
			if isGone {
				deleted++
			}
		}
		if deleted == 0 {
			return nil
		}
	}
}

// deleteUnused deletes an anonymous subscriber unless somebody uses them now: with their sessions locked, nobody can.
func (s *Store) deleteUnused(ctx context.Context, id core.ID, now time.Time) (isGone bool, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		var locked []core.ID
		for _, lock := range []*bun.SelectQuery{
			tx.NewSelect().Table("subscribers").Column("id").Where("id = ?", id).For("update"),
			tx.NewSelect().Table("sessions").Column("id").Where("subscriber_id = ?", id).For("update"),
		} {
			if err := lock.Scan(ctx, &locked); err != nil {
				return err
			}
		}
		isGone, err = unused(tx.NewSelect(), now).Where("s.id = ?", id).Exists(ctx)
		if err != nil || !isGone {
			return err
		}
		_, err = erase(ctx, tx, id)
		return err
	})
	return isGone, err
}
