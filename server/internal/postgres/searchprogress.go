package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sininho/sininho/server/internal/core"
)

const (
	// indexingTime limits a statement that indexes a batch. One text alone has the time of any statement.
	indexingTime = 2 * time.Second
	// failuresUntilAlone is after how many failures each batch is one row.
	failuresUntilAlone = 9
	// failuresUntilSkipped is after how many failures the next row is left out of search.
	failuresUntilSkipped = failuresUntilAlone + 3
)

// progress is how far a part of search is.
type progress struct {
	Position int64 `bun:"position"`
	Failures int   `bun:"failures"` // each success takes one off
}

// atOnce returns how much of what is usually done at once may be done.
func (p progress) atOnce(usual int) int {
	if p.Failures >= failuresUntilAlone {
		return 1
	}
	return max(1, usual>>p.Failures)
}

// isStuck reports whether the next row has failed alone, again and again.
func (p progress) isStuck() bool { return p.Failures >= failuresUntilSkipped }

// index writes the next batch of a part of search. It does nothing while another node indexes. isBehind is a condition
// on a row p of search_progress, so that nothing is locked while there is nothing to do. A batch that fails is halved.
func (s *Store) index(
	ctx context.Context, part, isBehind string,
	write func(ctx context.Context, tx Tx, p progress) (core.Indexed, error),
) (core.Indexed, error) {
	var p progress
	var done core.Indexed
	var failed error // as PostgreSQL reports it
	err := s.tx(ctx, func(ctx context.Context, tx Tx) error {
		// Raw, because the condition is. The first row is locked for every part, so that no text that has become short
		// is overwritten by what it was.
		err := tx.NewRaw(`
			select p.position, p.failures from search_progress first, search_progress p
			where first.part = case ?0 when 'channels' then ?0 else 'short' end and p.part = ?0 and `+isBehind+`
			for update skip locked`, part).Scan(ctx, &p)
		if err != nil {
			return err
		}
		if p.Failures < failuresUntilAlone {
			if err := limitStatements(ctx, tx, indexingTime); err != nil {
				return err
			}
		}
		if done, failed = write(ctx, tx, p); failed != nil || p.Failures == 0 {
			return failed
		}
		_, err = tx.NewUpdate().Table("search_progress").
			Set("failures = ?", min(p.Failures-1, failuresUntilAlone)).Where("part = ?", part).Exec(ctx)
		return err
	})
	switch {
	case core.IsCode(err, core.CodeNotFound):
		return core.Indexed{}, nil
	case ctx.Err() != nil || !isTooMuch(failed):
		return done, err
	}
	_, unsaved := s.db.NewUpdate().Table("search_progress").Set("failures = failures + 1").
		Where("part = ?", part).Where("position = ?", p.Position).Where("failures = ?", p.Failures).Exec(ctx)
	return core.Indexed{More: true}, errors.Join(err, unsaved)
}

// isTooMuch reports whether PostgreSQL could not do a statement because of what it was given to do: in the time, in the
// memory, or at all.
func isTooMuch(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return false
	}
	switch pg.Code[:2] {
	case "22", "23", "54": // data, constraint, limit
		return true
	}
	return pg.Code == "57014" || pg.Code == "53200"
}
