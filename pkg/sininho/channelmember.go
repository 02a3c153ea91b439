package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// ChannelMembersService manages the people who follow a private channel (API:
// /channels/{publisherSlug}/{channelSlug}/members). It needs an API key with the scope [ScopeChannels], or a member's
// access token. People join by an invitation; see [ChannelInvitationsService].
type ChannelMembersService struct{ api *api.Client }

// ChannelMemberState says whether somebody has joined a private channel. Later servers may have more states.
type ChannelMemberState string

// A member follows the channel; whoever has asked to join waits for approval.
const (
	MemberJoined    ChannelMemberState = "member"
	MemberRequested ChannelMemberState = "requested"
)

// ChannelMember is somebody who follows a private channel, or has asked to.
type ChannelMember struct {
	ID    string             `json:"id"`
	Name  string             `json:"name"`
	State ChannelMemberState `json:"state"`
	Since time.Time          `json:"since"`
}

// List iterates over the members of a private channel, or over those who have asked to join, the latest first. It fails
// with [ErrConflict] and the code [CodeNotPrivate] if the channel is not private. The iteration ends at the first
// error.
func (s *ChannelMembersService) List(
	ctx context.Context, channel string, state ChannelMemberState,
) iter.Seq2[ChannelMember, error] {
	a, err := ParseAddress(channel)
	if err != nil {
		return failed[ChannelMember](err)
	}
	wanted := api.ChannelMemberStateInput(state)
	id := func(m ChannelMember) string { return m.ID }
	return listed(id, func(limit, offset *int32) (*http.Response, error) {
		params := &api.ListChannelMembersParams{Limit: limit, Offset: offset, State: &wanted}
		return s.api.ListChannelMembers(ctx, a.Publisher, a.Channel, params)
	})
}

// Approve approves a request to join. Approving a member again changes nothing.
func (s *ChannelMembersService) Approve(ctx context.Context, channel, id string) (*ChannelMember, error) {
	a, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return nil, err
	}
	return decode[ChannelMember](s.api.ApproveChannelMember(ctx, a.Publisher, a.Channel, parsed))
}

// Remove removes a member, or refuses a request to join. From then on the channel does not exist for the person, who
// needs a later invitation to come back. Removing somebody who is no member changes nothing.
func (s *ChannelMembersService) Remove(ctx context.Context, channel, id string) error {
	a, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return err
	}
	return check(s.api.RemoveChannelMember(ctx, a.Publisher, a.Channel, parsed))
}
