package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

const (
	// countedRows is how many rows of a kind are counted for the totals.
	countedRows = 10_000
	// pausesShown is how many paused push services are in the totals.
	pausesShown = 10
)

// counts are the numbers among the totals.
var counts = strings.Join([]string{
	counted("subscribers", "true", "subscribers_pkey") + " as people",
	counted("subscribers", "anonymous", "subscribers_anonymous_idx") + " as without_account",
	counted("channels", "true", "channels_pkey") + " - " +
		counted("channels", "deleted_at is not null", "channels_deleted_idx") + " as channels",
	counted("channels", "visibility = 'private' and deleted_at is null", "channels_private_idx") +
		" as private_channels",
	counted("devices", "retired_at is null", "devices_address_key") + " - " +
		counted("devices", "retired_at is null and rings_since is null", "devices_unconfirmed_idx") + " as devices",
}, ", ")

// counted counts up to countedRows rows of a table. Of more it takes what PostgreSQL estimates to be in the index,
// which has exactly these rows.
func counted(table, where, index string) string {
	return fmt.Sprintf(`(
		select case when n < %[4]d then n
			else greatest(n, (select reltuples::bigint from pg_class where oid = '%[3]s'::regclass)) end
		from (select count(*) as n from (select from %[1]s where %[2]s limit %[4]d) v) v)`,
		table, where, index, countedRows)
}

// healthTotals reads the totals. now is that of the nodes that store figures.
func healthTotals(ctx context.Context, db bun.IDB, now time.Time) (core.HealthTotals, error) {
	var row struct {
		People          int64      `bun:"people"`
		WithoutAccount  int64      `bun:"without_account"`
		Channels        int64      `bun:"channels"`
		PrivateChannels int64      `bun:"private_channels"`
		Devices         int64      `bun:"devices"`
		LastPushAt      *time.Time `bun:"last_push_at"`
	}
	err := db.NewSelect().ColumnExpr(counts).
		ColumnExpr("(select at from node_samples where accepted > 0 order by at desc limit 1) as last_push_at").
		Scan(ctx, &row)
	if err != nil {
		return core.HealthTotals{}, err
	}
	t := core.HealthTotals{
		People: row.People, WithoutAccount: row.WithoutAccount, Channels: max(0, row.Channels),
		PrivateChannels: row.PrivateChannels, Devices: max(0, row.Devices), LastPushAt: row.LastPushAt,
	}
	if err := readFailed(ctx, db, now, &t); err != nil {
		return core.HealthTotals{}, err
	}
	t.Paused, err = pausedServices(ctx, db)
	return t, err
}

// readFailed adds the pushes that failed in the last hour and day.
func readFailed(ctx context.Context, db bun.IDB, now time.Time, t *core.HealthTotals) error {
	var rows []struct {
		Cause string `bun:"cause"`
		Day   int64  `bun:"day"`
		Hour  int64  `bun:"hour"`
	}
	err := db.NewSelect().Table("node_samples").ColumnExpr("f.key as cause, sum(f.value::bigint)::bigint as day").
		ColumnExpr("coalesce(sum(f.value::bigint) filter (where at > ?), 0)::bigint as hour", now.Add(-time.Hour)).
		Join("cross join lateral jsonb_each_text(failed) f").Where("at > ?", now.Add(-24*time.Hour)).GroupExpr("1").
		Scan(ctx, &rows)
	t.FailedLastHour, t.FailedLastDay = core.Causes{}, core.Causes{}
	for _, r := range rows {
		t.FailedLastDay[r.Cause] = r.Day
		if r.Hour > 0 {
			t.FailedLastHour[r.Cause] = r.Hour
		}
	}
	return err
}

// pausedServices returns push services that are not pushed to now, by name.
func pausedServices(ctx context.Context, db bun.IDB) (paused []core.ServicePause, err error) {
	err = db.NewSelect().Table("pacers").ColumnExpr("regexp_replace(name, '^push:', '') as service").
		ColumnExpr("coalesce(pause_cause, '') as cause").
		Where("paused_until > clock_timestamp() and (name = 'fcm' or name like 'push:%')").
		OrderExpr("1").Limit(pausesShown).Scan(ctx, &paused)
	return paused, err
}
