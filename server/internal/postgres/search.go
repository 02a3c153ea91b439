package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// searchTimeout bounds each statement of a search, which anybody may start.
const searchTimeout = time.Second

// searching runs the statements of a list under searchTimeout if words are searched for, and without it otherwise.
func (s *Store) searching(ctx context.Context, search core.Search, read func(ctx context.Context, db bun.IDB) error) error {
	if len(search.Words) == 0 {
		return Error(read(ctx, s.db))
	}
	err := s.tx(ctx, func(ctx context.Context, tx Tx) error {
		set := fmt.Sprintf("set local statement_timeout = %d", searchTimeout.Milliseconds())
		if _, err := tx.NewRaw(set).Exec(ctx); err != nil {
			return err
		}
		return read(ctx, tx)
	})
	if isCanceledStatement(err) {
		return core.ErrSearchTimeout(err)
	}
	return Error(err)
}

// searchCondition returns the condition that a tsvector column has every word of the search, or one that begins so.
func searchCondition(column string, search core.Search) (condition string, args []any) {
	switch {
	case search.Nothing:
		return "false", nil
	case len(search.Words) == 0:
		return "true", nil
	default:
		return column + " @@ to_tsquery('pg_catalog.simple', ?)", []any{strings.Join(search.Words, ":* & ") + ":*"}
	}
}

// searched restricts a query to the rows whose tsvector column matches the search.
func searched(q *bun.SelectQuery, column string, search core.Search) *bun.SelectQuery {
	condition, args := searchCondition(column, search)
	return q.Where(condition, args...)
}

// isCanceledStatement reports whether PostgreSQL ended a statement, as it does after statement_timeout.
func isCanceledStatement(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "57014"
}
