package httpapi

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListEventDeliveries lists the deliveries to an event endpoint.
func (a *server) ListEventDeliveries(
	ctx context.Context, in gen.ListEventDeliveriesRequestObject,
) (gen.ListEventDeliveriesResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.EventEndpoints.Deliveries(ctx, c.caller, in.PublisherSlug, in.ID,
		core.EventDeliveryStatus(value(in.Params.Status)), page)
	if err != nil {
		return nil, err
	}
	return gen.ListEventDeliveries200JSONResponse{
		Body:    api.EventDeliveryPage{Data: convert(data, toAPIEventDelivery), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListEventDeliveries200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// GetEventDelivery returns one delivery to an event endpoint, with its attempts and the responses.
func (a *server) GetEventDelivery(
	ctx context.Context, in gen.GetEventDeliveryRequestObject,
) (gen.GetEventDeliveryResponseObject, error) {
	d, attempts, err := a.EventEndpoints.Delivery(ctx, callOf(ctx).caller, in.PublisherSlug, in.ID, in.DeliveryID)
	if err != nil {
		return nil, err
	}
	out, err := toAPIEventDeliveryDetail(d, attempts)
	return gen.GetEventDelivery200JSONResponse(out), err
}

// ResendEventDelivery sends an event again.
func (a *server) ResendEventDelivery(
	ctx context.Context, in gen.ResendEventDeliveryRequestObject,
) (gen.ResendEventDeliveryResponseObject, error) {
	d, err := a.EventEndpoints.Resend(ctx, callOf(ctx).caller, in.PublisherSlug, in.ID, in.DeliveryID)
	if err != nil {
		return nil, err
	}
	return gen.ResendEventDelivery202JSONResponse(toAPIEventDelivery(d)), nil
}

func toAPIEventDelivery(d core.EventDelivery) api.EventDelivery {
	return api.EventDelivery{
		ID: d.ID, Type: api.EventType(d.Type), Status: api.EventDeliveryStatus(d.Status),
		Attempts:      int32(d.Attempts), //nolint:gosec // attempts are few
		NextAttemptAt: utc(d.NextAttemptAt),
		LastStatus:    optional(int32(d.LastStatus)), //nolint:gosec // three digits
		LastError:     optional(d.LastError),
		CreatedAt:     d.CreatedAt.UTC(),
		DeliveredAt:   utc(d.DeliveredAt),
	}
}

func toAPIEventDeliveryDetail(d core.EventDelivery, attempts []core.EventAttempt) (api.EventDeliveryDetail, error) {
	out := api.EventDeliveryDetail{
		ID: d.ID, Type: api.EventType(d.Type), Status: api.EventDeliveryStatus(d.Status),
		Attempts: convert(attempts, toAPIEventAttempt), NextAttemptAt: utc(d.NextAttemptAt),
		CreatedAt: d.CreatedAt.UTC(), DeliveredAt: utc(d.DeliveredAt),
	}
	if err := json.Unmarshal([]byte(d.Payload), &out.Payload); err != nil {
		return out, fmt.Errorf("decode the payload of event %s: %w", d.ID, err)
	}
	return out, nil
}

func toAPIEventAttempt(a core.EventAttempt) api.EventAttempt {
	return api.EventAttempt{
		At:         a.At.UTC(),
		DurationMs: int32(a.Duration.Milliseconds()), //nolint:gosec // a timeout bounds it
		Status:     optional(int32(a.Status)),        //nolint:gosec // three digits
		Answer:     optional(a.Response),
		Error:      optional(a.Error),
	}
}
