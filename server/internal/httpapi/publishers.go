package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListPublishers lists publishers.
func (a *server) ListPublishers(
	ctx context.Context, in gen.ListPublishersRequestObject,
) (gen.ListPublishersResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	search, err := core.ParseSearch(value(in.Params.Q))
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.Publishers.List(ctx, c.caller, search, value(in.Params.Mine), page)
	if err != nil {
		return nil, err
	}
	return gen.ListPublishers200JSONResponse{
		Body:    api.PublisherPage{Data: convert(data, a.Pictures.toAPIPublisher), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListPublishers200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// CreatePublisher creates a publisher.
func (a *server) CreatePublisher(
	ctx context.Context, in gen.CreatePublisherRequestObject,
) (gen.CreatePublisherResponseObject, error) {
	key := idempotency(ctx, in.Params.IdempotencyKey)
	p, creation, err := a.Publishers.Create(ctx, callOf(ctx).caller, fromAPIPublisherInput(*in.Body), key)
	if err != nil {
		return nil, err
	}
	location := prefix + "/publishers/" + p.Slug
	return gen.CreatePublisher201JSONResponse{
		Body: a.Pictures.toAPIPublisher(p),
		Headers: gen.CreatePublisher201ResponseHeaders{
			Location: &location, ETag: etag(p.Version()), IdempotencyReplayed: replayed(creation),
		},
	}, nil
}

// GetPublisher returns a publisher.
func (a *server) GetPublisher(
	ctx context.Context, in gen.GetPublisherRequestObject,
) (gen.GetPublisherResponseObject, error) {
	p, err := a.Publishers.Get(ctx, callOf(ctx).caller, in.PublisherSlug)
	if err != nil {
		return nil, err
	}
	return gen.GetPublisher200JSONResponse{
		Body: a.Pictures.toAPIPublisher(p), Headers: gen.GetPublisher200ResponseHeaders{ETag: etag(p.Version())},
	}, nil
}

// UpdatePublisher updates a publisher.
func (a *server) UpdatePublisher(
	ctx context.Context, in gen.UpdatePublisherRequestObject,
) (gen.UpdatePublisherResponseObject, error) {
	version, err := parseIfMatch(in.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	p, err := a.Publishers.Update(ctx, callOf(ctx).caller, in.PublisherSlug, fromAPIPublisherPatch(*in.Body), version)
	if err != nil {
		return nil, err
	}
	return gen.UpdatePublisher200JSONResponse{
		Body: a.Pictures.toAPIPublisher(p), Headers: gen.UpdatePublisher200ResponseHeaders{ETag: etag(p.Version())},
	}, nil
}

// DeletePublisher deletes a publisher.
func (a *server) DeletePublisher(
	ctx context.Context, in gen.DeletePublisherRequestObject,
) (gen.DeletePublisherResponseObject, error) {
	version, err := parseIfMatch(in.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	if err := a.Publishers.Delete(ctx, callOf(ctx).caller, in.PublisherSlug, version); err != nil {
		return nil, err
	}
	return gen.DeletePublisher204Response{}, nil
}

func fromAPIPublisherInput(in api.PublisherInput) core.PublisherInput {
	return core.PublisherInput{
		Slug: in.Slug, Name: in.Name, Description: value(in.Description), Website: value(in.Website),
		Avatar: value(in.Avatar),
	}
}

func fromAPIPublisherPatch(in api.PublisherPatch) core.PublisherPatch {
	return core.PublisherPatch{
		Name: in.Name, Description: in.Description, Website: fromAPIPatch(in.Website), Avatar: fromAPIPatch(in.Avatar),
	}
}

func (pics Pictures) toAPIPublisher(p core.Publisher) api.Publisher {
	return api.Publisher{
		ID: p.ID, Slug: p.Slug, Name: p.Name, Description: p.Description, Website: optional(p.Website),
		Avatar: optional(p.Avatar), AvatarProxy: pics.proxy(p.Avatar),
		ChannelCount: p.ChannelCount, SubscriberCount: new(p.SubscriberCount), Role: optional(api.Role(p.Role)),
		CreatedAt: p.CreatedAt.UTC(), Suspension: toAPISuspended(p.Suspension),
	}
}
