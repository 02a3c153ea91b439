package delivery

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/postgres"
)

// reserve takes the next n sends out of the quota, a pace shared by all nodes. wait is how long to wait before the
// first of them. When that is longer than patience, or the push service is paused, reserve takes nothing, and later is
// when to try again. Times are the database's, so that the clocks of nodes need not agree.
func reserve(
	ctx context.Context, db bun.IDB, n, perMinute int, patience time.Duration,
) (wait, later time.Duration, err error) {
	takes := time.Duration(n) * time.Minute / time.Duration(perMinute)
	var seconds float64
	err = db.NewUpdate().Table("pacers").
		Set("next_at = greatest(next_at, clock_timestamp()) + ? * interval '1 microsecond'", takes.Microseconds()).
		Where("name = 'fcm'").Where("(paused_until is null or paused_until <= clock_timestamp())").
		Where("next_at <= clock_timestamp() + ? * interval '1 microsecond'", patience.Microseconds()).
		Returning("extract(epoch from next_at - ? * interval '1 microsecond' - clock_timestamp())",
			takes.Microseconds()).
		Scan(ctx, &seconds)
	if errors.Is(err, sql.ErrNoRows) {
		later, err = closedFor(ctx, db, patience)
		return 0, later, err
	}
	return max(0, inSeconds(seconds)), 0, postgres.Error(err)
}

// closedFor returns how long to wait until there is something to reserve again.
func closedFor(ctx context.Context, db bun.IDB, patience time.Duration) (time.Duration, error) {
	var seconds float64
	err := db.NewSelect().Table("pacers").
		ColumnExpr("extract(epoch from greatest(paused_until, next_at - ? * interval '1 microsecond') - "+
			"clock_timestamp())",
			patience.Microseconds()).
		Where("name = 'fcm'").Scan(ctx, &seconds)
	return max(10*time.Millisecond, inSeconds(seconds)), postgres.Error(err)
}

// pause keeps every node from sending for that long.
func pause(ctx context.Context, db bun.IDB, d time.Duration, cause string) error {
	_, err := db.NewUpdate().Table("pacers").
		Set("paused_until = greatest(paused_until, clock_timestamp() + ? * interval '1 microsecond')",
			d.Microseconds()).
		Set("pause_cause = ?", cause).Where("name = 'fcm'").Exec(ctx)
	return postgres.Error(err)
}

// paused returns for how long and why nothing may be sent; zero when it may.
func paused(ctx context.Context, db bun.IDB) (d time.Duration, cause string, err error) {
	var seconds float64
	err = db.NewSelect().Table("pacers").
		ColumnExpr("coalesce(greatest(extract(epoch from paused_until - clock_timestamp()), 0), 0)").
		ColumnExpr("coalesce(pause_cause, '')").Where("name = 'fcm'").Scan(ctx, &seconds, &cause)
	return inSeconds(seconds), cause, postgres.Error(err)
}

// Paused implements core.Pacer.
func (d *Dispatcher) Paused(ctx context.Context) (time.Duration, string, error) {
	return paused(ctx, d.DB)
}

func inSeconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
