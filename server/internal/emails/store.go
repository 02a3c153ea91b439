package emails

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// Store is a store that queues the emails that its changes call for.
type Store struct {
	*postgres.Store
	jobs Jobs
}

// NewStore returns a store. It queues no emails if jobs is nil, where no mail server is configured.
func NewStore(store *postgres.Store, jobs Jobs) *Store { return &Store{Store: store, jobs: jobs} }

var (
	_ core.MembershipInvitationStore = (*Store)(nil)
	_ core.ChannelInvitationStore    = (*Store)(nil)
	_ core.EmailSignInStore          = (*Store)(nil)
	_ core.PublisherRequestStore     = (*Store)(nil)
)

// Invite implements core.MembershipInvitationStore.
func (s *Store) Invite(
	ctx context.Context, inv core.MembershipInvitation, perDay int, key core.Idempotency,
) (core.MembershipInvitation, core.Creation, error) {
	return s.Store.Invite(ctx, inv, perDay, key, func(ctx context.Context, tx postgres.Tx, id core.ID) error {
		return s.queue(ctx, tx, Email{ID: core.NewID(), Kind: Membership, About: id})
	})
}

// CreateChannelInvitation implements core.ChannelInvitationStore.
func (s *Store) CreateChannelInvitation(
	ctx context.Context, inv core.ChannelInvitation, hash []byte, by core.ChannelInviter, key core.Idempotency,
) (core.ChannelInvitation, core.Creation, error) {
	var language core.Language
	if inv.Email != "" {
		locale, err := s.InvitationLocale(ctx, inv.Email, by.SubscriberID)
		if err != nil {
			return inv, 0, err
		}
		language = core.LanguageOf(locale)
	}
	return s.Store.CreateChannelInvitation(ctx, inv, hash, by, key,
		func(ctx context.Context, tx postgres.Tx, id core.ID) error {
			return s.queue(ctx, tx, Email{ID: id, Kind: ToChannel, About: id, Language: language})
		})
}

// BeginEmailSignIn implements core.EmailSignInStore.
func (s *Store) BeginEmailSignIn(ctx context.Context, in core.EmailSignIn, limits core.EmailCodeLimits) error {
	return s.Store.BeginEmailSignIn(ctx, in, limits, func(ctx context.Context, tx postgres.Tx, id core.ID) error {
		return s.queue(ctx, tx, Email{ID: id, Kind: Code, About: id, Language: in.Language})
	})
}

// AnswerPublisherRequest implements core.PublisherRequestStore.
func (s *Store) AnswerPublisherRequest(
	ctx context.Context, id core.ID, a core.PublisherAnswer, now time.Time,
) (core.PublisherRequest, error) {
	return s.Store.AnswerPublisherRequest(ctx, id, a, now, func(ctx context.Context, tx postgres.Tx, id core.ID) error {
		return s.queue(ctx, tx, Email{ID: core.NewID(), Kind: ToAsker, About: id})
	})
}

func (s *Store) queue(ctx context.Context, tx postgres.Tx, e Email) error {
	if s.jobs == nil {
		return nil
	}
	return Queue(ctx, tx, s.jobs, e)
}
