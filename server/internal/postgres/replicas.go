package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/sininho/sininho/server/internal/metrics"
)

// replicas are hot standbys of a database, from which pages are read, with all that is visible at that moment.
// Everything else is read from the database itself.
type replicas struct {
	primary  *DB
	identity databaseIdentity
	written  *gatherer[struct{}, position] // by the primary
	all      []*replica
	turn     atomic.Uint32
	metrics  *metrics.Replicas
	log      *slog.Logger
	stop     context.CancelFunc
	watchers sync.WaitGroup
}

// position is a place in the write-ahead log.
type position int64

// writtenPosition is after every visible transaction. A transaction becomes visible when it is on the disk or, if
// commits do not wait for the disk, in the log. The log is ahead of the disk, and of what standbys receive.
const writtenPosition = `
	select (case when current_setting('synchronous_commit') = 'off'
		then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end - '0/0')::bigint`

// page runs read on a replica that has everything that is visible now. If there is none, or read fails on it, page runs
// read on the database itself. So read may run twice, and must only read.
func (db *DB) page(ctx context.Context, read func(ctx context.Context, db *DB) error) error {
	if db.replicas == nil {
		return read(ctx, db)
	}
	ok := db.replicas.page(ctx, read)
	db.replicas.metrics.Page(ok)
	if ok {
		return nil
	}
	return read(ctx, db)
}

// page reports whether read has succeeded on a replica.
func (rs *replicas) page(ctx context.Context, read func(ctx context.Context, db *DB) error) bool {
	r := rs.next()
	if r == nil {
		return false
	}
	wanted, err := rs.position(ctx)
	if err != nil {
		return false
	}
	if err := r.page(ctx, wanted, read); err != nil {
		rs.log.DebugContext(ctx, "page not read from a replica", "replica", r.name, "error", err)
		return false
	}
	rs.log.DebugContext(ctx, "page read from a replica", "replica", r.name)
	return true
}

// next takes turns among the replicas that are well. It returns nil if none is.
func (rs *replicas) next() *replica {
	turn := int(rs.turn.Add(1))
	for i := range rs.all {
		if r := rs.all[(turn+i)%len(rs.all)]; r.well.Load() {
			return r
		}
	}
	return nil
}

// position returns the position of the primary. Concurrent callers share a query.
func (rs *replicas) position(ctx context.Context) (position, error) {
	return rs.written.get(ctx, struct{}{})
}

func (rs *replicas) findPosition(ctx context.Context, _ []struct{}) (map[struct{}]position, error) {
	var p position
	err := rs.primary.hotRow(ctx, writtenPosition).Scan(&p)
	return map[struct{}]position{{}: p}, err
}

// openReplicas fails if a server responds that is not a standby of the primary. One that does not respond may do so
// later.
func openReplicas(ctx context.Context, c Config, primary *DB) (*replicas, error) {
	rs := &replicas{primary: primary, metrics: c.Metrics, log: c.Log}
	rs.written = newGatherer(rs.findPosition)
	if err := rs.identity.read(primary.hotRow(ctx, whichDatabase)); err != nil {
		return nil, err
	}
	watching, stop := context.WithCancel(context.WithoutCancel(ctx))
	rs.stop = stop
	for _, url := range c.ReplicaURLs {
		if err := rs.add(ctx, c, url); err != nil {
			return nil, errors.Join(fmt.Errorf("DATABASE_REPLICA_URLS: %w", err), rs.close())
		}
	}
	for _, r := range rs.all {
		rs.watchers.Go(func() { r.watch(watching) })
	}
	return rs, nil
}

func (rs *replicas) add(ctx context.Context, c Config, url string) error {
	pc, err := c.pool(url)
	if err != nil {
		return err
	}
	r := &replica{of: rs, pooled: c.Pooled}
	r.name = fmt.Sprintf("%s:%d", pc.ConnConfig.Host, pc.ConnConfig.Port)
	pc.PrepareConn = r.prepare
	if r.DB, err = c.open(ctx, pc); err != nil {
		return err
	}
	rs.all = append(rs.all, r)
	rs.metrics.Used(1)
	r.well.Store(true) // so that the first check logs that it is not
	if err := r.check(ctx); errors.Is(err, errNoStandby) {
		return fmt.Errorf("%s %w", r.name, err)
	}
	return nil
}

func (rs *replicas) close() (err error) {
	rs.stop()
	rs.watchers.Wait()
	for _, r := range rs.all {
		err = errors.Join(err, r.Close())
	}
	return err
}
