package sininho

import (
	"context"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// ChannelInvitationsService invites people to a private channel, and takes the answers of the signed-in person (API:
// /channels/{publisherSlug}/{channelSlug}/invitations and /channel-invitations). To invite it needs an API key with the
// scope [ScopeChannels], or a member's access token; to accept, a person's access token.
type ChannelInvitationsService struct{ api *api.Client }

// ChannelInvitation is a link by which people join a private channel.
type ChannelInvitation struct {
	ID string `json:"id"`
	// Approval means that those who open it ask to join, and wait for [ChannelMembersService.Approve].
	Approval  bool      `json:"approval"`
	MaxUses   int       `json:"maxUses,omitzero"` // how many people may join by it; 0: any number
	Uses      int       `json:"uses"`             // how many have joined, or asked to
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
	Email     string    `json:"email,omitzero"` // to which it is sent; empty: to none
	CreatedAt time.Time `json:"createdAt"`
	// Secret and URL, the page where people join, are set by Create alone, unless the request was a repeat.
	Secret string `json:"secret,omitzero"`
	URL    string `json:"url,omitzero"`
}

// ChannelInvitationInput describes a new invitation. The zero value is a link for any number of people, without an end.
type ChannelInvitationInput struct {
	Approval  bool
	MaxUses   int
	ExpiresAt time.Time // in the future; zero: never, or with an Email after 14 days
	// Email is the address to send the link to. Without MaxUses it is for one person, whoever opens it first.
	Email string
}

// ReceivedChannelInvitation is an invitation as the invited person sees it.
type ReceivedChannelInvitation struct {
	Channel     ChannelRef         `json:"channel"`
	Publisher   Publisher          `json:"publisher"`
	Description string             `json:"description,omitzero"`
	Approval    bool               `json:"approval"`       // joining waits for approval
	State       ChannelMemberState `json:"state,omitzero"` // empty until the person accepts
}

// List iterates over the invitations to a channel that were not revoked, the latest first. The iteration ends at the
// first error.
func (s *ChannelInvitationsService) List(ctx context.Context, channel string) iter.Seq2[ChannelInvitation, error] {
	a, err := ParseAddress(channel)
	if err != nil {
		return failed[ChannelInvitation](err)
	}
	id := func(i ChannelInvitation) string { return i.ID }
	return listed(id, func(limit, offset *int32) (*http.Response, error) {
		params := &api.ListChannelInvitationsParams{Limit: limit, Offset: offset}
		return s.api.ListChannelInvitations(ctx, a.Publisher, a.Channel, params)
	})
}

// Create makes an invitation to a private channel. It fails with [ErrConflict] and the code [CodeNotPrivate] if the
// channel is not private. With an Email, the link is sent there at most once a day, and the limit of addresses that a
// person or a publisher can invite a day is [ErrRateLimited] with the code [CodeTooManyInvitations].
func (s *ChannelInvitationsService) Create(
	ctx context.Context, channel string, in ChannelInvitationInput, opts ...CallOption,
) (*ChannelInvitation, error) {
	a, err := ParseAddress(channel)
	if err != nil {
		return nil, err
	}
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	body := api.ChannelInvitationInput{Approval: &in.Approval, ExpiresAt: optionalTime(in.ExpiresAt)}
	if in.Email != "" {
		body.Email = &in.Email
	}
	if in.MaxUses != 0 {
		body.MaxUses = new(int32(in.MaxUses)) //nolint:gosec // the server checks it
	}
	return decode[ChannelInvitation](s.api.CreateChannelInvitation(ctx, a.Publisher, a.Channel,
		&api.CreateChannelInvitationParams{IdempotencyKey: &c.key}, body))
}

// Revoke ends an invitation. Those who have joined by it stay. Revoking it again changes nothing.
func (s *ChannelInvitationsService) Revoke(ctx context.Context, channel, id string) error {
	a, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return err
	}
	return check(s.api.RevokeChannelInvitation(ctx, a.Publisher, a.Channel, parsed))
}

// Show returns what an invitation leads to, by its link or its secret. It fails with [ErrNotFound] if the invitation
// has ended, or never was.
func (s *ChannelInvitationsService) Show(ctx context.Context, link string) (*ReceivedChannelInvitation, error) {
	return decode[ReceivedChannelInvitation](s.api.ShowChannelInvitation(ctx, answer(link)))
}

// Accept makes the signed-in person follow the channel, or asks its publisher to approve that. The publisher's members
// see the person's name. It fails as Show does.
func (s *ChannelInvitationsService) Accept(ctx context.Context, link string) (*ReceivedChannelInvitation, error) {
	return decode[ReceivedChannelInvitation](s.api.AcceptChannelInvitation(ctx, answer(link)))
}

// answer takes the secret from a link.
func answer(link string) api.ChannelInvitationAnswer {
	_, secret, found := strings.Cut(link, "#")
	if !found {
		secret = link
	}
	return api.ChannelInvitationAnswer{Secret: secret}
}
