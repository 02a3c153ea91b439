package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// MembershipInvitationsService invites people to be members of publishers, and answers the invitations to the signed-in
// person (API: /publishers/{publisherSlug}/invitations and /subscribers/invitations). It needs a person's access token;
// only a publisher's owners invite.
type MembershipInvitationsService struct{ api *api.Client }

// InvitationState is the state of a membership invitation. Later servers may have more.
type InvitationState string

// A pending invitation waits for an answer; every other state is its end.
const (
	InvitationPending  InvitationState = "pending"
	InvitationAccepted InvitationState = "accepted"
	InvitationDeclined InvitationState = "declined"
	// InvitationWithdrawn means that an owner withdrew it, or that the inviting person no longer owns the publisher.
	InvitationWithdrawn InvitationState = "withdrawn"
	InvitationExpired   InvitationState = "expired"
)

// Inviter is the owner who invited.
type Inviter struct {
	Name  string `json:"name"`
	Email string `json:"email"` // empty without one
}

// MembershipInvitation is an invitation as a publisher's owners see it. It says nothing about the person at the address
// until they accept; then they are among the members.
type MembershipInvitation struct {
	ID        string          `json:"id"`
	Email     string          `json:"email"` // in lower case
	Role      Role            `json:"role"`
	State     InvitationState `json:"state"`
	InvitedBy *Inviter        `json:"invitedBy,omitempty"`
	// URL is the page of the web app where the person answers. It holds no secret.
	URL       string    `json:"url"`
	InvitedAt time.Time `json:"invitedAt"` // made or last renewed
	ExpiresAt time.Time `json:"expiresAt"`
	// Existing is set by Create if it renewed an invitation that was still pending.
	Existing bool `json:"-"`
}

// ReceivedInvitation is a membership invitation as the invited person sees it.
type ReceivedInvitation struct {
	ID        string          `json:"id"`
	Publisher Publisher       `json:"publisher"`
	Role      Role            `json:"role"`
	State     InvitationState `json:"state"`
	InvitedBy *Inviter        `json:"invitedBy,omitempty"`
	InvitedAt time.Time       `json:"invitedAt"`
	ExpiresAt time.Time       `json:"expiresAt"`
}

// List iterates over the invitations of a publisher, in any state, the latest first. The iteration ends at the first
// error.
func (s *MembershipInvitationsService) List(
	ctx context.Context, publisher string,
) iter.Seq2[MembershipInvitation, error] {
	slug, err := parseSlug(publisher)
	if err != nil {
		return failed[MembershipInvitation](err)
	}
	id := func(i MembershipInvitation) string { return i.ID }
	return listed(id, func(limit, offset *int32) (*http.Response, error) {
		params := &api.ListMembershipInvitationsParams{Limit: limit, Offset: offset}
		return s.api.ListMembershipInvitations(ctx, slug, params)
	})
}

// Create invites an email address to be a member of a publisher. The person becomes a member by accepting, once signed
// in with that address; the result does not say whether it has an account. Inviting an address again renews its
// invitation, with this role. To hand a publisher over, or to make an editor an owner, invite them as [Owner].
//
// It fails with [ErrConflict] and the code [CodeAlreadyMember] if a member has the address and this role or more, and
// with [ErrRateLimited] and the code [CodeTooManyInvitations] if the person or the publisher has invited too many
// addresses within a day.
func (s *MembershipInvitationsService) Create(
	ctx context.Context, publisher, email string, role Role, opts ...CallOption,
) (*MembershipInvitation, error) {
	slug, err := parseSlug(publisher)
	if err != nil {
		return nil, err
	}
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	var f faults
	f.email("email", email)
	if err := f.err(); err != nil {
		return nil, err
	}
	resp, err := s.api.CreateMembershipInvitation(ctx, slug,
		&api.CreateMembershipInvitationParams{IdempotencyKey: &c.key},
		api.MembershipInvitationInput{Email: email, Role: api.Role(role)})
	i, err := decode[MembershipInvitation](resp, err)
	if err != nil {
		return nil, err
	}
	i.Existing = resp.StatusCode == http.StatusOK
	return i, nil
}

// Withdraw ends an invitation of a publisher. It fails with [ErrConflict] if the invitation was accepted: use
// [MembersService.Remove] then.
func (s *MembershipInvitationsService) Withdraw(ctx context.Context, publisher, id string) error {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return err
	}
	return check(s.api.WithdrawMembershipInvitation(ctx, slug, parsed))
}

// Received iterates over the invitations that wait for an answer of the signed-in person, the latest first. The
// iteration ends at the first error.
func (s *MembershipInvitationsService) Received(ctx context.Context) iter.Seq2[ReceivedInvitation, error] {
	id := func(i ReceivedInvitation) string { return i.ID }
	return listed(id, func(limit, offset *int32) (*http.Response, error) {
		params := &api.ListMyMembershipInvitationsParams{Limit: limit, Offset: offset}
		return s.api.ListMyMembershipInvitations(ctx, params)
	})
}

// Accept makes the signed-in person a member, and returns the publisher with their role. It fails with [ErrNotFound] if
// the invitation is not to their address, and with [ErrConflict] and the code [CodeInvitationEnded] if it has ended.
func (s *MembershipInvitationsService) Accept(ctx context.Context, id string) (*Publisher, error) {
	parsed, err := parseID(id)
	if err != nil {
		return nil, err
	}
	return decode[Publisher](s.api.AcceptMembershipInvitation(ctx, parsed))
}

// Decline declines an invitation to the signed-in person. It fails as Accept does.
func (s *MembershipInvitationsService) Decline(ctx context.Context, id string) error {
	parsed, err := parseID(id)
	if err != nil {
		return err
	}
	return check(s.api.DeclineMembershipInvitation(ctx, parsed))
}
