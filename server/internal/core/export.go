package core

import (
	"context"
	"iter"
	"time"
)

// Export returns all data about the caller.
func (s *Subscribers) Export(ctx context.Context, c Caller) (Export, error) {
	return s.store.Export(ctx, c.SubscriberID, s.now())
}

// Export is all the data that is kept about a person.
type Export struct {
	Subscriber    Subscriber
	Identities    []Identity
	Passkeys      []Passkey
	Onboarding    Onboarding
	Subscriptions []Subscription
	Devices       []Device
	Sessions      []Session
	AccessTokens  []AccessToken
	Publishers    []Publisher
	Invitations   []ReceivedInvitation
	Waitlist      []ExportedEntry
	Drafts        []Draft

	PublisherRequest *PublisherRequest // nil: none
	FeedAddress      *FeedAddress      // nil: none

	FormerSubscriptions iter.Seq2[FormerSubscription, error]
	Receipts            iter.Seq2[Receipt, error]
	Reports             iter.Seq2[Report, error]
	AuditLog            iter.Seq2[AuditEntry, error] // of which the person is the actor
}

// ExportedEntry is the waiting-list entry of a person who has joined.
type ExportedEntry struct {
	Email, Name, Locale, ReferralCode string
	Referrals                         int64
	CreatedAt                         time.Time
	ConfirmedAt, InvitedAt, JoinedAt  *time.Time
}
