package postgres

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Reserve takes the next n sends out of the quota, a pace shared by all nodes, and answers how long to wait before the
// first of them. When that is longer than patience, or the push service is paused, nothing is taken, and later is when to
// ask again. Times are the database's, so nodes need not agree on the clock.
func (s *Store) Reserve(ctx context.Context, n int, perMinute int, patience time.Duration) (wait, later time.Duration, err error) {
	takes := time.Duration(n) * time.Minute / time.Duration(perMinute)
	var seconds float64
	err = s.db.NewRaw(`
		update pacers set next_at = greatest(next_at, clock_timestamp()) + ? * interval '1 microsecond'
		where name = 'fcm' and (paused_until is null or paused_until <= clock_timestamp())
			and next_at <= clock_timestamp() + ? * interval '1 microsecond'
		returning extract(epoch from next_at - ? * interval '1 microsecond' - clock_timestamp())`,
		takes.Microseconds(), patience.Microseconds(), takes.Microseconds()).Scan(ctx, &seconds)
	if errors.Is(err, sql.ErrNoRows) {
		later, err = s.closedFor(ctx, patience)
		return 0, later, err
	}
	return max(0, time.Duration(seconds*float64(time.Second))), 0, mapError(err)
}

// closedFor tells when there will be something to reserve again.
func (s *Store) closedFor(ctx context.Context, patience time.Duration) (time.Duration, error) {
	var seconds float64
	err := s.db.NewRaw(`
		select extract(epoch from greatest(paused_until, next_at - ? * interval '1 microsecond') - clock_timestamp())
		from pacers where name = 'fcm'`, patience.Microseconds()).Scan(ctx, &seconds)
	return max(10*time.Millisecond, time.Duration(seconds*float64(time.Second))), mapError(err)
}

// Pause keeps every node from sending for that long.
func (s *Store) Pause(ctx context.Context, d time.Duration, cause string) error {
	_, err := s.db.NewRaw(`
		update pacers set paused_until = greatest(paused_until, clock_timestamp() + ? * interval '1 microsecond'), pause_cause = ? where name = 'fcm'`,
		d.Microseconds(), cause).Exec(ctx)
	return mapError(err)
}

// Paused tells for how long and why nothing may be sent; zero when it may.
func (s *Store) Paused(ctx context.Context) (d time.Duration, cause string, err error) {
	var seconds float64
	err = s.db.NewRaw(`
		select coalesce(greatest(extract(epoch from paused_until - clock_timestamp()), 0), 0), coalesce(pause_cause, '') from pacers where name = 'fcm'`).
		Scan(ctx, &seconds, &cause)
	return time.Duration(seconds * float64(time.Second)), cause, mapError(err)
}
