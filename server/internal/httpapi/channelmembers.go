package httpapi

import (
	"cmp"
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListChannelMembers lists the members of a private channel.
func (a *server) ListChannelMembers(
	ctx context.Context, in gen.ListChannelMembersRequestObject,
) (gen.ListChannelMembersResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.ChannelMembers.List(ctx, c.caller, in.PublisherSlug, in.ChannelSlug,
		cmp.Or(core.ChannelMemberState(value(in.Params.State)), core.MemberJoined), page)
	if err != nil {
		return nil, err
	}
	return gen.ListChannelMembers200JSONResponse{
		Body:    api.ChannelMemberPage{Data: convert(data, toAPIChannelMember), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListChannelMembers200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// ApproveChannelMember approves a request to join a private channel.
func (a *server) ApproveChannelMember(
	ctx context.Context, in gen.ApproveChannelMemberRequestObject,
) (gen.ApproveChannelMemberResponseObject, error) {
	m, err := a.ChannelMembers.Approve(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID)
	if err != nil {
		return nil, err
	}
	return gen.ApproveChannelMember200JSONResponse(toAPIChannelMember(m)), nil
}

// RemoveChannelMember removes a member of a private channel, or refuses a request to join.
func (a *server) RemoveChannelMember(
	ctx context.Context, in gen.RemoveChannelMemberRequestObject,
) (gen.RemoveChannelMemberResponseObject, error) {
	err := a.ChannelMembers.Remove(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID)
	if err != nil {
		return nil, err
	}
	return gen.RemoveChannelMember204Response{}, nil
}

func toAPIChannelMember(m core.ChannelMember) api.ChannelMember {
	return api.ChannelMember{ID: m.ID, Name: m.Name, State: api.ChannelMemberState(m.State), Since: m.Since.UTC()}
}
