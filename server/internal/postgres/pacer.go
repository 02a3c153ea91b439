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
// others waiting, and wait is how long to wait for it. When that is longer than patience, Reserve takes none. Times are
// the database's, so that the clocks of nodes need not agree.
func Reserve(
	ctx context.Context, db bun.IDB, name string, takes, patience time.Duration,
) (wait time.Duration, inTime bool, err error) {
	var seconds float64
	err = db.NewInsert().Model(&pacerRow{Name: name}).
		Value("next_at", "clock_timestamp() + ? * interval '1 microsecond'", takes.Microseconds()).
		On("conflict (name) do update").
		Set("next_at = greatest(p.next_at, clock_timestamp()) + ? * interval '1 microsecond'", takes.Microseconds()).
		Where("p.next_at <= clock_timestamp() + ? * interval '1 microsecond'", patience.Microseconds()).
		Returning("extract(epoch from next_at - ? * interval '1 microsecond' - clock_timestamp())",
			takes.Microseconds()).
		Scan(ctx, &seconds)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return max(0, time.Duration(seconds*float64(time.Second))), err == nil, Error(err)
}

// giveBack returns a turn that Reserve has taken.
func giveBack(ctx context.Context, db bun.IDB, name string, takes time.Duration) error {
	_, err := db.NewUpdate().Model((*pacerRow)(nil)).
		Set("next_at = next_at - ? * interval '1 microsecond'", takes.Microseconds()).Where("name = ?", name).Exec(ctx)
	return err
}
