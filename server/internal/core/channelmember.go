package core

import (
	"context"
	"time"
)

// A private channel is for its members: those who follow it. They join by an invitation, or by a request that is
// approved. Its publisher sees their names.

// ChannelMember is somebody who follows a private channel, or has asked to.
type ChannelMember struct {
	ID    ID // the subscriber's id
	Name  string
	State ChannelMemberState
	Since time.Time
}

// ChannelMemberState says whether somebody has joined a private channel.
type ChannelMemberState string

// The states.
const (
	MemberJoined    ChannelMemberState = "member"
	MemberRequested ChannelMemberState = "requested" // waits for approval
)

// ChannelMemberStore keeps the members of private channels, and the requests to join.
type ChannelMemberStore interface {
	// ChannelMembers returns those in a state, the latest first. It fails with CodeConflict when the channel is not
	// private.
	ChannelMembers(
		ctx context.Context, channelID ID, state ChannelMemberState, page Page,
	) (data []ChannelMember, total int64, err error)
	// ApproveChannelMember makes somebody who has asked to join a private channel follow it. It fails with CodeNotFound
	// when they have not asked and do not follow it, and otherwise as Subscribe does.
	ApproveChannelMember(ctx context.Context, channelID, subscriberID ID, now time.Time) (ChannelMember, error)
	// RemoveChannelMember makes somebody follow a private channel no more, and forgets that they asked to. It fails
	// with CodeConflict when the channel is not private.
	RemoveChannelMember(ctx context.Context, channelID, subscriberID ID, now time.Time) error
}

type channelMembersStore interface {
	ChannelStore
	PublisherStore
	ChannelMemberStore
}

// ChannelMembers lists, approves and removes the members of private channels.
type ChannelMembers struct {
	store    channelMembersStore
	announce Announcer
	now      func() time.Time
}

// NewChannelMembers returns the service for the members of private channels.
func NewChannelMembers(store channelMembersStore, announce Announcer, now func() time.Time) *ChannelMembers {
	return &ChannelMembers{store: store, announce: announce, now: now}
}

// List returns the members of a channel of a publisher that the caller may edit, or those who have asked to join.
func (s *ChannelMembers) List(
	ctx context.Context, c Caller, publisherSlug, slug string, state ChannelMemberState, page Page,
) ([]ChannelMember, int64, error) {
	channel, err := editable(ctx, s.store, c, publisherSlug, slug, ScopeChannels)
	if err != nil {
		return nil, 0, err
	}
	return s.store.ChannelMembers(ctx, channel.ID, state, page)
}

// Approve approves a request to join a channel of a publisher that the caller may edit.
func (s *ChannelMembers) Approve(
	ctx context.Context, c Caller, publisherSlug, slug string, subscriberID ID,
) (ChannelMember, error) {
	channel, err := editable(ctx, s.store, c, publisherSlug, slug, ScopeChannels)
	if err != nil {
		return ChannelMember{}, err
	}
	m, err := s.store.ApproveChannelMember(ctx, channel.ID, subscriberID, s.now())
	if err == nil {
		s.announce.Followed(ctx, subscriberID)
	}
	return m, err
}

// Remove removes a member of a channel of a publisher that the caller may edit, or refuses a request to join.
func (s *ChannelMembers) Remove(ctx context.Context, c Caller, publisherSlug, slug string, subscriberID ID) error {
	channel, err := editable(ctx, s.store, c, publisherSlug, slug, ScopeChannels)
	if err != nil {
		return err
	}
	if err := s.store.RemoveChannelMember(ctx, channel.ID, subscriberID, s.now()); err != nil {
		return err
	}
	s.announce.Followed(ctx, subscriberID)
	s.announce.ChannelLeft(ctx, channel.ID)
	return nil
}

// ErrNotPrivate returns the error for the members of a channel that is not private.
func ErrNotPrivate() *Error {
	return Conflict("not_private", Text{
		EN: "The channel is not private. Who follows it is shown to nobody.",
		PT: "O canal não é privado. Quem o segue não é mostrado a ninguém."})
}
