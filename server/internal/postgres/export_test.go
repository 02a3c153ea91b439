package postgres

import "github.com/uptrace/bun"

// Hooked returns the store with a hook on the statements that bun runs.
func (s *Store) Hooked(hook bun.QueryHook) *Store {
	return NewStore(&DB{DB: s.db.WithQueryHook(hook), pool: s.db.pool, hot: s.db.hot})
}
