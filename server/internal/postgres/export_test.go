package postgres

import "github.com/uptrace/bun"

// Hooked returns the store with a hook on the statements that bun runs.
func (s *Store) Hooked(hook bun.QueryHook) *Store {
	hooked := *s
	hooked.db = s.db.WithQueryHook(hook)
	return &hooked
}
