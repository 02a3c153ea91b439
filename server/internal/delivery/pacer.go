package delivery

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// pacerName returns the name under which the pace of a push service is kept.
func pacerName(service string) string {
	if service == core.ServiceFCM {
		return service
	}
	return "push:" + service
}

// reserve takes the next n sends out of the quota of a push service, a pace shared by all nodes. wait is how long to
// wait before the first of them. When that is longer than patience, or the push service is paused, reserve takes
// nothing, and later is when to try again. Times are the database's, so that the clocks of nodes need not agree.
func reserve(
	ctx context.Context, db bun.IDB, service string, n, perMinute int, patience time.Duration,
) (wait, later time.Duration, err error) {
	takes := time.Duration(n) * time.Minute / time.Duration(perMinute)
	var seconds float64
	// Raw, because it gives the row values of the database's clock.
	err = db.NewRaw(`
		insert into pacers as p (name, next_at) values (?0, clock_timestamp() + ?1 * interval '1 microsecond')
		on conflict (name) do update
		set next_at = greatest(p.next_at, clock_timestamp()) + ?1 * interval '1 microsecond'
		where (p.paused_until is null or p.paused_until <= clock_timestamp())
			and p.next_at <= clock_timestamp() + ?2 * interval '1 microsecond'
		returning extract(epoch from next_at - ?1 * interval '1 microsecond' - clock_timestamp())`,
		pacerName(service), takes.Microseconds(), patience.Microseconds()).Scan(ctx, &seconds)
	if errors.Is(err, sql.ErrNoRows) {
		later, err = closedFor(ctx, db, service, patience)
		return 0, later, err
	}
	return max(0, inSeconds(seconds)), 0, postgres.Error(err)
}

// closedFor returns how long to wait until there is something to reserve again.
func closedFor(ctx context.Context, db bun.IDB, service string, patience time.Duration) (time.Duration, error) {
	var seconds float64
	err := db.NewSelect().Table("pacers").
		ColumnExpr("extract(epoch from greatest(paused_until, next_at - ? * interval '1 microsecond') - "+
			"clock_timestamp())",
			patience.Microseconds()).
		Where("name = ?", pacerName(service)).Scan(ctx, &seconds)
	if errors.Is(err, sql.ErrNoRows) { // pruned meanwhile
		err = nil
	}
	return max(10*time.Millisecond, inSeconds(seconds)), postgres.Error(err)
}

// pause keeps every node from sending to a push service for that long.
func pause(ctx context.Context, db bun.IDB, service string, d time.Duration, cause string) error {
	// Raw, because it gives the row values of the database's clock.
	_, err := db.NewRaw(`
		insert into pacers as p (name, paused_until, pause_cause)
		values (?0, clock_timestamp() + ?1 * interval '1 microsecond', ?2)
		on conflict (name) do update
		set paused_until = greatest(p.paused_until, excluded.paused_until), pause_cause = excluded.pause_cause`,
		pacerName(service), d.Microseconds(), cause).Exec(ctx)
	return postgres.Error(err)
}

// paused returns for how long and why nothing may be sent to a push service; zero when it may.
func paused(ctx context.Context, db bun.IDB, service string) (d time.Duration, cause string, err error) {
	var seconds float64
	err = db.NewSelect().Table("pacers").
		ColumnExpr("coalesce(greatest(extract(epoch from paused_until - clock_timestamp()), 0), 0)").
		ColumnExpr("coalesce(pause_cause, '')").Where("name = ?", pacerName(service)).Scan(ctx, &seconds, &cause)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, "", nil
	}
	return inSeconds(seconds), cause, postgres.Error(err)
}

// Paused implements core.Pacer.
func (d *Dispatcher) Paused(ctx context.Context, service string) (time.Duration, string, error) {
	return paused(ctx, d.DB, service)
}

func inSeconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
