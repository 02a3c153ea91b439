package postgres

import "context"

// Store keeps the nouns of the domain, each in a file of its own. It is safe for concurrent use.
type Store struct{ db *DB }

// NewStore returns a store in a migrated database.
func NewStore(db *DB) *Store { return &Store{db: db} }

// tx runs fn in a transaction.
func (s *Store) tx(ctx context.Context, fn func(ctx context.Context, tx Tx) error) error {
	return s.db.InTx(ctx, fn)
}
