package memory

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var _ interface {
	core.MemberStore
	core.MembershipInvitationStore
} = (*Store)(nil)

type memberRow struct {
	publisherID, id core.ID
	role            core.Role
	since           time.Time
}

func (s *Store) member(m *memberRow) core.Member {
	p := s.subscribers[m.id]
	return core.Member{ID: m.id, Name: p.Name, Email: p.Email, Avatar: p.Avatar, Role: m.role, CreatedAt: m.since}
}

func (s *Store) membersOf(publisherID core.ID) (of []*memberRow) {
	for _, m := range s.members {
		if m.publisherID == publisherID {
			of = append(of, m)
		}
	}
	return of
}

func (s *Store) role(publisherID, id core.ID) core.Role {
	for _, m := range s.membersOf(publisherID) {
		if m.id == id {
			return m.role
		}
	}
	return ""
}

// owned returns how many publishers a person owns.
func (s *Store) owned(id core.ID) (n int) {
	for _, m := range s.members {
		if m.id == id && m.role == core.RoleOwner {
			n++
		}
	}
	return n
}

// findMember fails when there is no such member, or when it is the only owner and would not stay one.
func (s *Store) findMember(publisherID, id core.ID, staysOwner bool) (*memberRow, error) {
	var found *memberRow
	owners := 0
	for _, m := range s.membersOf(publisherID) {
		if m.id == id {
			found = m
		}
		if m.role == core.RoleOwner {
			owners++
		}
	}
	switch {
	case found == nil:
		return nil, core.NotFound()
	case found.role == core.RoleOwner && !staysOwner && owners == 1:
		return nil, core.ErrOnlyOwner()
	}
	return found, nil
}

// Members implements core.MemberStore.
func (s *Store) Members(_ context.Context, publisherID core.ID, page core.Page) ([]core.Member, int64, error) {
	defer s.lock()()
	return paged(s.membersOf(publisherID), page, s.member)
}

// MemberByEmail implements core.MemberStore.
func (s *Store) MemberByEmail(_ context.Context, publisherID core.ID, email string) (core.Member, error) {
	defer s.lock()()
	for _, m := range s.membersOf(publisherID) {
		if strings.EqualFold(s.subscribers[m.id].Email, email) {
			return s.member(m), nil
		}
	}
	return core.Member{}, core.NotFound()
}

// UpdateMember implements core.MemberStore.
func (s *Store) UpdateMember(
	ctx context.Context, publisherID, id core.ID, role core.Role,
) (core.Member, error) {
	defer s.lock()()
	m, err := s.findMember(publisherID, id, role == core.RoleOwner)
	if err == nil && role == core.RoleOwner && m.role != core.RoleOwner {
		err = core.ErrInvitationRequired("#/role")
	}
	if err != nil {
		return core.Member{}, err
	}
	if m.role = role; role != core.RoleOwner {
		s.withdrawInvitationsBy(publisherID, id)
	}
	s.audit(ctx, publisherID, id, s.subscribers[id].Name)
	return s.member(m), nil
}

// RemoveMember implements core.MemberStore.
func (s *Store) RemoveMember(
	ctx context.Context, publisherID, id core.ID, renew core.Renewal, revokeKeys bool, now time.Time,
) (revoked []core.ID, err error) {
	defer s.lock()()
	m, err := s.findMember(publisherID, id, false)
	if err != nil {
		return nil, err
	}
	s.withdrawInvitationsBy(publisherID, id)
	s.members = slices.DeleteFunc(s.members, func(o *memberRow) bool { return o == m })
	s.forgetDrafts(publisherID, id)
	if revokeKeys {
		revoked = s.revokeKeysOf(publisherID, id, now)
	}
	s.renewWebhooks(publisherID, renew, now)
	s.audit(ctx, publisherID, id, s.subscribers[id].Name)
	return revoked, nil
}

type invitationRow struct {
	core.MembershipInvitation
	answeredBy core.ID
}

func (r *invitationRow) pending(now time.Time) bool {
	return r.State == core.InvitationPending && now.Before(r.ExpiresAt)
}

// invitation returns an invitation at a time.
func (s *Store) invitation(now time.Time) func(*invitationRow) core.MembershipInvitation {
	return func(r *invitationRow) core.MembershipInvitation {
		inv := r.MembershipInvitation
		if inv.State == core.InvitationPending && !r.pending(now) {
			inv.State = core.InvitationExpired
		}
		if p, ok := s.subscribers[inv.InvitedBy.ID]; ok {
			inv.InvitedBy = &core.Inviter{ID: p.ID, Name: p.Name, Email: p.Email}
		} else {
			inv.InvitedBy = nil
		}
		return inv
	}
}

func invitedAt(r *invitationRow) time.Time { return r.InvitedAt }

// MembershipInvitations implements core.MembershipInvitationStore.
func (s *Store) MembershipInvitations(
	_ context.Context, publisherID core.ID, page core.Page, now time.Time,
) ([]core.MembershipInvitation, int64, error) {
	defer s.lock()()
	rows := s.invitations.where(func(r *invitationRow) bool { return r.PublisherID == publisherID })
	return paged(newest(rows, invitedAt), page, s.invitation(now))
}

// Invite implements core.MembershipInvitationStore.
func (s *Store) Invite(
	ctx context.Context, inv core.MembershipInvitation, perDay int, key core.Idempotency,
) (stored core.MembershipInvitation, creation core.Creation, err error) {
	defer s.lock()()
	creation, err = once(s, key, &stored, func() (core.Creation, error) {
		before, err := s.mayInvite(inv, perDay)
		if err != nil {
			return 0, err
		}
		creation := core.Created
		if before != nil {
			if before.pending(inv.InvitedAt) {
				creation = core.Existing
			}
			if delete(s.invitations, before.ID); before.Role == inv.Role {
				inv.ID = before.ID
			}
		}
		r := &invitationRow{MembershipInvitation: inv}
		s.invitations[inv.ID] = r
		s.audit(ctx, inv.PublisherID, inv.ID, "")
		stored = s.invitation(inv.InvitedAt)(r)
		return creation, nil
	})
	return stored, creation, err
}

// mayInvite returns the invitation that another one replaces, if there is one.
func (s *Store) mayInvite(inv core.MembershipInvitation, perDay int) (before *invitationRow, err error) {
	p, err := s.publishers.get(inv.PublisherID)
	switch {
	case err != nil:
		return nil, err
	case p.Suspension != nil:
		return nil, core.ErrSuspended(core.SuspendablePublisher, *p.Suspension)
	case s.role(p.ID, inv.InvitedBy.ID) != core.RoleOwner:
		return nil, core.NotFound()
	}
	for _, m := range s.membersOf(p.ID) {
		known := strings.EqualFold(s.subscribers[m.id].Email, inv.Email)
		if known && (m.role == core.RoleOwner || m.role == inv.Role) {
			return nil, core.ErrAlreadyMember()
		}
	}
	for _, r := range s.invitations {
		if r.PublisherID == p.ID && r.Email == inv.Email {
			before = r
		}
	}
	return before, s.countInvitation(invitedAddress{p.ID, inv.Email},
		invitationTime{p.ID, inv.InvitedBy.ID, inv.InvitedAt}, perDay)
}

// WithdrawInvitation implements core.MembershipInvitationStore.
func (s *Store) WithdrawInvitation(ctx context.Context, publisherID, id core.ID) error {
	defer s.lock()()
	r, err := s.invitations.get(id)
	switch {
	case err != nil || r.PublisherID != publisherID:
		return core.NotFound()
	case r.State == core.InvitationAccepted:
		return core.ErrInvitationAccepted()
	case r.State == core.InvitationPending:
		r.State = core.InvitationWithdrawn
		s.audit(ctx, publisherID, id, "")
	}
	return nil
}

func (s *Store) withdrawInvitationsBy(publisherID, inviter core.ID) {
	for _, r := range s.invitations {
		if r.PublisherID == publisherID && r.InvitedBy.ID == inviter && r.State == core.InvitationPending {
			r.State = core.InvitationWithdrawn
		}
	}
}

// ReceivedInvitations implements core.MembershipInvitationStore.
func (s *Store) ReceivedInvitations(
	_ context.Context, id core.ID, page core.Page, now time.Time,
) ([]core.ReceivedInvitation, int64, error) {
	defer s.lock()()
	rows := s.invitations.where(func(r *invitationRow) bool {
		return r.pending(now) && s.isTo(r, id) && s.publishers[r.PublisherID].Suspension == nil
	})
	return paged(newest(rows, invitedAt), page, func(r *invitationRow) core.ReceivedInvitation {
		return core.ReceivedInvitation{MembershipInvitation: s.invitation(now)(r),
			Publisher: s.publisher(s.publishers[r.PublisherID], &id)}
	})
}

func (s *Store) isTo(r *invitationRow, id core.ID) bool {
	p, ok := s.subscribers[id]
	return ok && strings.EqualFold(p.Email, r.Email)
}

// received returns an invitation to a person, or one that they have answered.
func (s *Store) received(subscriberID, id core.ID) (*invitationRow, error) {
	r, err := s.invitations.get(id)
	if err == nil && !s.isTo(r, subscriberID) && r.answeredBy != subscriberID {
		err = core.NotFound()
	}
	return r, err
}

// AcceptInvitation implements core.MembershipInvitationStore.
func (s *Store) AcceptInvitation(
	ctx context.Context, subscriberID, id core.ID, now time.Time,
) (core.Publisher, error) {
	defer s.lock()()
	r, err := s.received(subscriberID, id)
	if err != nil {
		return core.Publisher{}, err
	}
	p, role := s.publishers[r.PublisherID], s.role(r.PublisherID, subscriberID)
	switch {
	case r.State == core.InvitationAccepted && role != "": // a repeated request
		return s.publisher(p, &subscriberID), nil
	case !r.pending(now):
		return core.Publisher{}, core.ErrInvitationEnded()
	case p.Suspension != nil:
		return core.Publisher{}, core.ErrHidden()
	case role != core.RoleOwner && r.Role == core.RoleOwner:
		if err := s.checkCap(core.CapPublishers, s.owned(subscriberID)); err != nil {
			return core.Publisher{}, err
		}
	}
	if role == "" {
		s.members = append(s.members, &memberRow{p.ID, subscriberID, r.Role, now})
	} else if m, err := s.findMember(p.ID, subscriberID, true); err == nil && role != core.RoleOwner {
		m.role = r.Role
	}
	r.State, r.answeredBy = core.InvitationAccepted, subscriberID
	s.audit(ctx, p.ID, subscriberID, s.subscribers[subscriberID].Name)
	return s.publisher(p, &subscriberID), nil
}

// DeclineInvitation implements core.MembershipInvitationStore.
func (s *Store) DeclineInvitation(_ context.Context, subscriberID, id core.ID, now time.Time) error {
	defer s.lock()()
	r, err := s.received(subscriberID, id)
	switch {
	case err != nil || r.State == core.InvitationDeclined: // a repeated request
		return err
	case !r.pending(now):
		return core.ErrInvitationEnded()
	}
	r.State, r.answeredBy = core.InvitationDeclined, subscriberID
	return nil
}
