package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// GetDeliveries shows what became of a notification.
func (a *server) GetDeliveries(ctx context.Context, in gen.GetDeliveriesRequestObject) (gen.GetDeliveriesResponseObject, error) {
	f, err := a.Notifications.Funnel(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetDeliveries200JSONResponse(toAPIDeliveries(f)), nil
}

func toAPIDeliveries(f core.Funnel) api.Deliveries {
	return api.Deliveries{
		Targeted: f.Targeted, Pending: f.Pending, Accepted: f.Accepted, Suppressed: toAPICauses(f.Suppressed), Failed: toAPICauses(f.Failed),
		Expired: toAPICauses(f.Expired), Displayed: f.Displayed, Opened: f.Opened, Finished: f.Finished,
	}
}

// toAPICauses is never null.
func toAPICauses(causes map[string]int64) api.CauseCounts {
	if causes == nil {
		return api.CauseCounts{}
	}
	return causes
}
