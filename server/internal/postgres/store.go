package postgres

import "context"

// Store keeps the nouns of the domain: a file for each. It is safe for concurrent use.
type Store struct{ db *DB }

// NewStore returns a store in a database that is up to date.
func NewStore(db *DB) *Store { return &Store{db: db} }

// tx runs fn in a transaction.
func (s *Store) tx(ctx context.Context, fn func(ctx context.Context, tx Tx) error) error {
	return s.db.InTx(ctx, fn)
}
