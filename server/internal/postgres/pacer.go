package postgres

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Reserve takes the next n sends out of the quota, a pace shared by all nodes, and answers how long to wait before the
// first of them. While the push service is paused nothing is taken and paused is how long the pause still lasts.
// Times are the database's, so nodes need not agree on the clock.
func (s *Store) Reserve(ctx context.Context, n int, perMinute int) (wait, paused time.Duration, err error) {
	takes := time.Duration(n) * time.Minute / time.Duration(perMinute)
	var seconds float64
	err = s.db.NewRaw(`
		update pacers set next_at = greatest(next_at, clock_timestamp()) + ? * interval '1 microsecond'
		where name = 'fcm' and (paused_until is null or paused_until <= clock_timestamp())
		returning extract(epoch from next_at - ? * interval '1 microsecond' - clock_timestamp())`,
		takes.Microseconds(), takes.Microseconds()).Scan(ctx, &seconds)
	if errors.Is(err, sql.ErrNoRows) {
		paused, err = s.pausedFor(ctx)
		return 0, paused, err
	}
	return max(0, time.Duration(seconds*float64(time.Second))), 0, mapError(err)
}

func (s *Store) pausedFor(ctx context.Context) (time.Duration, error) {
	var seconds float64
	err := s.db.NewRaw("select coalesce(extract(epoch from paused_until - clock_timestamp()), 0) from pacers where name = 'fcm'").Scan(ctx, &seconds)
	return max(10*time.Millisecond, time.Duration(seconds*float64(time.Second))), mapError(err)
}

// Pause keeps every node from sending for that long.
func (s *Store) Pause(ctx context.Context, d time.Duration, cause string) error {
	_, err := s.db.NewRaw(`
		update pacers set paused_until = greatest(paused_until, clock_timestamp() + ? * interval '1 microsecond'), pause_cause = ? where name = 'fcm'`,
		d.Microseconds(), cause).Exec(ctx)
	return mapError(err)
}
