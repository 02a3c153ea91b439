package memory

import (
	"bytes"
	"context"
	"maps"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var _ interface {
	core.ChannelMemberStore
	core.ChannelInvitationStore
} = (*Store)(nil)

type channelInvitationRow struct {
	core.ChannelInvitation
	hash    []byte
	revoked bool
}

// IsFollower reports whether a person follows a channel.
func (s *Store) IsFollower(_ context.Context, channelID, subscriberID core.ID) (bool, error) {
	defer s.lock()()
	return s.subscriptions[pair{subscriberID, channelID}] != nil, nil
}

// privateChannel fails with CodeConflict unless a channel is private.
func (s *Store) privateChannel(id core.ID) error {
	c, err := s.openChannel(id, nil)
	if err == nil && c.Visibility != core.Private {
		err = core.ErrNotPrivate()
	}
	return err
}

func (s *Store) channelMember(id core.ID, state core.ChannelMemberState, since time.Time) *core.ChannelMember {
	return &core.ChannelMember{ID: id, Name: s.subscribers[id].Name, State: state, Since: since}
}

// ChannelMembers implements core.ChannelMemberStore.
func (s *Store) ChannelMembers(
	_ context.Context, channelID core.ID, state core.ChannelMemberState, page core.Page,
) ([]core.ChannelMember, int64, error) {
	defer s.lock()()
	if err := s.privateChannel(channelID); err != nil {
		return nil, 0, err
	}
	var all []*core.ChannelMember
	for of, r := range s.subscriptions {
		if of.id == channelID && state == core.MemberJoined {
			all = append(all, s.channelMember(of.subscriberID, core.MemberJoined, r.followedAt))
		}
	}
	for of, at := range s.requests {
		if of.id == channelID && state == core.MemberRequested {
			all = append(all, s.channelMember(of.subscriberID, state, at))
		}
	}
	rows := newest(all, func(m *core.ChannelMember) time.Time { return m.Since })
	return paged(rows, page, func(m *core.ChannelMember) core.ChannelMember { return *m })
}

// ApproveChannelMember implements core.ChannelMemberStore.
func (s *Store) ApproveChannelMember(
	ctx context.Context, channelID, subscriberID core.ID, now time.Time,
) (core.ChannelMember, error) {
	defer s.lock()()
	if err := s.privateChannel(channelID); err != nil {
		return core.ChannelMember{}, err
	}
	of := pair{subscriberID, channelID}
	_, asked := s.requests[of]
	sub, err := s.subscribe(subscriberID, channelID, asked, now)
	if err == nil {
		delete(s.requests, of)
		s.auditMember(ctx, channelID, subscriberID)
	}
	return *s.channelMember(subscriberID, core.MemberJoined, sub.FollowedAt), err
}

// RemoveChannelMember implements core.ChannelMemberStore.
func (s *Store) RemoveChannelMember(ctx context.Context, channelID, subscriberID core.ID, now time.Time) error {
	defer s.lock()()
	if err := s.privateChannel(channelID); err != nil {
		return err
	}
	of := pair{subscriberID, channelID}
	_, asked := s.requests[of]
	delete(s.requests, of)
	if left := s.unsubscribe(subscriberID, channelID, now); left == nil || asked {
		s.refused[of] = now
		s.auditMember(ctx, channelID, subscriberID)
	}
	return nil
}

// ChannelInvitations implements core.ChannelInvitationStore.
func (s *Store) ChannelInvitations(
	_ context.Context, channelID core.ID, page core.Page,
) ([]core.ChannelInvitation, int64, error) {
	defer s.lock()()
	rows := newest(s.openInvitations(channelID), func(i *channelInvitationRow) time.Time { return i.CreatedAt })
	return paged(rows, page, func(i *channelInvitationRow) core.ChannelInvitation { return i.ChannelInvitation })
}

func (s *Store) openInvitations(channelID core.ID) []*channelInvitationRow {
	return s.channelInvitations.where(func(i *channelInvitationRow) bool {
		return i.ChannelID == channelID && !i.revoked
	})
}

// CreateChannelInvitation implements core.ChannelInvitationStore.
func (s *Store) CreateChannelInvitation(
	ctx context.Context, inv core.ChannelInvitation, hash []byte, by core.ChannelInviter, key core.Idempotency,
) (core.ChannelInvitation, core.Creation, error) {
	defer s.lock()()
	creation, err := once(s, key, &inv, func() (core.Creation, error) {
		if err := s.privateChannel(inv.ChannelID); err != nil {
			return 0, err
		}
		if err := s.checkCap(core.CapInvitations, len(s.openInvitations(inv.ChannelID))); err != nil {
			return 0, err
		}
		if inv.Email != "" {
			if what, suspension, err := s.channelSuspension(inv.ChannelID); err == nil {
				return 0, core.ErrSuspended(what, suspension)
			}
			err := s.countInvitation(invitedAddress{inv.ChannelID, inv.Email},
				invitationTime{s.channels[inv.ChannelID].Publisher.ID, by.SubscriberID, inv.CreatedAt}, by.PerDay)
			if err != nil {
				return 0, err
			}
		}
		s.channelInvitations[inv.ID] = &channelInvitationRow{ChannelInvitation: inv, hash: hash}
		s.auditChannel(ctx, inv.ChannelID, inv.ID)
		return core.Created, nil
	})
	return inv, creation, err
}

// RevokeChannelInvitation implements core.ChannelInvitationStore.
func (s *Store) RevokeChannelInvitation(ctx context.Context, channelID, id core.ID, _ time.Time) error {
	defer s.lock()()
	i, err := s.channelInvitations.get(id)
	if err != nil || i.ChannelID != channelID {
		return core.NotFound()
	}
	i.revoked = true
	s.auditChannel(ctx, channelID, id)
	return nil
}

// ChannelInvitationBySecret implements core.ChannelInvitationStore.
func (s *Store) ChannelInvitationBySecret(
	_ context.Context, hash []byte, subscriberID *core.ID, now time.Time,
) (core.ReceivedChannelInvitation, error) {
	defer s.lock()()
	_, inv, err := s.receivedInvitation(hash, subscriberID, now)
	return inv, err
}

func (s *Store) receivedInvitation(
	hash []byte, subscriberID *core.ID, now time.Time,
) (row *channelInvitationRow, inv core.ReceivedChannelInvitation, err error) {
	row, err = s.channelInvitations.first(func(i *channelInvitationRow) bool {
		return !i.revoked && bytes.Equal(i.hash, hash)
	})
	if err != nil {
		return nil, inv, err
	}
	c, err := s.openChannel(row.ChannelID, nil)
	if err != nil || c.Visibility != core.Private || s.ref(c).Suspended {
		return nil, inv, core.NotFound()
	}
	inv = core.ReceivedChannelInvitation{ChannelInvitation: row.ChannelInvitation, Channel: s.channel(c, subscriberID)}
	if subscriberID != nil {
		if *inv.Channel.Following {
			inv.State = core.MemberJoined
		} else if _, asked := s.requests[pair{*subscriberID, c.ID}]; asked {
			inv.State = core.MemberRequested
		} else if at, ok := s.refused[pair{*subscriberID, c.ID}]; ok && !inv.CreatedAt.After(at) {
			return nil, inv, core.NotFound()
		}
	}
	if inv.State == "" && !inv.IsOpen(now) {
		return nil, inv, core.NotFound()
	}
	return row, inv, nil
}

// AcceptChannelInvitation implements core.ChannelInvitationStore.
func (s *Store) AcceptChannelInvitation(
	_ context.Context, hash []byte, subscriberID core.ID, now time.Time,
) (core.ReceivedChannelInvitation, error) {
	defer s.lock()()
	row, inv, err := s.receivedInvitation(hash, &subscriberID, now)
	if err != nil || inv.State == core.MemberJoined || inv.State == core.MemberRequested && inv.Approval {
		return inv, err
	}
	of := pair{subscriberID, inv.ChannelID}
	if inv.Approval {
		waiting := 0
		for other := range s.requests {
			if other.id == of.id {
				waiting++
			}
		}
		if err := s.checkCap(core.CapRequests, waiting); err != nil {
			return inv, err
		}
		delete(s.refused, of)
		s.requests[of], inv.State = now, core.MemberRequested
		row.Uses++
		return inv, nil
	}
	if !inv.IsOpen(now) {
		return inv, core.NotFound()
	}
	if _, err := s.subscribe(subscriberID, inv.ChannelID, true, now); err != nil {
		return inv, err
	}
	delete(s.requests, of)
	delete(s.refused, of)
	inv.State = core.MemberJoined
	row.Uses++
	return inv, nil
}

// auditChannel records what was done with an object of a channel.
func (s *Store) auditChannel(ctx context.Context, channelID, id core.ID) {
	c := s.channels[channelID]
	s.audit(ctx, c.Publisher.ID, id, c.Slug)
}

// auditMember records what was done with a member of a channel.
func (s *Store) auditMember(ctx context.Context, channelID, subscriberID core.ID) {
	s.audit(ctx, s.channels[channelID].Publisher.ID, subscriberID, s.subscribers[subscriberID].Name)
}

// dropRequests forgets who has asked to join a channel, and who was refused.
func (s *Store) dropRequests(channelID core.ID) {
	for _, table := range []map[pair]time.Time{s.requests, s.refused} {
		maps.DeleteFunc(table, func(of pair, _ time.Time) bool { return of.id == channelID })
	}
}
