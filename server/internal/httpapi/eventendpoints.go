package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListEventEndpoints lists a publisher's event endpoints.
func (a *server) ListEventEndpoints(
	ctx context.Context, in gen.ListEventEndpointsRequestObject,
) (gen.ListEventEndpointsResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.EventEndpoints.List(ctx, c.caller, in.PublisherSlug, page)
	if err != nil {
		return nil, err
	}
	return gen.ListEventEndpoints200JSONResponse{
		Body:    api.EventEndpointPage{Data: convert(data, toAPIEventEndpoint), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListEventEndpoints200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// CreateEventEndpoint creates an event endpoint.
func (a *server) CreateEventEndpoint(
	ctx context.Context, in gen.CreateEventEndpointRequestObject,
) (gen.CreateEventEndpointResponseObject, error) {
	key := idempotency(ctx, in.Params.IdempotencyKey)
	e, secret, creation, err := a.EventEndpoints.Create(ctx, callOf(ctx).caller, in.PublisherSlug,
		fromAPIEventEndpointInput(*in.Body), key)
	if err != nil {
		return nil, err
	}
	location := prefix + "/publishers/" + in.PublisherSlug + "/event-endpoints/" + e.ID.String()
	return gen.CreateEventEndpoint201JSONResponse{
		Body: toAPIEventEndpointSecret(e, secret),
		Headers: gen.CreateEventEndpoint201ResponseHeaders{
			Location: &location, ETag: etag(e.Version()), IdempotencyReplayed: replayed(creation),
		},
	}, nil
}

// GetEventEndpoint returns an event endpoint.
func (a *server) GetEventEndpoint(
	ctx context.Context, in gen.GetEventEndpointRequestObject,
) (gen.GetEventEndpointResponseObject, error) {
	e, err := a.EventEndpoints.Get(ctx, callOf(ctx).caller, in.PublisherSlug, in.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetEventEndpoint200JSONResponse{
		Body: toAPIEventEndpoint(e), Headers: gen.GetEventEndpoint200ResponseHeaders{ETag: etag(e.Version())},
	}, nil
}

// UpdateEventEndpoint updates an event endpoint.
func (a *server) UpdateEventEndpoint(
	ctx context.Context, in gen.UpdateEventEndpointRequestObject,
) (gen.UpdateEventEndpointResponseObject, error) {
	version, err := parseIfMatch(in.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	e, err := a.EventEndpoints.Update(ctx, callOf(ctx).caller, in.PublisherSlug, in.ID,
		fromAPIEventEndpointPatch(*in.Body), version)
	if err != nil {
		return nil, err
	}
	return gen.UpdateEventEndpoint200JSONResponse{
		Body: toAPIEventEndpoint(e), Headers: gen.UpdateEventEndpoint200ResponseHeaders{ETag: etag(e.Version())},
	}, nil
}

// RotateEventEndpoint replaces an event endpoint's secret.
func (a *server) RotateEventEndpoint(
	ctx context.Context, in gen.RotateEventEndpointRequestObject,
) (gen.RotateEventEndpointResponseObject, error) {
	key := idempotency(ctx, in.Params.IdempotencyKey)
	e, secret, creation, err := a.EventEndpoints.Rotate(ctx, callOf(ctx).caller, in.PublisherSlug, in.ID, key)
	if err != nil {
		return nil, err
	}
	return gen.RotateEventEndpoint200JSONResponse{
		Body: toAPIEventEndpointSecret(e, secret),
		Headers: gen.RotateEventEndpoint200ResponseHeaders{
			ETag: etag(e.Version()), IdempotencyReplayed: replayed(creation),
		},
	}, nil
}

// DeleteEventEndpoint deletes an event endpoint.
func (a *server) DeleteEventEndpoint(
	ctx context.Context, in gen.DeleteEventEndpointRequestObject,
) (gen.DeleteEventEndpointResponseObject, error) {
	version, err := parseIfMatch(in.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	if err := a.EventEndpoints.Delete(ctx, callOf(ctx).caller, in.PublisherSlug, in.ID, version); err != nil {
		return nil, err
	}
	return gen.DeleteEventEndpoint204Response{}, nil
}

// TestEventEndpoint sends a test event to an event endpoint.
func (a *server) TestEventEndpoint(
	ctx context.Context, in gen.TestEventEndpointRequestObject,
) (gen.TestEventEndpointResponseObject, error) {
	d, err := a.EventEndpoints.Test(ctx, callOf(ctx).caller, in.PublisherSlug, in.ID)
	if err != nil {
		return nil, err
	}
	return gen.TestEventEndpoint202JSONResponse(toAPIEventDelivery(d)), nil
}

func fromAPIEventEndpointInput(in api.EventEndpointInput) core.EventEndpointInput {
	return core.EventEndpointInput{URL: in.URL, Name: in.Name, Events: fromAPIEventTypes(in.Events)}
}

func fromAPIEventEndpointPatch(in api.EventEndpointPatch) core.EventEndpointPatch {
	return core.EventEndpointPatch{
		URL: in.URL, Name: in.Name, Events: fromAPIEventTypes(in.Events), Enabled: in.Enabled,
	}
}

// fromAPIEventTypes returns nil for nil, which means that no types were given.
func fromAPIEventTypes(in []api.EventType) []core.EventType {
	if in == nil {
		return nil
	}
	return convert(in, func(t api.EventType) core.EventType { return core.EventType(t) })
}

func toAPIEventTypes(in []core.EventType) []api.EventType {
	return convert(in, func(t core.EventType) api.EventType { return api.EventType(t) })
}

func toAPIEventEndpoint(e core.EventEndpoint) api.EventEndpoint {
	out := api.EventEndpoint{
		ID: e.ID, URL: e.URL, Name: e.Name, Events: toAPIEventTypes(e.Events), Enabled: e.Enabled,
		DisabledAt: utc(e.DisabledAt), DisabledReason: optional(e.DisabledReason), FailingSince: utc(e.FailingSince),
		PausedUntil: utc(e.PausedUntil), CreatedAt: e.CreatedAt.UTC(),
	}
	if e.Confirmed() {
		out.ConfirmedAt = utc(e.ConfirmedAt)
	}
	return out
}

func toAPIEventEndpointSecret(e core.EventEndpoint, secret string) api.EventEndpointSecret {
	return api.EventEndpointSecret{
		ID: e.ID, URL: e.URL, Name: e.Name, Events: toAPIEventTypes(e.Events), Enabled: e.Enabled,
		Secret: optional(secret), CreatedAt: e.CreatedAt.UTC(),
	}
}
