package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// Prune deletes what is kept for a time only: idempotency keys and sessions that have ended.
func (s *Store) Prune(ctx context.Context, now time.Time) error {
	for _, p := range []struct {
		query string
		kept  time.Duration
	}{
		{"delete from idempotency_keys where created_at < ?", core.IdempotencyKept},
		{"delete from sessions where seen_at < ?", core.SessionIdle},
		{"delete from sessions where created_at < ?", core.SessionLife},
	} {
		if _, err := s.db.NewRaw(p.query, now.Add(-p.kept)).Exec(ctx); err != nil {
			return mapError(err)
		}
	}
	return nil
}
