package postgres

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/core"
)

const (
	replicaTimeout       = 50 * time.Millisecond // of a page; then the primary has to serve it
	catchUpTimeout       = 10 * time.Millisecond
	catchUpInterval      = time.Millisecond
	replicaCheckInterval = time.Second
	replicaCheckTimeout  = time.Second
	replicaGoodChecks    = 3
	replicaFailures      = 5 // pages in succession that could not be read
)

// replica is used while it is well: it responds, is a standby of the primary, and is at most about a second behind.
type replica struct {
	*DB
	of       *replicas
	name     string // for the log
	pooled   bool
	failures atomic.Int32 // pages in succession
	good     int          // checks in succession since it left
	well     atomic.Bool
	mark     position // of the primary at the last check
}

var (
	errNoStandby = errors.New("is not a standby of the database in DATABASE_URL")
	errBehind    = errors.New("is too far behind the primary")
)

// replayedPosition is 0 for a server that is not a standby.
const replayedPosition = `
	select coalesce(case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::bigint end, 0)`

func (r *replica) page(ctx context.Context, wanted position, read func(ctx context.Context, db *DB) error) error {
	limited, cancel := context.WithTimeout(context.WithValue(ctx, wantedKey{}, wanted), replicaTimeout)
	defer cancel()
	err := read(limited, r.DB)
	switch {
	case err == nil || core.IsCode(err, core.CodeNotFound):
		r.failures.Store(0)
	case ctx.Err() == nil && r.failures.Add(1) >= replicaFailures:
		r.leave(ctx, err)
	}
	return err
}

// wantedKey is the key of the position that a page needs, in its context.
type wantedKey struct{}

// later returns that of two contexts which needs the later position.
func later(a, b context.Context) context.Context {
	ofA, _ := a.Value(wantedKey{}).(position)
	if ofB, _ := b.Value(wantedKey{}).(position); ofB > ofA {
		return b
	}
	return a
}

// prepare waits, but not for long, until the server of a connection has reached the position that the page needs. It
// runs before each statement. Each connection asks and remembers for itself, because a server that was restarted may
// have gone back. A pooler hides that, so nothing is remembered behind one.
func (r *replica) prepare(ctx context.Context, conn *pgx.Conn) (valid bool, err error) {
	wanted, ok := ctx.Value(wantedKey{}).(position)
	known := conn.PgConn().CustomData()
	if reached, _ := known[reachedPosition].(position); !ok || reached >= wanted && !r.pooled {
		return true, nil
	}
	known[reachedPosition], err = r.catchUp(ctx, conn, wanted)
	return !conn.IsClosed(), err
}

// reachedPosition is the key of the position that the server of a connection has reached, in the connection.
const reachedPosition = "reached position"

func (r *replica) catchUp(ctx context.Context, conn *pgx.Conn, wanted position) (reached position, err error) {
	for until := time.Now().Add(catchUpTimeout); ; {
		err := conn.QueryRow(ctx, replayedPosition, r.hot).Scan(&reached)
		if err != nil || reached >= wanted {
			return reached, err
		}
		if time.Now().After(until) {
			return reached, errBehind
		}
		select {
		case <-ctx.Done():
			return reached, ctx.Err()
		case <-time.After(catchUpInterval):
		}
	}
}

// watch checks the replica regularly.
func (r *replica) watch(ctx context.Context) {
	ticker := time.NewTicker(replicaCheckInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			_ = r.check(ctx) // it has logged the error
			if p, err := r.of.position(ctx); err == nil {
				r.mark = p
			}
		}
	}
}

// check decides whether the replica is used. Only several good checks in succession bring it back, so that one on the
// verge does not come and go.
func (r *replica) check(ctx context.Context) error {
	err := r.examine(ctx)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		r.good = 0
		r.leave(ctx, err)
	case !r.well.Load():
		if r.good++; r.good == replicaGoodChecks {
			r.good = 0
			r.failures.Store(0)
			r.well.Store(true)
			r.of.metrics.Used(1)
			r.of.log.InfoContext(ctx, "read replica is used again", "replica", r.name)
		}
	}
	return err
}

// leave stops using the replica.
func (r *replica) leave(ctx context.Context, err error) {
	if r.well.Swap(false) {
		r.of.metrics.Used(-1)
		r.of.log.WarnContext(ctx, "read replica is not used", "replica", r.name, "error", err)
	}
}

// examine returns the reason why the replica cannot be used.
func (r *replica) examine(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, replicaCheckTimeout)
	defer cancel()
	var reached position
	if err := r.hotRow(ctx, replayedPosition).Scan(&reached); err != nil {
		return err
	}
	var same bool
	err := r.hotRow(ctx, "select (pg_control_system()).system_identifier = $1 and current_database() = $2",
		r.of.identity.system, r.of.identity.database).Scan(&same)
	switch {
	case err != nil:
		return err
	case !same || reached == 0:
		return errNoStandby
	case reached < r.mark:
		return errBehind
	default:
		return nil
	}
}
