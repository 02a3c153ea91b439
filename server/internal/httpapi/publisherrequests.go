package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// GetPublisherRequest returns the caller's request for a publisher.
func (a *server) GetPublisherRequest(
	ctx context.Context, _ gen.GetPublisherRequestRequestObject,
) (gen.GetPublisherRequestResponseObject, error) {
	r, err := a.PublisherRequests.Get(ctx, callOf(ctx).caller)
	if err != nil {
		return nil, err
	}
	return gen.GetPublisherRequest200JSONResponse(toAPIPublisherRequest(r)), nil
}

// RequestPublisher asks for a publisher.
func (a *server) RequestPublisher(
	ctx context.Context, in gen.RequestPublisherRequestObject,
) (gen.RequestPublisherResponseObject, error) {
	r, err := a.PublisherRequests.Put(ctx, callOf(ctx).caller, fromAPIPublisherRequestInput(*in.Body))
	if err != nil {
		return nil, err
	}
	return gen.RequestPublisher200JSONResponse(toAPIPublisherRequest(r)), nil
}

// WithdrawPublisherRequest withdraws the caller's request for a publisher.
func (a *server) WithdrawPublisherRequest(
	ctx context.Context, _ gen.WithdrawPublisherRequestRequestObject,
) (gen.WithdrawPublisherRequestResponseObject, error) {
	if err := a.PublisherRequests.Withdraw(ctx, callOf(ctx).caller); err != nil {
		return nil, err
	}
	return gen.WithdrawPublisherRequest204Response{}, nil
}

// ListPublisherRequests lists the requests that wait for an answer.
func (a *server) ListPublisherRequests(
	ctx context.Context, in gen.ListPublisherRequestsRequestObject,
) (gen.ListPublisherRequestsResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.PublisherRequests.List(ctx, c.caller, page)
	if err != nil {
		return nil, err
	}
	return gen.ListPublisherRequests200JSONResponse{
		Body:    api.PublisherRequestPage{Data: convert(data, toAPIPublisherRequest), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListPublisherRequests200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// AnswerPublisherRequest approves or refuses a request for a publisher.
func (a *server) AnswerPublisherRequest(
	ctx context.Context, in gen.AnswerPublisherRequestRequestObject,
) (gen.AnswerPublisherRequestResponseObject, error) {
	r, err := a.PublisherRequests.Answer(ctx, callOf(ctx).caller, in.ID, fromAPIPublisherRequestPatch(*in.Body))
	if err != nil {
		return nil, err
	}
	return gen.AnswerPublisherRequest200JSONResponse(toAPIPublisherRequest(r)), nil
}

func fromAPIPublisherRequestInput(in api.PublisherRequestInput) core.PublisherRequestInput {
	return core.PublisherRequestInput{Slug: in.Slug, Name: in.Name, Reason: value(in.Reason)}
}

func fromAPIPublisherRequestPatch(in api.PublisherRequestPatch) core.PublisherAnswer {
	return core.PublisherAnswer{Status: core.PublisherRequestStatus(in.Status), Answer: value(in.Answer)}
}

func toAPIPublisherRequest(r core.PublisherRequest) api.PublisherRequest {
	return api.PublisherRequest{
		ID: r.ID, Asker: api.Reporter{ID: r.Asker.ID, Name: r.Asker.Name, Email: optional(r.Asker.Email)}, Slug: r.Slug,
		Name: r.Name, Reason: r.Reason, Status: api.PublisherRequestStatus(r.Status), Answer: optional(r.Answer),
		CreatedAt: r.CreatedAt.UTC(), AnsweredAt: utc(r.AnsweredAt),
	}
}
