package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/core"
)

// streamLock is the advisory lock under which stream positions are given, so that whoever sees one sees all before it.
const streamLock = 0x51_4e_53_54_52_4d

// Claim takes up to limit changed notifications from the outbox and gives them their stream positions. then runs in the
// same transaction; River's jobs are inserted there, which is why this file speaks pgx and not bun.
func (s *Store) Claim(ctx context.Context, limit int, now time.Time, then func(ctx context.Context, tx pgx.Tx, claimed []core.Claimed) error) ([]core.Claimed, error) {
	var claimed []core.Claimed
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) (err error) {
		if _, err = tx.Exec(ctx, "select pg_advisory_xact_lock($1)", int64(streamLock)); err != nil {
			return err
		}
		if claimed, err = claim(ctx, tx, limit); err != nil || len(claimed) == 0 {
			return err
		}
		if err = insertDispatches(ctx, tx, claimed, now); err != nil {
			return err
		}
		return then(ctx, tx, claimed)
	})
	return claimed, mapError(err)
}

func claim(ctx context.Context, tx pgx.Tx, limit int) ([]core.Claimed, error) {
	rows, err := tx.Query(ctx, `
		with taken as (
			select id, channel_id, created_at, ordinal, stream_position is null as first
			from notifications where pending order by created_at, id limit $1 for update skip locked
		), numbered as (
			select t.id, t.first, coalesce(t.ordinal,
				row_number() over (partition by t.channel_id, t.ordinal is null order by t.created_at, t.id)
				+ coalesce((select max(o.ordinal) from notifications o where o.channel_id = t.channel_id), 0)) as ordinal
			from taken t order by t.created_at, t.id
		), placed as (
			select id, first, ordinal, nextval('stream_positions') as place from numbered
		)
		update notifications n
		set pending = false, stream_position = placed.place, position = coalesce(n.position, placed.place), ordinal = placed.ordinal
		from placed, channels c
		where n.id = placed.id and c.id = n.channel_id
		returning n.id, n.channel_id, coalesce(c.publisher_id, '00000000-0000-0000-0000-000000000000'), n.importance, placed.place,
			placed.first and n.visible and c.deleted_at is null, not placed.first and c.deleted_at is null`, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (c core.Claimed, err error) {
		err = row.Scan(&c.ID, &c.ChannelID, &c.PublisherID, &c.Importance, &c.Position, &c.New, &c.Revised)
		return c, err
	})
}

func insertDispatches(ctx context.Context, tx pgx.Tx, claimed []core.Claimed, now time.Time) error {
	var notifications, channels, publishers, importances []string
	for _, c := range claimed {
		if c.New {
			notifications, channels = append(notifications, c.ID.String()), append(channels, c.ChannelID.String())
			publishers, importances = append(publishers, c.PublisherID.String()), append(importances, string(c.Importance))
		}
	}
	if len(notifications) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `
		insert into dispatches (notification_id, channel_id, publisher_id, importance, started_at, check_at)
		select v.notification, v.channel, v.publisher, v.importance, $5, $5
		from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) v (notification, channel, publisher, importance)
		on conflict do nothing`, notifications, channels, publishers, importances, now)
	return err
}

// Release publishes what is due and takes out what has expired; it answers how many it changed.
func (s *Store) Release(ctx context.Context, now time.Time, limit int) (int, error) {
	var due, expired int
	err := s.db.NewRaw(`
		with due as (
			select n.id from notifications n join channels c on c.id = n.channel_id and c.deleted_at is null
			where n.published_at is null and n.withdrawn_at is null and n.scheduled_at <= ?
			order by n.scheduled_at limit ? for update of n skip locked
		), flipped as (
			update notifications n set published_at = ?, visible = true, pending = true from due where n.id = due.id returning n.channel_id
		), counted as (
			insert into channel_counts as k (channel_id, stripe, visible) select channel_id, ?::smallint, count(*) from flipped group by channel_id
			on conflict (channel_id, stripe) do update set visible = k.visible + excluded.visible
		)
		select count(*) from flipped`, now, limit, now, stripe()).Scan(ctx, &due)
	if err != nil {
		return 0, mapError(err)
	}
	err = s.db.NewRaw(`
		with over as (
			select id from notifications where visible and expires_at <= ? order by expires_at limit ? for update skip locked
		), flipped as (
			update notifications n set visible = false, pending = true from over where n.id = over.id returning n.channel_id
		), counted as (
			insert into channel_counts as k (channel_id, stripe, visible) select channel_id, ?::smallint, -count(*) from flipped group by channel_id
			on conflict (channel_id, stripe) do update set visible = k.visible + excluded.visible
		)
		select count(*) from flipped`, now, limit, stripe()).Scan(ctx, &expired)
	return due + expired, mapError(err)
}
