package core

import (
	"context"
	"time"
)

// MembershipInvitation asks the person at an email address to become a member of a publisher. An address has at most
// one invitation of a publisher, which is renewed. Its JSON is stored as the first response to an idempotency key.
type MembershipInvitation struct {
	ID          ID              `json:"id"`
	PublisherID ID              `json:"publisherId"`
	Email       string          `json:"email"` // in lower case
	Role        Role            `json:"role"`
	State       InvitationState `json:"state"`
	InvitedBy   *Inviter        `json:"invitedBy"` // nil when the account was deleted
	InvitedAt   time.Time       `json:"invitedAt"` // made or last renewed
	ExpiresAt   time.Time       `json:"expiresAt"`
}

// InvitationState is the state of a membership invitation.
type InvitationState string

// The states. A pending invitation waits for an answer, and every other state is its end.
const (
	InvitationPending   InvitationState = "pending"
	InvitationAccepted  InvitationState = "accepted"
	InvitationDeclined  InvitationState = "declined"
	InvitationWithdrawn InvitationState = "withdrawn" // by an owner, or because the inviter no longer is one
	InvitationExpired   InvitationState = "expired"
)

// Inviter is the owner who invited.
type Inviter struct {
	ID    ID     `json:"id"`
	Name  string `json:"name"`
	Email string `json:"email"`
}

// ReceivedInvitation is a membership invitation with its publisher, as the invited person sees it.
type ReceivedInvitation struct {
	MembershipInvitation
	Publisher Publisher
}

const (
	// MembershipInvitationLife is how long a membership invitation can be accepted.
	MembershipInvitationLife = 14 * 24 * time.Hour
	// InvitationsKept is how long invitations are kept after they expire.
	InvitationsKept = 30 * 24 * time.Hour
	// InvitationDay is the time for which invitations and their emails are counted.
	InvitationDay = 24 * time.Hour
)

// MembershipInvitationInput is the input for a new membership invitation.
type MembershipInvitationInput struct {
	Email string
	Role  Role
}

// Validate implements Input.
func (in MembershipInvitationInput) Validate(*Rules, time.Time) []FieldError {
	return CheckEmail("#/email", in.Email)
}

// MembershipInvitationStore keeps membership invitations.
type MembershipInvitationStore interface {
	// MembershipInvitations returns a publisher's invitations, the latest first.
	MembershipInvitations(
		ctx context.Context, publisherID ID, page Page, now time.Time,
	) (data []MembershipInvitation, total int64, err error)
	// Invite stores an invitation by inv.InvitedBy, or renews the one to the same address. It fails with CodeNotFound
	// when the inviter no longer owns the publisher, with CodeForbidden when the publisher is suspended, with
	// CodeConflict when a member has the address and the role already, and with CodeRateLimited when the inviter or the
	// publisher has invited more than perDay addresses within InvitationDay. It must not read whether the address has
	// an account.
	Invite(
		ctx context.Context, inv MembershipInvitation, perDay int, key Idempotency,
	) (MembershipInvitation, Creation, error)
	// WithdrawInvitation ends an invitation. It fails with CodeConflict when it was accepted.
	WithdrawInvitation(ctx context.Context, publisherID, id ID) error
	// ReceivedInvitations returns the pending invitations to a person's address, the latest first, but none of
	// suspended publishers.
	ReceivedInvitations(
		ctx context.Context, subscriberID ID, page Page, now time.Time,
	) (data []ReceivedInvitation, total int64, err error)
	// AcceptInvitation makes the person a member. It fails with CodeNotFound when the invitation is not to their
	// address or the publisher is suspended, and with CodeConflict when it has ended. It never takes ownership from a
	// member.
	AcceptInvitation(ctx context.Context, subscriberID, id ID, now time.Time) (Publisher, error)
	// DeclineInvitation fails as AcceptInvitation does.
	DeclineInvitation(ctx context.Context, subscriberID, id ID, now time.Time) error
}

type membershipInvitationsStore interface {
	MembershipInvitationStore
	PublisherStore
}

// MembershipInvitations invites people to be members of publishers, and takes their answers.
type MembershipInvitations struct {
	store  membershipInvitationsStore
	perDay int
	now    func() time.Time
}

// NewMembershipInvitations returns the service for membership invitations. A person, and a publisher, can invite perDay
// addresses within InvitationDay.
func NewMembershipInvitations(
	store membershipInvitationsStore, perDay int, now func() time.Time,
) *MembershipInvitations {
	return &MembershipInvitations{store: store, perDay: perDay, now: now}
}

// List returns the invitations of a publisher that the caller owns.
func (s *MembershipInvitations) List(
	ctx context.Context, c Caller, publisherSlug string, page Page,
) ([]MembershipInvitation, int64, error) {
	p, err := ownPublisher(ctx, s.store, c, publisherSlug)
	if err != nil {
		return nil, 0, err
	}
	return s.store.MembershipInvitations(ctx, p.ID, page, s.now())
}

// Create invites an address to be a member of a publisher that the caller owns.
func (s *MembershipInvitations) Create(
	ctx context.Context, c Caller, publisherSlug string, in MembershipInvitationInput, key Idempotency,
) (MembershipInvitation, Creation, error) {
	p, err := ownPublisher(ctx, s.store, c, publisherSlug)
	if err != nil {
		return MembershipInvitation{}, 0, err
	}
	now := s.now()
	if err := invalid(in.Validate(nil, now)); err != nil {
		return MembershipInvitation{}, 0, err
	}
	inv := MembershipInvitation{ID: NewID(), PublisherID: p.ID, Email: lower(in.Email), Role: in.Role,
		State: InvitationPending, InvitedBy: &Inviter{ID: c.SubscriberID},
		InvitedAt: now, ExpiresAt: now.Add(MembershipInvitationLife)}
	return s.store.Invite(ctx, inv, s.perDay, key)
}

// Withdraw ends an invitation of a publisher that the caller owns.
func (s *MembershipInvitations) Withdraw(ctx context.Context, c Caller, publisherSlug string, id ID) error {
	p, err := ownPublisher(ctx, s.store, c, publisherSlug)
	if err != nil {
		return err
	}
	return s.store.WithdrawInvitation(ctx, p.ID, id)
}

// Received returns the invitations that wait for an answer of the caller.
func (s *MembershipInvitations) Received(
	ctx context.Context, c Caller, page Page,
) ([]ReceivedInvitation, int64, error) {
	return s.store.ReceivedInvitations(ctx, c.SubscriberID, page, s.now())
}

// Accept makes the caller a member of the publisher that invites them.
func (s *MembershipInvitations) Accept(ctx context.Context, c Caller, id ID) (Publisher, error) {
	return s.store.AcceptInvitation(ctx, c.SubscriberID, id, s.now())
}

// Decline declines an invitation to the caller.
func (s *MembershipInvitations) Decline(ctx context.Context, c Caller, id ID) error {
	return s.store.DeclineInvitation(ctx, c.SubscriberID, id, s.now())
}

// ErrAlreadyMember returns the error for inviting a member who has the role, or a higher one.
func ErrAlreadyMember() *Error {
	return Conflict("already_member", Text{EN: "This address belongs to a member who already has this role or more.",
		PT: "Este endereço é de um membro que já tem este papel ou mais."})
}

// ErrTooManyInvitations returns the error for a person or publisher that has invited perDay addresses within
// InvitationDay.
func ErrTooManyInvitations(wait time.Duration) *Error {
	return &Error{Code: CodeRateLimited, Reason: "too_many_invitations", RetryAfter: wait,
		Detail: Text{EN: "You or this publisher have invited too many addresses today. Try again tomorrow.",
			PT: "O seu limite de convites para hoje, ou o deste publicador, foi atingido. Tente amanhã."}}
}

// ErrInvitationEnded returns the error for answering an invitation that has ended.
func ErrInvitationEnded() *Error {
	return Conflict("invitation_ended", Text{
		EN: "This invitation is no longer open: it has expired, or was answered or withdrawn. Ask for a new one.",
		PT: "Este convite já não está aberto: expirou, já teve resposta ou foi cancelado. Peça um novo."})
}

// ErrInvitationAccepted returns the error for withdrawing an invitation that was accepted.
func ErrInvitationAccepted() *Error {
	return Conflict("invitation_accepted", Text{EN: "This invitation was accepted. Remove the member instead.",
		PT: "Este convite foi aceite. Em vez disso, remova o membro."})
}

// ErrInvitationRequired returns the error for making somebody a member, or an owner, without an invitation that they
// have accepted. The pointer is that of the email address or role.
func ErrInvitationRequired(pointer string) *Error {
	e := Invalid(FieldError{Pointer: pointer, Code: "invitation_required", Detail: Text{
		EN: "requires the person's consent: invite them with POST /publishers/{publisherSlug}/invitations",
		PT: "exige o acordo da pessoa: convide-a com POST /publishers/{publisherSlug}/invitations"}})
	e.Reason = "invitation_required"
	return e
}

// InvitationsPage returns the page of the web app where people answer the invitations to them.
func InvitationsPage(publicURL string) string { return publicURL + "/invitations" }
