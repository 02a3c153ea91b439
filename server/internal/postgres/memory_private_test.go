package postgres_test

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func scriptPrivateChannel(ctx context.Context, s *script) {
	id := s.channel.ID
	members := func(what string) {
		for _, state := range []core.ChannelMemberState{core.MemberJoined, core.MemberRequested} {
			data, total, err := s.ChannelMembers(ctx, id, state, core.Page{Limit: 10})
			s.note(what, state, data, total, err)
		}
	}
	visibility := func(v core.Visibility) {
		c, err := s.UpdateChannel(ctx, id, core.ChannelPatch{Visibility: &v}, nil, s.now, &s.rui)
		s.note("make it "+string(v), c.Visibility, c.Following, err)
	}
	invite := func(what string, inv core.ChannelInvitation) core.ChannelInvitation {
		inv.ID, inv.ChannelID, inv.CreatedAt = core.NewID(), id, s.now
		by := core.ChannelInviter{SubscriberID: s.ana, PerDay: 2}
		made, creation, err := s.CreateChannelInvitation(ctx, inv, core.HashSecret(what), by, core.Idempotency{})
		s.note("invite by "+what, made, creation, err)
		return made
	}
	answer := func(what string, person core.ID) {
		for _, reader := range []*core.ID{nil, &person} {
			inv, err := s.ChannelInvitationBySecret(ctx, core.HashSecret(what), reader, s.now)
			s.note("look at "+what, inv.Uses, inv.State, inv.Channel.Slug, err)
		}
		inv, err := s.AcceptChannelInvitation(ctx, core.HashSecret(what), person, s.now)
		s.note("accept "+what, inv.State, err)
	}
	follows := func() {
		follows, err := s.IsFollower(ctx, id, s.rui)
		s.note("rui follows", follows, err)
	}

	members("members of a public channel")
	invite("none", core.ChannelInvitation{})
	visibility(core.Private)
	_, err := s.Subscribe(ctx, s.rui, id, s.now)
	s.note("follow uninvited", err)
	s.note("unfollow uninvited", s.Unsubscribe(ctx, s.rui, id, s.now))
	one := invite("once", core.ChannelInvitation{MaxUses: new(int32(1))})
	invite("until", core.ChannelInvitation{ExpiresAt: new(s.now.Add(time.Hour))})
	approval := invite("approval", core.ChannelInvitation{Approval: true})
	invite("one too many", core.ChannelInvitation{})
	answer("nothing", s.rui)
	answer("approval", s.rui)
	answer("approval", s.rui)
	answer("approval", s.ana) // only one may wait
	members("requested")
	follows()
	m, err := s.ApproveChannelMember(ctx, id, s.rui, s.now)
	s.note("approve", m, err)
	_, err = s.ApproveChannelMember(ctx, id, s.ana, s.now)
	s.note("approve who has not asked", err)
	follows()
	members("joined")
	answer("once", s.rui) // uses nothing up
	answer("once", s.ana)
	_, err = s.Subscribe(ctx, s.ana, id, s.now)
	s.note("follow again", err)
	s.note("remove ana", s.RemoveChannelMember(ctx, id, s.ana, s.now))
	s.note("remove ana again", s.RemoveChannelMember(ctx, id, s.ana, s.now))
	answer("once", s.ana)
	answer("until", s.ana) // it was made before
	s.now = s.now.Add(time.Minute)
	s.note("revoke for another", s.RevokeChannelInvitation(ctx, id, one.ID, s.now))
	invite("again", core.ChannelInvitation{})
	answer("again", s.ana)
	s.now = s.now.Add(2 * time.Hour)
	answer("until", s.ana) // a member already
	s.note("leave", s.Unsubscribe(ctx, s.ana, id, s.now))
	answer("until", s.ana)
	s.note("revoke", s.RevokeChannelInvitation(ctx, id, approval.ID, s.now))
	s.note("revoke again", s.RevokeChannelInvitation(ctx, id, approval.ID, s.now))
	s.note("revoke none", s.RevokeChannelInvitation(ctx, id, s.ana, s.now))
	answer("approval", s.ana)
	bia := invite("bia", core.ChannelInvitation{Email: "bia@example.com", MaxUses: new(int32(1)),
		ExpiresAt: new(s.now.Add(time.Hour))})
	s.note("revoke hers", s.RevokeChannelInvitation(ctx, id, bia.ID, s.now))
	s.note("revoke once", s.RevokeChannelInvitation(ctx, id, one.ID, s.now))
	invite("eva", core.ChannelInvitation{Email: "eva@example.com", ExpiresAt: new(s.now.Add(time.Hour))})
	invite("the third address", core.ChannelInvitation{Email: "lia@example.com"})
	list, total, err := s.ChannelInvitations(ctx, id, core.Page{Limit: 10})
	s.note("invitations", len(list), total, err)
	invite("another", core.ChannelInvitation{Approval: true})
	answer("another", s.ana)
	visibility(core.Public)
	s.note("approve in a public channel", first(s.ApproveChannelMember(ctx, id, s.ana, s.now)))
	s.note("remove from a public channel", s.RemoveChannelMember(ctx, id, s.rui, s.now))
	answer("another", s.ana)
	visibility(core.Private)
	members("in the end")
}

func first[T any](_ T, err error) error { return err }
