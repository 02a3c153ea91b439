package postgres

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// Store keeps the nouns of the domain, each in a file of its own. It is safe for concurrent use.
type Store struct {
	db       *DB
	apiKeys  lookups[string, core.APIKey]  // by the hash of the secret
	sessions lookups[string, core.Session] // likewise
	channels lookups[channelAddress, foundChannel]
	recents  *recents
}

// NewStore returns a store in a migrated database.
func NewStore(db *DB) *Store {
	s := &Store{db: db}
	s.apiKeys.find = s.findAPIKeys
	s.sessions.find = s.findSessions
	s.channels.find = s.findChannels
	s.recents = newRecents(s.findRecents)
	return s
}

// tx runs fn in a transaction.
func (s *Store) tx(ctx context.Context, fn func(ctx context.Context, tx Tx) error) error {
	return s.db.InTx(ctx, fn)
}
