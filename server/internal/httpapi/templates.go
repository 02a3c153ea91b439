package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListTemplates lists a channel's templates.
func (a *server) ListTemplates(
	ctx context.Context, in gen.ListTemplatesRequestObject,
) (gen.ListTemplatesResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.Templates.List(ctx, c.caller, in.PublisherSlug, in.ChannelSlug, page)
	if err != nil {
		return nil, err
	}
	return gen.ListTemplates200JSONResponse{
		Body:    api.TemplatePage{Data: convert(data, toAPITemplate), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListTemplates200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// CreateTemplate creates a template.
func (a *server) CreateTemplate(
	ctx context.Context, in gen.CreateTemplateRequestObject,
) (gen.CreateTemplateResponseObject, error) {
	made, creation, err := a.Templates.Create(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug,
		fromAPITemplateInput(*in.Body), idempotency(ctx, in.Params.IdempotencyKey))
	if err != nil {
		return nil, err
	}
	return gen.CreateTemplate201JSONResponse{
		Body: toAPITemplate(made),
		Headers: gen.CreateTemplate201ResponseHeaders{
			Location: draftLocation(in.PublisherSlug, in.ChannelSlug, "templates", made.ID),
			ETag:     etag(made.Version()), IdempotencyReplayed: replayed(creation),
		},
	}, nil
}

// GetTemplate returns a template.
func (a *server) GetTemplate(
	ctx context.Context, in gen.GetTemplateRequestObject,
) (gen.GetTemplateResponseObject, error) {
	found, err := a.Templates.Get(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetTemplate200JSONResponse{
		Body: toAPITemplate(found), Headers: gen.GetTemplate200ResponseHeaders{ETag: etag(found.Version())},
	}, nil
}

// UpdateTemplate changes a template.
func (a *server) UpdateTemplate(
	ctx context.Context, in gen.UpdateTemplateRequestObject,
) (gen.UpdateTemplateResponseObject, error) {
	version, err := parseIfMatch(in.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	changed, err := a.Templates.Update(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID,
		fromAPITemplatePatch(*in.Body), version)
	if err != nil {
		return nil, err
	}
	return gen.UpdateTemplate200JSONResponse{
		Body: toAPITemplate(changed), Headers: gen.UpdateTemplate200ResponseHeaders{ETag: etag(changed.Version())},
	}, nil
}

// DeleteTemplate deletes a template.
func (a *server) DeleteTemplate(
	ctx context.Context, in gen.DeleteTemplateRequestObject,
) (gen.DeleteTemplateResponseObject, error) {
	version, err := parseIfMatch(in.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	err = a.Templates.Delete(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID, version)
	if err != nil {
		return nil, err
	}
	return gen.DeleteTemplate204Response{}, nil
}

func fromAPITemplateInput(in api.TemplateInput) core.TemplateInput {
	return core.TemplateInput{Name: in.Name, Content: fromAPIDraftContent(in.Content)}
}

func fromAPITemplatePatch(in api.TemplatePatch) core.TemplatePatch {
	patch := core.TemplatePatch{Name: in.Name}
	if in.Content != nil {
		patch.Content = new(fromAPIDraftContent(*in.Content))
	}
	return patch
}

func toAPITemplate(d core.Draft) api.Template {
	return api.Template{ID: d.ID, Name: d.Name, Content: toAPIDraftContent(d.Content),
		Fields: append([]string{}, d.Fields()...), CreatedAt: d.CreatedAt.UTC(), UpdatedAt: d.UpdatedAt.UTC()}
}
