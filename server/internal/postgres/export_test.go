package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"
)

// Hooked returns the store with a hook on the statements that bun runs.
func (s *Store) Hooked(hook bun.QueryHook) *Store {
	return NewStore(&DB{DB: s.db.WithQueryHook(hook), pool: s.db.pool, hot: s.db.hot, pooled: s.db.pooled})
}

// OpenTraced connects to the database with a tracer of all statements.
func OpenTraced(ctx context.Context, c Config, tracer pgx.QueryTracer) (*DB, error) {
	c.tracer = tracer
	return Open(ctx, c)
}
