package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

const (
	// reachSample is about how many of a channel's followers are looked at, where they are at least twice as many.
	reachSample = 10_000
	// reachScanned bounds the entries of the index from which the sample is taken.
	reachScanned = 1_000_000
)

// Reach implements core.DeliverySummaryStore. Up to twice reachSample followers are counted. Of more it
// looks at those whose id has certain hashes, always the same, and scales what it counts.
func (s *Store) Reach(ctx context.Context, channelID core.ID, now time.Time) (core.Reach, error) {
	rows, err := Hot[reachRow](ctx, s.db, channelReach, channelID, now, reachSample, reachScanned)
	if err != nil {
		return core.Reach{}, Error(err)
	}
	row := rows[0]
	r := core.Reach{Followers: row.Followers, ByBell: map[core.Bell]int64{}, Sampled: row.Sampled < row.Followers}
	for bell, people := range map[core.Bell]int64{core.BellAll: row.AllBell, core.BellImportant: row.ImportantBell,
		core.BellDigest: row.DigestBell, core.BellNone: row.NoneBell} {
		if people > 0 {
			r.ByBell[bell] = people * row.Followers / row.Sampled
		}
	}
	return r, nil
}

// reachRow counts the followers of a channel, those in the sample, and those of these who are reached, by bell.
type reachRow struct {
	Followers, Sampled                           int64
	AllBell, ImportantBell, DigestBell, NoneBell int64
}

// channelReach reads the index of a channel's followers, and of a sample of them the bells and the devices.
const channelReach = `
	with channel as (
		select coalesce(sum(subscribers), 0)::bigint as followers from channel_counts where channel_id = $1
	), sample as materialized (
		select f.subscriber_id from (
			select subscriber_id from subscriptions where channel_id = $1 limit $4) f
		where uuid_hash_extended(f.subscriber_id, 0) % greatest(1, (select least(followers, $4) from channel) / $3) = 0
	)
	select (select followers from channel) as followers, count(*) as sampled,
		count(*) filter (where v.reached and v.bell = 'all') as all_bell,
		count(*) filter (where v.reached and v.bell = 'important') as important_bell,
		count(*) filter (where v.reached and v.bell = 'digest') as digest_bell,
		count(*) filter (where v.reached and v.bell = 'none') as none_bell
	from sample k cross join lateral (
		select s.bell, (s.muted_until is null or s.muted_until <= $2) and exists (
			select from devices d
			where d.subscriber_id = k.subscriber_id and d.retired_at is null and d.rings_since is not null) as reached
		from subscriptions s where s.subscriber_id = k.subscriber_id and s.channel_id = $1 offset 0) v`
