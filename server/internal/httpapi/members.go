package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListMembers lists a publisher's members.
func (a *server) ListMembers(
	ctx context.Context, in gen.ListMembersRequestObject,
) (gen.ListMembersResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.Members.List(ctx, c.caller, in.PublisherSlug, page)
	if err != nil {
		return nil, err
	}
	return gen.ListMembers200JSONResponse{
		Body:    api.MemberPage{Data: convert(data, a.Pictures.toAPIMember), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListMembers200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// AddMember returns a member of a publisher. It adds nobody.
func (a *server) AddMember(ctx context.Context, in gen.AddMemberRequestObject) (gen.AddMemberResponseObject, error) {
	m, err := a.Members.Add(ctx, callOf(ctx).caller, in.PublisherSlug, in.Body.Email)
	if err != nil {
		return nil, err
	}
	location := prefix + "/publishers/" + in.PublisherSlug + "/members/" + m.ID.String()
	return gen.AddMember200JSONResponse{
		Body: a.Pictures.toAPIMember(m), Headers: gen.AddMember200ResponseHeaders{Location: &location},
	}, nil
}

// UpdateMember changes a member's role.
func (a *server) UpdateMember(
	ctx context.Context, in gen.UpdateMemberRequestObject,
) (gen.UpdateMemberResponseObject, error) {
	m, err := a.Members.Update(ctx, callOf(ctx).caller, in.PublisherSlug, in.ID, core.Role(in.Body.Role))
	if err != nil {
		return nil, err
	}
	return gen.UpdateMember200JSONResponse(a.Pictures.toAPIMember(m)), nil
}

// RemoveMember removes a member from a publisher.
func (a *server) RemoveMember(
	ctx context.Context, in gen.RemoveMemberRequestObject,
) (gen.RemoveMemberResponseObject, error) {
	revokeKeys := in.Params.RevokeKeys == nil || *in.Params.RevokeKeys
	if err := a.Members.Remove(ctx, callOf(ctx).caller, in.PublisherSlug, in.ID, revokeKeys); err != nil {
		return nil, err
	}
	return gen.RemoveMember204Response{}, nil
}

func (pics Pictures) toAPIMember(m core.Member) api.Member {
	return api.Member{
		ID: m.ID, Name: m.Name, Email: optional(m.Email), Avatar: optional(m.Avatar),
		AvatarProxy: pics.proxy(m.Avatar), Role: api.Role(m.Role),
		CreatedAt: m.CreatedAt.UTC(),
	}
}
