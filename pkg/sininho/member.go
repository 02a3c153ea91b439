package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// MembersService manages the people who act for a publisher (API: /publishers/{publisherSlug}/members).
// It needs the access token of a member and, for changes, of an owner. People become members by accepting a
// membership invitation; see [MembershipInvitationsService].
type MembersService struct{ api *api.Client }

// Role determines what a member may do.
type Role string

// An owner may do everything; an editor publishes and manages channels and webhooks.
const (
	Owner  Role = "owner"
	Editor Role = "editor"
)

// Member is a person who acts for a publisher.
type Member struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Email  string `json:"email"` // empty without one
	Avatar string `json:"avatar,omitzero"`
	// AvatarProxy is where the server serves the same picture, as in [Notification].
	AvatarProxy string    `json:"avatarProxy,omitzero"`
	Role        Role      `json:"role"`
	CreatedAt   time.Time `json:"createdAt"`
}

// List iterates over the members of a publisher. The iteration ends at the first error.
func (s *MembersService) List(ctx context.Context, publisher string) iter.Seq2[Member, error] {
	slug, err := parseSlug(publisher)
	if err != nil {
		return failed[Member](err)
	}
	return listed(func(m Member) string { return m.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListMembers(ctx, slug, &api.ListMembersParams{Limit: limit, Offset: offset})
	})
}

// Update changes a member's role. It fails with [ErrConflict] and the code [CodeLastOwner] if the
// publisher would have no owner left, and with [ErrInvalid] and the code [CodeInvitationRequired] if it
// would make an editor an owner, which they have to agree to: use [MembershipInvitationsService.Create].
func (s *MembersService) Update(ctx context.Context, publisher, id string, role Role) (*Member, error) {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return nil, err
	}
	return decode[Member](s.api.UpdateMember(ctx, slug, parsed, api.MemberPatch{Role: api.Role(role)}))
}

// Remove ends a membership; members may end their own. Like Update, it refuses to remove the last owner. Every webhook
// of the publisher gets a new address, and one whose secret the member set gets a new secret, which nobody knows: see
// Webhook.AddressReplacedAt and Webhook.SecretReplacedAt. The API keys that the member created, see APIKey.CreatedBy,
// are revoked.
func (s *MembersService) Remove(ctx context.Context, publisher, id string) error {
	return s.remove(ctx, publisher, id, nil)
}

// RemoveKeepingKeys is Remove for owners, without revoking the API keys that the member created and knows: rotate them.
func (s *MembersService) RemoveKeepingKeys(ctx context.Context, publisher, id string) error {
	revokeKeys := false
	return s.remove(ctx, publisher, id, &revokeKeys)
}

func (s *MembersService) remove(ctx context.Context, publisher, id string, revokeKeys *bool) error {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return err
	}
	return check(s.api.RemoveMember(ctx, slug, parsed, &api.RemoveMemberParams{RevokeKeys: revokeKeys}))
}

// Leave ends the membership of the signed-in person. The last owner must hand the publisher over before, by inviting
// someone as [Owner] who accepts, or delete it; Leave fails with the code [CodeLastOwner] then.
func (s *MembersService) Leave(ctx context.Context, publisher string) error {
	slug, err := parseSlug(publisher)
	if err != nil {
		return err
	}
	me, err := decode[Subscriber](s.api.GetMe(ctx))
	if err != nil {
		return err
	}
	return s.Remove(ctx, slug, me.ID)
}
