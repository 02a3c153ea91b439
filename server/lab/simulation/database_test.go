package simulation

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5"
)

// database is the run's own connection to the database, which is opened again when it has ended.
type database struct {
	r    *run
	mu   sync.Mutex
	conn *pgx.Conn
}

// use calls fn with the connection, alone.
func (d *database) use(fn func(conn *pgx.Conn) error) {
	d.r.t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.conn == nil || d.conn.IsClosed() {
		d.conn = d.r.cluster.Connect()
	}
	if err := fn(d.conn); err != nil {
		d.r.t.Fatalf("run SQL: %v", err)
	}
}

// close closes the connection. The next use opens another.
func (d *database) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.conn != nil {
		_ = d.conn.Close(context.Background())
	}
}

func (d *database) exec(sql string, args ...any) {
	d.r.t.Helper()
	d.use(func(conn *pgx.Conn) error {
		_, err := conn.Exec(context.Background(), sql, args...)
		return err
	})
}

// all returns the rows that a query selects, of one column.
func all[T any](d *database, sql string, args ...any) (rows []T) {
	d.r.t.Helper()
	d.use(func(conn *pgx.Conn) error {
		found, err := conn.Query(context.Background(), sql, args...)
		if err == nil {
			rows, err = pgx.CollectRows(found, pgx.RowTo[T])
		}
		return err
	})
	return rows
}

// one returns the value that a query selects.
func one[T any](d *database, sql string, args ...any) T {
	d.r.t.Helper()
	rows := all[T](d, sql, args...)
	if len(rows) != 1 {
		d.r.t.Fatalf("run SQL: got %d rows of %s, want one", len(rows), sql)
	}
	return rows[0]
}
