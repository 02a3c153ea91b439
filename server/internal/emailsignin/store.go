package emailsignin

import (
	"context"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// Jobs inserts jobs that run once tx is committed.
type Jobs interface {
	Insert(ctx context.Context, tx postgres.Tx, jobs []river.InsertManyParams) error
}

// Store is a store of sign-ins by email that queues their emails.
type Store struct {
	*postgres.Store
	jobs Jobs
}

// NewStore returns a store.
func NewStore(store *postgres.Store, jobs Jobs) *Store { return &Store{Store: store, jobs: jobs} }

var _ core.EmailSignInStore = (*Store)(nil)

// BeginEmailSignIn implements core.EmailSignInStore.
func (s *Store) BeginEmailSignIn(ctx context.Context, in core.EmailSignIn, limits core.EmailCodeLimits) error {
	return s.Store.BeginEmailSignIn(ctx, in, limits, func(ctx context.Context, tx postgres.Tx, id core.ID) error {
		return s.jobs.Insert(ctx, tx, []river.InsertManyParams{{Args: emailArgs{ID: id, Language: in.Language}}})
	})
}
