package postgres

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"
)

type pacerRow struct {
	bun.BaseModel `bun:"table:pacers,alias:p"`

	Name   string    `bun:"name,pk"`
	NextAt time.Time `bun:"next_at"`
}

// Reserve takes the next turn at a pace that all nodes share, and which is named. takes is how long the turn keeps
// others waiting, and wait is how long to wait for it. When that is longer than patience, or the pace is paused,
// Reserve takes none. Times are the database's, so that the clocks of nodes need not agree.
func Reserve(
	ctx context.Context, db bun.IDB, name string, takes, patience time.Duration,
) (wait time.Duration, inTime bool, err error) {
	var seconds float64
	err = db.NewInsert().Model(&pacerRow{Name: name}).
		Value("next_at", "clock_timestamp() + ? * interval '1 microsecond'", takes.Microseconds()).
		On("conflict (name) do update").
		Set("next_at = greatest(p.next_at, clock_timestamp()) + ? * interval '1 microsecond'", takes.Microseconds()).
		Where("p.next_at <= clock_timestamp() + ? * interval '1 microsecond'", patience.Microseconds()).
		Where("p.paused_until is null or p.paused_until <= clock_timestamp()").
		Returning("extract(epoch from next_at - ? * interval '1 microsecond' - clock_timestamp())",
			takes.Microseconds()).
		Scan(ctx, &seconds)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return max(0, InSeconds(seconds)), err == nil, Error(err)
}

// UntilReservable returns how long to wait until Reserve, which has taken no turn, may take one.
func UntilReservable(ctx context.Context, db bun.IDB, name string, patience time.Duration) (time.Duration, error) {
	var seconds float64
	err := db.NewSelect().Model((*pacerRow)(nil)).
		ColumnExpr("extract(epoch from greatest(paused_until, next_at - ? * interval '1 microsecond') - "+
			"clock_timestamp())", patience.Microseconds()).
		Where("name = ?", name).Scan(ctx, &seconds)
	if errors.Is(err, sql.ErrNoRows) { // pruned meanwhile
		err = nil
	}
	return max(10*time.Millisecond, InSeconds(seconds)), Error(err)
}

// giveBack returns a turn that Reserve has taken.
func giveBack(ctx context.Context, db bun.IDB, name string, takes time.Duration) error {
	_, err := db.NewUpdate().Model((*pacerRow)(nil)).
		Set("next_at = next_at - ? * interval '1 microsecond'", takes.Microseconds()).Where("name = ?", name).Exec(ctx)
	return err
}

// Pause keeps all nodes from taking turns for that long, unless a longer pause is under way.
func Pause(ctx context.Context, db bun.IDB, name string, d time.Duration, cause string) error {
	_, err := db.NewInsert().Model(&pacerRow{Name: name}).Column("name").
		Value("paused_until", "clock_timestamp() + ? * interval '1 microsecond'", d.Microseconds()).
		Value("pause_cause", "?", cause).
		On("conflict (name) do update").
		Set("paused_until = greatest(p.paused_until, excluded.paused_until)").
		Set("pause_cause = excluded.pause_cause").Exec(ctx)
	return Error(err)
}

// Paused returns for how long and why no turns are taken; zero when they are.
func Paused(ctx context.Context, db bun.IDB, name string) (d time.Duration, cause string, err error) {
	var seconds float64
	err = db.NewSelect().Model((*pacerRow)(nil)).
		ColumnExpr("coalesce(greatest(extract(epoch from paused_until - clock_timestamp()), 0), 0)").
		ColumnExpr("coalesce(pause_cause, '')").Where("name = ?", name).Scan(ctx, &seconds, &cause)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, "", nil
	}
	return InSeconds(seconds), cause, Error(err)
}

// Resume ends a pause.
func Resume(ctx context.Context, db bun.IDB, name string) error {
	_, err := db.NewUpdate().Model((*pacerRow)(nil)).Set("paused_until = null").Set("pause_cause = null").
		Where("name = ?", name).Exec(ctx)
	return Error(err)
}

// Pauses returns for how long each of up to most paces is paused, by their names.
func Pauses(ctx context.Context, db bun.IDB, most int) (map[string]time.Duration, error) {
	var rows []struct {
		Name    string  `bun:"name"`
		Seconds float64 `bun:"seconds"`
	}
	err := db.NewSelect().Model((*pacerRow)(nil)).Column("name").
		ColumnExpr("extract(epoch from paused_until - clock_timestamp())::float8 as seconds").
		Where("paused_until > clock_timestamp()").Limit(int64(most)).Scan(ctx, &rows)
	left := make(map[string]time.Duration, len(rows))
	for _, r := range rows {
		left[r.Name] = InSeconds(r.Seconds)
	}
	return left, Error(err)
}

// InSeconds returns a number of seconds, which is what the database computes, as a duration.
func InSeconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
