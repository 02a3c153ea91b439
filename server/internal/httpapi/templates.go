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
	out := core.TemplateInput{Name: in.Name, Content: fromAPIDraftContent(in.Content)}
	if in.Plan != nil {
		out.Plan = new(fromAPIPlan(*in.Plan))
	}
	return out
}

func fromAPITemplatePatch(in api.TemplatePatch) core.TemplatePatch {
	patch := core.TemplatePatch{Name: in.Name, Plan: core.Patch[core.Plan]{Set: in.Plan.IsSpecified()}}
	if in.Content != nil {
		patch.Content = new(fromAPIDraftContent(*in.Content))
	}
	if plan, err := in.Plan.Get(); err == nil {
		patch.Plan.Value = new(fromAPIPlan(api.PlanInput{Makes: api.PlanInputMakes(plan.Makes),
			Weekdays: plan.Weekdays, MonthDays: plan.MonthDays, Time: plan.Time, Timezone: plan.Timezone,
			StartsAt: plan.StartsAt, EndsAt: plan.EndsAt}))
	}
	return patch
}

func fromAPIPlan(in api.PlanInput) core.Plan {
	return core.Plan{Makes: core.PlanMakes(in.Makes), Time: fromAPITimeOfDay(in.Time),
		Weekdays:  convert(in.Weekdays, func(d api.WeekdayInput) core.Weekday { return core.Weekday(d) }),
		MonthDays: convert(in.MonthDays, func(d int32) int { return int(d) }),
		Timezone:  in.Timezone, StartsAt: utc(in.StartsAt), EndsAt: utc(in.EndsAt)}
}

func toAPITemplate(d core.Draft) api.Template {
	out := api.Template{ID: d.ID, Name: d.Name, Content: toAPIDraftContent(d.Content),
		Fields: append([]string{}, d.Fields()...), NextAt: utc(d.NextAt), MissedAt: utc(d.MissedAt),
		CreatedAt: d.CreatedAt.UTC(), UpdatedAt: d.UpdatedAt.UTC()}
	if p := d.Plan; p != nil {
		out.Plan = &api.Plan{Makes: api.PlanMakes(p.Makes), Time: p.Time.String(),
			MonthDays: convert(p.MonthDays, func(d int) int32 { return int32(d) }), //nolint:gosec // from 1 to 31
			Weekdays:  convert(p.Weekdays, func(d core.Weekday) api.Weekday { return api.Weekday(d) }),
			Timezone:  p.Timezone, StartsAt: utc(p.StartsAt), EndsAt: utc(p.EndsAt)}
	}
	return out
}
