package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ReportChannel reports a channel to the operators.
func (a *server) ReportChannel(
	ctx context.Context, in gen.ReportChannelRequestObject,
) (gen.ReportChannelResponseObject, error) {
	err := a.Reports.Put(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, nil, fromAPIReportInput(*in.Body))
	if err != nil {
		return nil, err
	}
	return gen.ReportChannel204Response{}, nil
}

// ReportNotification reports a notification to the operators.
func (a *server) ReportNotification(
	ctx context.Context, in gen.ReportNotificationRequestObject,
) (gen.ReportNotificationResponseObject, error) {
	err := a.Reports.Put(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, &in.ID,
		fromAPIReportInput(*in.Body))
	if err != nil {
		return nil, err
	}
	return gen.ReportNotification204Response{}, nil
}

// ListReports lists reports.
func (a *server) ListReports(
	ctx context.Context, in gen.ListReportsRequestObject,
) (gen.ListReportsResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.Reports.List(ctx, c.caller, core.ReportStatus(value(in.Params.Status)), page)
	if err != nil {
		return nil, err
	}
	return gen.ListReports200JSONResponse{
		Body:    api.ReportPage{Data: convert(data, toAPIReport), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListReports200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// CloseReport resolves or dismisses a report.
func (a *server) CloseReport(
	ctx context.Context, in gen.CloseReportRequestObject,
) (gen.CloseReportResponseObject, error) {
	r, err := a.Reports.Close(ctx, callOf(ctx).caller, in.ID, core.ReportStatus(in.Body.Status))
	if err != nil {
		return nil, err
	}
	return gen.CloseReport200JSONResponse(toAPIReport(r)), nil
}

func fromAPIReportInput(in api.ReportInput) core.ReportInput {
	return core.ReportInput{Category: core.ReportCategory(in.Category), Text: value(in.Text)}
}

func toAPIReport(r core.Report) api.Report {
	return api.Report{
		ID: r.ID, Reporter: api.Reporter{ID: r.Reporter.ID, Name: r.Reporter.Name, Email: optional(r.Reporter.Email)},
		ChannelID: r.ChannelID, NotificationID: r.NotificationID, PublisherSlug: r.PublisherSlug,
		ChannelSlug: r.ChannelSlug, Title: optional(r.Title), Category: api.ReportCategory(r.Category), Text: r.Text,
		Status: api.ReportStatus(r.Status), CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
		ClosedAt: utc(r.ClosedAt),
	}
}
