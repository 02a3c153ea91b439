package membership

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

// Store is a store of membership invitations that queues their emails.
type Store struct {
	*postgres.Store
	jobs Jobs
}

// NewStore returns a store. It queues no emails if jobs is nil, where no mail server is configured.
func NewStore(store *postgres.Store, jobs Jobs) *Store { return &Store{Store: store, jobs: jobs} }

var _ core.MembershipInvitationStore = (*Store)(nil)

// Invite implements core.MembershipInvitationStore.
func (s *Store) Invite(
	ctx context.Context, inv core.MembershipInvitation, perDay int, key core.Idempotency,
) (core.MembershipInvitation, core.Creation, error) {
	return s.Store.Invite(ctx, inv, perDay, key, s.queue)
}

// queue queues the email of an invitation.
func (s *Store) queue(ctx context.Context, tx postgres.Tx, invitationID core.ID) error {
	if s.jobs == nil {
		return nil
	}
	args := emailArgs{ID: core.NewID(), InvitationID: invitationID}
	return s.jobs.Insert(ctx, tx, []river.InsertManyParams{{Args: args}})
}
