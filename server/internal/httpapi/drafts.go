package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListDrafts lists the caller's drafts in a channel.
func (a *server) ListDrafts(ctx context.Context, in gen.ListDraftsRequestObject) (gen.ListDraftsResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.Drafts.List(ctx, c.caller, in.PublisherSlug, in.ChannelSlug, page)
	if err != nil {
		return nil, err
	}
	return gen.ListDrafts200JSONResponse{
		Body:    api.DraftPage{Data: convert(data, toAPIDraft), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListDrafts200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// CreateDraft saves a draft.
func (a *server) CreateDraft(
	ctx context.Context, in gen.CreateDraftRequestObject,
) (gen.CreateDraftResponseObject, error) {
	made, creation, err := a.Drafts.Create(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug,
		fromAPIDraftInput(*in.Body), idempotency(ctx, in.Params.IdempotencyKey))
	if err != nil {
		return nil, err
	}
	return gen.CreateDraft201JSONResponse{
		Body: toAPIDraft(made),
		Headers: gen.CreateDraft201ResponseHeaders{
			Location: draftLocation(in.PublisherSlug, in.ChannelSlug, "drafts", made.ID),
			ETag:     etag(made.Version()), IdempotencyReplayed: replayed(creation),
		},
	}, nil
}

// GetDraft returns a draft.
func (a *server) GetDraft(ctx context.Context, in gen.GetDraftRequestObject) (gen.GetDraftResponseObject, error) {
	found, err := a.Drafts.Get(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetDraft200JSONResponse{
		Body: toAPIDraft(found), Headers: gen.GetDraft200ResponseHeaders{ETag: etag(found.Version())},
	}, nil
}

// UpdateDraft replaces the content of a draft.
func (a *server) UpdateDraft(
	ctx context.Context, in gen.UpdateDraftRequestObject,
) (gen.UpdateDraftResponseObject, error) {
	version, err := parseIfMatch(in.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	changed, err := a.Drafts.Update(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID,
		fromAPIDraftInput(*in.Body), version)
	if err != nil {
		return nil, err
	}
	return gen.UpdateDraft200JSONResponse{
		Body: toAPIDraft(changed), Headers: gen.UpdateDraft200ResponseHeaders{ETag: etag(changed.Version())},
	}, nil
}

// DeleteDraft deletes a draft.
func (a *server) DeleteDraft(
	ctx context.Context, in gen.DeleteDraftRequestObject,
) (gen.DeleteDraftResponseObject, error) {
	version, err := parseIfMatch(in.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	if err := a.Drafts.Delete(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID, version); err != nil {
		return nil, err
	}
	return gen.DeleteDraft204Response{}, nil
}

func draftLocation(publisherSlug, slug, kind string, id core.ID) *string {
	return new(prefix + "/channels/" + publisherSlug + "/" + slug + "/" + kind + "/" + id.String())
}

func fromAPIDraftInput(in api.DraftInput) core.DraftInput {
	return core.DraftInput{Content: fromAPIDraftContent(in.Content)}
}

func fromAPIDraftContent(in api.DraftContent) core.PublishInput {
	return core.PublishInput{
		Title: value(in.Title), Body: value(in.Body), Image: value(in.Image), Icon: value(in.Icon),
		Link: value(in.Link), Importance: core.Importance(value(in.Importance)), Data: value(in.Data),
		ExternalID: value(in.ExternalID), ScheduledAt: utc(in.ScheduledAt), ExpiresAt: utc(in.ExpiresAt),
	}
}

func toAPIDraft(d core.Draft) api.Draft {
	return api.Draft{ID: d.ID, ChannelID: d.ChannelID, Content: toAPIDraftContent(d.Content),
		CreatedAt: d.CreatedAt.UTC(), UpdatedAt: d.UpdatedAt.UTC()}
}

func toAPIDraftContent(c core.PublishInput) api.DraftContent {
	out := api.DraftContent{
		Title: optional(c.Title), Body: optional(c.Body), Image: optional(c.Image), Icon: optional(c.Icon),
		Link: optional(c.Link), Importance: optional(string(c.Importance)), ExternalID: optional(c.ExternalID),
		ScheduledAt: utc(c.ScheduledAt), ExpiresAt: utc(c.ExpiresAt),
	}
	if len(c.Data) > 0 {
		out.Data = new(api.NotificationData(c.Data))
	}
	return out
}
