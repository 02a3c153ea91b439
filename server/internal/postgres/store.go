package postgres

import (
	"context"
	"math"

	"github.com/sininho/sininho/server/internal/core"
)

// Store keeps the nouns of the domain, each in a file of its own. It is safe for concurrent use.
type Store struct {
	// Caps are how many of each thing there may be: those of production unless changed before the store is used.
	Caps core.Caps
	// Retention is how much Prune leaves: everything unless changed before the store is used.
	Retention core.Retention
	// StorageQuota is how many bytes a publisher may store for which no operator has set another number; 0 is no limit.
	StorageQuota int64
	// EmailsPerNetwork is how many emails a day the people of one network can ask for: any number unless changed before
	// the store is used.
	EmailsPerNetwork int
	// Files keep uploaded pictures; nil keeps them in the database.
	Files PictureFiles

	db           *DB
	apiKeys      *gatherer[string, core.APIKey]  // by the hash of the secret
	sessions     *gatherer[string, core.Session] // likewise
	channels     *gatherer[channelAddress, foundChannel]
	destinations *gatherer[channelAddress, foundChannel]
	receipts     *gatherer[receiptChange, changedReceipt]
	displays     *gatherer[display, struct{}]
	newest       *newest
}

// NewStore returns a store in a migrated database.
func NewStore(db *DB) *Store {
	s := &Store{Caps: core.DefaultCaps(), EmailsPerNetwork: math.MaxInt32, db: db}
	s.apiKeys = newGatherer(s.findAPIKeys)
	s.sessions = newGatherer(s.findSessions)
	s.channels = newGatherer(s.findChannels)
	s.destinations = newGatherer(s.findDestinations)
	s.receipts = newGatherer(s.changeReceipts)
	s.displays = newGatherer(s.recordDisplays)
	s.newest = newNewest(s.findNewest)
	return s
}

// tx runs fn in a transaction.
func (s *Store) tx(ctx context.Context, fn func(ctx context.Context, tx Tx) error) error {
	return s.db.InTx(ctx, fn)
}
