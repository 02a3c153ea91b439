package postgres

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// searchTimeout limits each statement of a search, which needs no credentials.
const searchTimeout = time.Second

// searching reads a page of a list, under searchTimeout if the search has words.
func (s *Store) searching(
	ctx context.Context, search core.Search,
	read func(ctx context.Context, db bun.IDB, bytes int) (cut bool, err error),
) error {
	return s.readPage(ctx, func(ctx context.Context, db *DB, bytes int) (cut bool, err error) {
		err = db.limited(ctx, len(search.Words) > 0, func(ctx context.Context, db querier) (err error) {
			cut, err = read(ctx, db, bytes)
			return err
		})
		return cut, err
	})
}

// limited runs statements, each under searchTimeout if it is a search.
func (db *DB) limited(
	ctx context.Context, isSearch bool, read func(ctx context.Context, db querier) error,
) error {
	if !isSearch {
		return Error(read(ctx, db))
	}
	err := db.InTx(ctx, func(ctx context.Context, tx Tx) error {
		if err := limitStatements(ctx, tx, searchTimeout); err != nil {
			return err
		}
		return read(ctx, tx)
	})
	if isCanceledStatement(err) {
		return core.ErrSearchTimeout(err)
	}
	return Error(err)
}

// searchCondition returns the condition that a tsvector column has a word beginning with each word of the search, with
// one of the weights if there are any.
func searchCondition(column string, search core.Search, weights ...string) (condition string, args []any) {
	switch {
	case search.Nothing:
		return "false", nil
	case len(search.Words) == 0:
		return "true", nil
	default:
		return column + " @@ to_tsquery('pg_catalog.simple', ?)", []any{prefixes(search, weights...)}
	}
}

// isCanceledStatement reports whether PostgreSQL canceled a statement, as it does after statement_timeout.
func isCanceledStatement(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "57014"
}

// prefixes returns the words of a search as to_tsquery reads them, with one of the weights if there are any.
func prefixes(search core.Search, weights ...string) string {
	lexemes := make([]string, len(search.Words))
	for i, word := range search.Words {
		kind := "*"
		if core.IsWhole(word) {
			kind = ""
		}
		if kind += strings.Join(weights, ""); kind != "" {
			word += ":" + kind
		}
		lexemes[i] = word
	}
	return strings.Join(lexemes, " & ")
}
