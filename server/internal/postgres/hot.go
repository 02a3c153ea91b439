package postgres

import (
	"context"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// bun writes arguments into the text of a statement, which PostgreSQL then plans anew each time. For the busiest
// statements that costs more than running them: they go past bun, and are prepared once a connection.

// hotRow runs a statement with ? for its arguments that answers one row.
func (s *Store) hotRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return s.db.pool.QueryRow(ctx, numbered(sql), append([]any{s.db.hot}, args...)...)
}

// hotRows runs a statement with ? for its arguments, and reads rows into structs by the names of their columns.
func hotRows[T any](ctx context.Context, s *Store, sql string, args ...any) ([]T, error) {
	rows, err := s.db.pool.Query(ctx, numbered(sql), append([]any{s.db.hot}, args...)...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[T])
}

// numbered writes $1, $2 … for each ?.
func numbered(sql string) string {
	var b strings.Builder
	b.Grow(len(sql) + 16)
	for n := 1; ; n++ {
		before, after, found := strings.Cut(sql, "?")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(n))
		sql = after
	}
}
