package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListChannelInvitations lists the invitations to a channel.
func (a *server) ListChannelInvitations(
	ctx context.Context, in gen.ListChannelInvitationsRequestObject,
) (gen.ListChannelInvitationsResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.ChannelInvitations.List(ctx, c.caller, in.PublisherSlug, in.ChannelSlug, page)
	if err != nil {
		return nil, err
	}
	return gen.ListChannelInvitations200JSONResponse{
		Body: api.ChannelInvitationPage{
			Data: convert(data, toAPIChannelInvitation), Meta: api.PageMeta{Total: total},
		},
		Headers: gen.ListChannelInvitations200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// CreateChannelInvitation makes an invitation to a private channel.
func (a *server) CreateChannelInvitation(
	ctx context.Context, in gen.CreateChannelInvitationRequestObject,
) (gen.CreateChannelInvitationResponseObject, error) {
	inv, secret, creation, err := a.ChannelInvitations.Create(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug,
		fromAPIChannelInvitationInput(*in.Body), idempotency(ctx, in.Params.IdempotencyKey))
	if err != nil {
		return nil, err
	}
	return gen.CreateChannelInvitation201JSONResponse{
		Body:    a.toAPIChannelInvitationSecret(inv, secret),
		Headers: gen.CreateChannelInvitation201ResponseHeaders{IdempotencyReplayed: replayed(creation)},
	}, nil
}

// RevokeChannelInvitation revokes an invitation to a channel.
func (a *server) RevokeChannelInvitation(
	ctx context.Context, in gen.RevokeChannelInvitationRequestObject,
) (gen.RevokeChannelInvitationResponseObject, error) {
	err := a.ChannelInvitations.Revoke(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID)
	if err != nil {
		return nil, err
	}
	return gen.RevokeChannelInvitation204Response{}, nil
}

// ShowChannelInvitation returns what an invitation leads to.
func (a *server) ShowChannelInvitation(
	ctx context.Context, in gen.ShowChannelInvitationRequestObject,
) (gen.ShowChannelInvitationResponseObject, error) {
	inv, err := a.ChannelInvitations.Show(ctx, callOf(ctx).caller, in.Body.Secret)
	if err != nil {
		return nil, err
	}
	return gen.ShowChannelInvitation200JSONResponse(a.Pictures.toAPIReceivedChannelInvitation(inv)), nil
}

// AcceptChannelInvitation makes the caller follow a channel, or asks its publisher to approve that.
func (a *server) AcceptChannelInvitation(
	ctx context.Context, in gen.AcceptChannelInvitationRequestObject,
) (gen.AcceptChannelInvitationResponseObject, error) {
	inv, err := a.ChannelInvitations.Accept(ctx, callOf(ctx).caller, in.Body.Secret)
	if err != nil {
		return nil, err
	}
	return gen.AcceptChannelInvitation200JSONResponse(a.Pictures.toAPIReceivedChannelInvitation(inv)), nil
}

func fromAPIChannelInvitationInput(in api.ChannelInvitationInput) core.ChannelInvitationInput {
	return core.ChannelInvitationInput{Approval: value(in.Approval), MaxUses: in.MaxUses,
		ExpiresAt: utc(in.ExpiresAt), Email: value(in.Email)}
}

func toAPIChannelInvitation(inv core.ChannelInvitation) api.ChannelInvitation {
	return api.ChannelInvitation{ID: inv.ID, Approval: inv.Approval, MaxUses: inv.MaxUses,
		Uses: inv.Uses, ExpiresAt: utc(inv.ExpiresAt), Email: optional(inv.Email), CreatedAt: inv.CreatedAt.UTC()}
}

func (a *server) toAPIChannelInvitationSecret(inv core.ChannelInvitation, secret string) api.ChannelInvitationSecret {
	out := api.ChannelInvitationSecret{ID: inv.ID, Approval: inv.Approval, MaxUses: inv.MaxUses,
		Uses: inv.Uses, ExpiresAt: utc(inv.ExpiresAt), Email: optional(inv.Email), CreatedAt: inv.CreatedAt.UTC(),
		Secret: optional(secret)}
	if secret != "" {
		out.URL = new(core.ChannelInvitationPage(a.PublicURL.String(), secret))
	}
	return out
}

func (pics Pictures) toAPIReceivedChannelInvitation(
	inv core.ReceivedChannelInvitation,
) api.ReceivedChannelInvitation {
	return api.ReceivedChannelInvitation{
		Channel: pics.toAPIChannelRef(inv.Channel.ChannelRef), Publisher: pics.toAPIPublisher(inv.Channel.Publisher),
		Description: optional(inv.Channel.Description), Approval: inv.Approval,
		State: optional(api.ChannelMemberState(inv.State)),
	}
}
