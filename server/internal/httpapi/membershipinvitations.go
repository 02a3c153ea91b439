package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListMembershipInvitations lists a publisher's membership invitations.
func (a *server) ListMembershipInvitations(
	ctx context.Context, in gen.ListMembershipInvitationsRequestObject,
) (gen.ListMembershipInvitationsResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.Invitations.List(ctx, c.caller, in.PublisherSlug, page)
	if err != nil {
		return nil, err
	}
	return gen.ListMembershipInvitations200JSONResponse{
		Body: api.MembershipInvitationPage{
			Data: convert(data, a.toAPIMembershipInvitation), Meta: api.PageMeta{Total: total},
		},
		Headers: gen.ListMembershipInvitations200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// CreateMembershipInvitation invites an address to be a member of a publisher.
func (a *server) CreateMembershipInvitation(
	ctx context.Context, in gen.CreateMembershipInvitationRequestObject,
) (gen.CreateMembershipInvitationResponseObject, error) {
	key := idempotency(ctx, in.Params.IdempotencyKey)
	inv, creation, err := a.Invitations.Create(ctx, callOf(ctx).caller, in.PublisherSlug,
		fromAPIMembershipInvitationInput(*in.Body), key)
	if err != nil {
		return nil, err
	}
	if creation == core.Existing || creation == core.ReplayedExisting {
		return gen.CreateMembershipInvitation200JSONResponse{
			Body:    a.toAPIMembershipInvitation(inv),
			Headers: gen.CreateMembershipInvitation200ResponseHeaders{IdempotencyReplayed: replayed(creation)},
		}, nil
	}
	return gen.CreateMembershipInvitation201JSONResponse{
		Body:    a.toAPIMembershipInvitation(inv),
		Headers: gen.CreateMembershipInvitation201ResponseHeaders{IdempotencyReplayed: replayed(creation)},
	}, nil
}

// WithdrawMembershipInvitation withdraws a membership invitation.
func (a *server) WithdrawMembershipInvitation(
	ctx context.Context, in gen.WithdrawMembershipInvitationRequestObject,
) (gen.WithdrawMembershipInvitationResponseObject, error) {
	if err := a.Invitations.Withdraw(ctx, callOf(ctx).caller, in.PublisherSlug, in.ID); err != nil {
		return nil, err
	}
	return gen.WithdrawMembershipInvitation204Response{}, nil
}

// ListMyMembershipInvitations lists the membership invitations that wait for an answer of the caller.
func (a *server) ListMyMembershipInvitations(
	ctx context.Context, in gen.ListMyMembershipInvitationsRequestObject,
) (gen.ListMyMembershipInvitationsResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.Invitations.Received(ctx, c.caller, page)
	if err != nil {
		return nil, err
	}
	return gen.ListMyMembershipInvitations200JSONResponse{
		Body: api.ReceivedMembershipInvitationPage{
			Data: convert(data, a.Pictures.toAPIReceivedInvitation), Meta: api.PageMeta{Total: total},
		},
		Headers: gen.ListMyMembershipInvitations200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// AcceptMembershipInvitation makes the caller a member of the publisher that invites them.
func (a *server) AcceptMembershipInvitation(
	ctx context.Context, in gen.AcceptMembershipInvitationRequestObject,
) (gen.AcceptMembershipInvitationResponseObject, error) {
	p, err := a.Invitations.Accept(ctx, callOf(ctx).caller, in.ID)
	if err != nil {
		return nil, err
	}
	return gen.AcceptMembershipInvitation200JSONResponse(a.Pictures.toAPIPublisher(p)), nil
}

// DeclineMembershipInvitation declines a membership invitation to the caller.
func (a *server) DeclineMembershipInvitation(
	ctx context.Context, in gen.DeclineMembershipInvitationRequestObject,
) (gen.DeclineMembershipInvitationResponseObject, error) {
	if err := a.Invitations.Decline(ctx, callOf(ctx).caller, in.ID); err != nil {
		return nil, err
	}
	return gen.DeclineMembershipInvitation204Response{}, nil
}

func fromAPIMembershipInvitationInput(in api.MembershipInvitationInput) core.MembershipInvitationInput {
	return core.MembershipInvitationInput{Email: in.Email, Role: core.Role(in.Role)}
}

func (a *server) toAPIMembershipInvitation(inv core.MembershipInvitation) api.MembershipInvitation {
	return api.MembershipInvitation{
		ID: inv.ID, Email: inv.Email, Role: api.Role(inv.Role), State: api.MembershipInvitationState(inv.State),
		InvitedBy: toAPIInviter(inv.InvitedBy), URL: core.InvitationsPage(a.PublicURL.String()),
		InvitedAt: inv.InvitedAt.UTC(), ExpiresAt: inv.ExpiresAt.UTC(),
	}
}

func (pics Pictures) toAPIReceivedInvitation(inv core.ReceivedInvitation) api.ReceivedMembershipInvitation {
	return api.ReceivedMembershipInvitation{
		ID: inv.ID, Publisher: pics.toAPIPublisher(inv.Publisher), Role: api.Role(inv.Role),
		State: api.MembershipInvitationState(inv.State), InvitedBy: toAPIInviter(inv.InvitedBy),
		InvitedAt: inv.InvitedAt.UTC(), ExpiresAt: inv.ExpiresAt.UTC(),
	}
}

func toAPIInviter(i *core.Inviter) *api.Inviter {
	if i == nil {
		return nil
	}
	return &api.Inviter{Name: i.Name, Email: optional(i.Email)}
}
