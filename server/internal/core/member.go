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
	// AddMember adds the subscriber with that email address, or the newest of them if several have it. It leaves an
	// existing member unchanged, and fails with CodeInvalid when no subscriber has the address.
	AddMember(
		ctx context.Context, publisherID ID, email string, role Role, now time.Time, key Idempotency,
	) (Member, Creation, error)
	// UpdateMember fails with CodeConflict if it would leave the publisher without an owner, even when several calls
	// run at once.
	UpdateMember(ctx context.Context, publisherID, id ID, role Role) (Member, error)
	// RemoveMember fails with CodeConflict in the same case as UpdateMember.
	RemoveMember(ctx context.Context, publisherID, id ID) error
}

type membersStore interface {
	MemberStore
	PublisherStore
}

// Members lists, adds, changes and removes the members of publishers.
type Members struct {
	store membersStore
	now   func() time.Time
}

// NewMembers returns the service for members.
func NewMembers(store membersStore, now func() time.Time) *Members {
	return &Members{store: store, now: now}
}

// List returns the members of a publisher of which the caller is a member.
func (s *Members) List(ctx context.Context, c Caller, publisherSlug string, page Page) ([]Member, int64, error) {
	p, err := myPublisher(ctx, s.store, c, publisherSlug)
	if err != nil {
		return nil, 0, err
	}
	return s.store.Members(ctx, p.ID, page)
}

// Add makes the subscriber with that email address a member of a publisher that the caller owns.
func (s *Members) Add(
	ctx context.Context, c Caller, publisherSlug, email string, role Role, key Idempotency,
) (Member, Creation, error) {
	p, err := ownPublisher(ctx, s.store, c, publisherSlug)
	if err != nil {
		return Member{}, 0, err
	}
	return s.store.AddMember(ctx, p.ID, email, role, s.now(), key)
}

// Update changes the role of a member of a publisher that the caller owns.
func (s *Members) Update(ctx context.Context, c Caller, publisherSlug string, id ID, role Role) (Member, error) {
	p, err := ownPublisher(ctx, s.store, c, publisherSlug)
	if err != nil {
		return Member{}, err
	}
	return s.store.UpdateMember(ctx, p.ID, id, role)
}

// Remove removes a member. Owners may remove anyone; other members only themselves.
func (s *Members) Remove(ctx context.Context, c Caller, publisherSlug string, id ID) error {
	find := ownPublisher
	if id == c.SubscriberID {
		find = myPublisher
	}
	p, err := find(ctx, s.store, c, publisherSlug)
	if err != nil {
		return err
	}
	return s.store.RemoveMember(ctx, p.ID, id)
}

// ErrOnlyOwner returns the error for a change that would leave a publisher without an owner.
func ErrOnlyOwner() *Error {
	return Conflict("last_owner", Text{EN: "A publisher must have an owner. Make someone else an owner first.",
		PT: "Um editor tem de ter um proprietário. Primeiro torne outra pessoa proprietária."})
}

// ErrUnknownPerson returns the error for an email address that no subscriber has.
func ErrUnknownPerson() *Error {
	return Invalid(FieldError{Pointer: "#/email", Code: "unknown", Detail: Text{EN: "no account has this address",
		PT: "nenhuma conta tem este endereço"}})
}
