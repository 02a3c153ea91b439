package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// GetDeliveries returns the delivery counts of a notification.
func (a *server) GetDeliveries(
	ctx context.Context, in gen.GetDeliveriesRequestObject,
) (gen.GetDeliveriesResponseObject, error) {
	f, err := a.Notifications.DeliverySummary(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetDeliveries200JSONResponse(toAPIDeliveries(f)), nil
}

// GetChannelDeliveries returns the delivery counts of a channel's notifications over time.
func (a *server) GetChannelDeliveries(
	ctx context.Context, in gen.GetChannelDeliveriesRequestObject,
) (gen.GetChannelDeliveriesResponseObject, error) {
	f, err := a.Notifications.ChannelDeliverySummary(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug,
		utc(in.Params.From), utc(in.Params.Until), core.SummaryInterval(value(in.Params.Interval)))
	if err != nil {
		return nil, err
	}
	return gen.GetChannelDeliveries200JSONResponse{
		From: f.From.UTC(), Until: f.Until.UTC(), Interval: api.ChannelDeliveriesInterval(f.Interval),
		Total: toAPIDeliveryCounts(f.Total), Data: convert(f.Parts, toAPIDeliveryInterval),
		Audience: toAPIAudience(f.Audience),
	}, nil
}

func toAPIAudience(a core.Audience) api.ChannelAudience {
	return api.ChannelAudience{Followers: a.Followers, Ringing: a.Ringing, RingingImportant: a.RingingImportant,
		Estimated: a.Estimated}
}

func toAPIDeliveryInterval(p core.DeliverySummaryPart) api.DeliveryInterval {
	return api.DeliveryInterval{At: p.At, Counts: toAPIDeliveryCounts(p.DeliveryCounts)}
}

func toAPIDeliveryCounts(c core.DeliveryCounts) api.DeliveryCounts {
	return api.DeliveryCounts{
		Notifications: c.Notifications, Targeted: c.Targeted, Pending: c.Pending, Accepted: c.Accepted,
		Suppressed: toAPICauses(c.Suppressed), Failed: toAPICauses(c.Failed), Expired: toAPICauses(c.Expired),
		Displayed: c.Displayed, Opened: c.Opened,
	}
}

func toAPIDeliveries(f core.DeliverySummary) api.Deliveries {
	d := api.Deliveries{
		Targeted: f.Targeted, Pending: f.Pending, Accepted: f.Accepted, Suppressed: toAPICauses(f.Suppressed),
		Failed: toAPICauses(f.Failed), Expired: toAPICauses(f.Expired), Displayed: f.Displayed, Opened: f.Opened,
		Finished: f.Finished,
	}
	if f.PublishedBy.Kind != "" {
		d.PublishedBy = new(toAPIActor(f.PublishedBy))
	}
	return d
}

// toAPICauses returns an empty map for nil, so that it never encodes as null.
func toAPICauses(causes core.Causes) api.CauseCounts {
	if causes == nil {
		return api.CauseCounts{}
	}
	return api.CauseCounts(causes)
}
