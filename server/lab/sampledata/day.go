package sampledata

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sininho/sininho/server/internal/core"
)

// growthDays is over how many days a channel gains the followers that Grow gives it.
const growthDays = 30

// Grow makes people without devices follow a channel: some have done so for long, and others, more from day to day,
// since the last month.
func Grow(ctx context.Context, pool *pgxpool.Pool, channel core.ID, before, gained int) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		for _, statement := range []struct {
			sql  string
			args []any
		}{
			{grow, []any{channel, before, gained, growthDays}},
			{"delete from channel_days where channel_id = $1", []any{channel}},
			{recordDays + " and channel_id = $2" + groupDays, []any{core.FollowerDaysShown, channel}},
			{"update channels set followers_since = followers_since - $2::integer where id = $1",
				[]any{channel, core.FollowerDaysShown}},
		} {
			if _, err := tx.Exec(ctx, statement.sql, statement.args...); err != nil {
				return err
			}
		}
		return nil
	})
}

// grow makes $2 people follow channel $1 for longer than $4 days, and $3 people since then.
const grow = `
	with people as (
		insert into subscribers (id, email, name, locale, timezone)
		select gen_random_uuid(), 'seguidor@example.com', 'Seguidor', 'pt', 'Europe/Lisbon'
		from generate_series(1, $2::integer + $3::integer) returning id
	), followed as (
		insert into subscriptions (subscriber_id, channel_id, bell, followed_at, read_ordinal, read_at)
		select id, $1::uuid, 'all', now() - case
			when n > $3::integer then make_interval(days => $4::integer + (n - $3::integer)::integer)
			else power((n - 0.5) / $3::integer, 1.5) * make_interval(days => $4::integer) end, 0, now()
		from (select id, row_number() over () as n from people) p
	)
	insert into channel_counts as k (channel_id, stripe, subscribers) values ($1, 0, $2::bigint + $3::bigint)
	on conflict (channel_id, stripe) do update set subscribers = k.subscribers + excluded.subscribers`

// recordDays records the subscriptions that began in the last $1 days as the changes of these days.
const (
	recordDays = `
	insert into channel_days (channel_id, day, stripe, change)
	select channel_id, (followed_at at time zone 'utc')::date, 0, count(*) from subscriptions
	where followed_at > now() - make_interval(days => $1)`
	groupDays = " group by channel_id, (followed_at at time zone 'utc')::date"
)
