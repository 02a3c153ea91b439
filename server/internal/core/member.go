package core

import (
	"context"
	"time"
)

// Member is a subscriber who acts for a publisher.
type Member struct {
	ID        ID        `json:"id"` // the subscriber's id
	Name      string    `json:"name"`
	Email     string    `json:"email"`
	Avatar    string    `json:"avatar"`
	Role      Role      `json:"role"`
	CreatedAt time.Time `json:"createdAt"` // when the membership began
}

// MemberStore keeps the members of publishers.
type MemberStore interface {
	// Members returns the members in the order in which they were added.
	Members(ctx context.Context, publisherID ID, page Page) (data []Member, total int64, err error)
	// MemberByEmail fails with CodeNotFound when no member has the address.
	MemberByEmail(ctx context.Context, publisherID ID, email string) (Member, error)
	// UpdateMember fails with CodeConflict if it would leave the publisher without an owner, even when several calls
	// run at once, and with CodeInvalid if it would make an editor an owner. It withdraws the invitations by an owner
	// who becomes an editor.
	UpdateMember(ctx context.Context, publisherID, id ID, role Role) (Member, error)
	// RemoveMember withdraws the member's invitations, and renews the publisher's webhooks, except those of
	// demonstration channels, whose addresses are public. With revokeKeys it also revokes the API keys that the member
	// created, and returns their ids. It fails with CodeConflict in the same case as UpdateMember.
	RemoveMember(
		ctx context.Context, publisherID, id ID, renew Renewal, revokeKeys bool, now time.Time,
	) (revoked []ID, err error)
}

type membersStore interface {
	MemberStore
	PublisherStore
}

// Members lists, changes and removes the members of publishers. They are added by MembershipInvitations.
type Members struct {
	store    membersStore
	webhooks *Webhooks
	announce Announcer
	now      func() time.Time
}

// NewMembers returns the service for members.
func NewMembers(store membersStore, webhooks *Webhooks, announce Announcer, now func() time.Time) *Members {
	return &Members{store: store, webhooks: webhooks, announce: announce, now: now}
}

// List returns the members of a publisher of which the caller is a member.
func (s *Members) List(ctx context.Context, c Caller, publisherSlug string, page Page) ([]Member, int64, error) {
	p, err := myPublisher(ctx, s.store, c, publisherSlug)
	if err != nil {
		return nil, 0, err
	}
	return s.store.Members(ctx, p.ID, page)
}

// Add returns the member with that email address of a publisher that the caller owns. It adds nobody: any other address
// is refused in the same way, whether or not it has an account.
func (s *Members) Add(ctx context.Context, c Caller, publisherSlug, email string) (Member, error) {
	p, err := ownPublisher(ctx, s.store, c, publisherSlug)
	if err != nil {
		return Member{}, err
	}
	m, err := s.store.MemberByEmail(ctx, p.ID, email)
	if IsCode(err, CodeNotFound) {
		err = ErrInvitationRequired("#/email")
	}
	return m, err
}

// Update changes the role of a member of a publisher that the caller owns.
func (s *Members) Update(ctx context.Context, c Caller, publisherSlug string, id ID, role Role) (Member, error) {
	p, err := ownPublisher(ctx, s.store, c, publisherSlug)
	if err != nil {
		return Member{}, err
	}
	return s.store.UpdateMember(ctx, p.ID, id, role)
}

// Remove removes a member, renews the publisher's webhooks and, with revokeKeys, revokes the API keys that the member
// created and therefore knows. Owners may remove anyone and keep their keys; other members may remove only themselves.
func (s *Members) Remove(ctx context.Context, c Caller, publisherSlug string, id ID, revokeKeys bool) error {
	find := ownPublisher
	if id == c.SubscriberID && revokeKeys {
		find = myPublisher
	}
	p, err := find(ctx, s.store, c, publisherSlug)
	if err != nil {
		return err
	}
	revoked, err := s.store.RemoveMember(ctx, p.ID, id, s.webhooks.RenewalAfter(id), revokeKeys, s.now())
	for _, key := range revoked {
		s.announce.SignedOut(ctx, key)
	}
	return err
}

// ErrOnlyOwner returns the error for a change that would leave a publisher without an owner.
func ErrOnlyOwner() *Error {
	return Conflict("last_owner", Text{
		EN: "A publisher must have an owner. First invite another owner, who has to accept, or delete the publisher.",
		PT: "Um publicador tem de ter um proprietário. Primeiro, convide outra pessoa para proprietária, que tem de " +
			"aceitar, ou apague o publicador."})
}
