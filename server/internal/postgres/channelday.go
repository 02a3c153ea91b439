package postgres

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// ChannelFollowers implements core.ChannelStore. The table has changes, which are subtracted from the present number,
// so a day is exact however many changes are deleted before it.
func (s *Store) ChannelFollowers(ctx context.Context, channelID core.ID, days int) ([]core.FollowerDay, error) {
	rows, err := Hot[core.FollowerDay](ctx, s.db, channelFollowers, channelID, days)
	if err == nil && len(rows) == 0 {
		err = core.NotFound()
	}
	return rows, Error(err)
}

// today is the present day, as the database's trigger has it.
const today = `(now() at time zone 'utc')::date`

// channelFollowers is one statement, so that the number and its changes are of the same moment.
const channelFollowers = `
	with changes as (
		select day, sum(change) as change from channel_days
		where channel_id = $1 and day > ` + today + ` - $2::integer group by day
	)
	select ` + today + ` - v.ago as day,
		(k.followers - coalesce(sum(d.change) over (order by v.ago rows between unbounded preceding and 1 preceding), 0)
		)::bigint as followers
	from channels c
	cross join lateral (
		select coalesce(sum(subscribers), 0) as followers from channel_counts where channel_id = c.id) k
	cross join lateral generate_series(
		0, greatest(least($2::integer - 1, ` + today + ` - c.followers_since), 0)) v (ago)
	left join changes d on d.day = ` + today + ` - v.ago
	where c.id = $1 and c.deleted_at is null
	order by day`

// gainedFollowers joins, as t, how many followers each channel has gained in the last days.
const gainedFollowers = `LEFT JOIN (
		SELECT channel_id, sum(change) AS gained FROM channel_days WHERE day > ` + today + ` - 7 GROUP BY channel_id
	) AS t ON t.channel_id = c.id`

// mergeDays puts the stripes of each recent day into one. Nobody changes the days before yesterday anymore.
func mergeDays(ctx context.Context, tx Tx) error {
	// Raw, because the rows to insert are those that the same statement deletes.
	_, err := tx.NewRaw(`
		with merged as (
			delete from channel_days where stripe > 0 and day > ` + today + ` - 9 and day < ` + today + ` - 1
			returning channel_id, day, change
		)
		insert into channel_days as d (channel_id, day, stripe, change)
		select channel_id, day, 0, sum(change) from merged group by channel_id, day order by channel_id, day
		on conflict (channel_id, day, stripe) do update set change = d.change + excluded.change`).Exec(ctx)
	return err
}
