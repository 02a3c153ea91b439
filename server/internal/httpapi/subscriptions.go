package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListSubscriptions lists the channels that the caller follows.
func (a *server) ListSubscriptions(
	ctx context.Context, in gen.ListSubscriptionsRequestObject,
) (gen.ListSubscriptionsResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	p, err := a.Subscriptions.List(ctx, c.caller, page)
	if err != nil {
		return nil, err
	}
	return gen.ListSubscriptions200JSONResponse{
		Body: api.SubscriptionPage{
			Data: convert(p.Data, a.Pictures.toAPISubscription), Meta: api.PageMeta{Total: p.Total},
		},
		Headers: gen.ListSubscriptions200ResponseHeaders{
			Link: c.NextOffset(page, len(p.Data), p.Total), StreamPosition: eventID(p.Position)},
	}, nil
}

// Subscribe makes the caller follow a channel.
func (a *server) Subscribe(ctx context.Context, in gen.SubscribeRequestObject) (gen.SubscribeResponseObject, error) {
	s, err := a.Subscriptions.Follow(ctx, callOf(ctx).caller.SubscriberID, in.ID)
	if err != nil {
		return nil, err
	}
	return gen.Subscribe200JSONResponse(a.Pictures.toAPISubscription(s)), nil
}

// Unsubscribe makes the caller stop following a channel.
func (a *server) Unsubscribe(
	ctx context.Context, in gen.UnsubscribeRequestObject,
) (gen.UnsubscribeResponseObject, error) {
	if err := a.Subscriptions.Unfollow(ctx, callOf(ctx).caller.SubscriberID, in.ID); err != nil {
		return nil, err
	}
	return gen.Unsubscribe204Response{}, nil
}

// UpdateSubscription updates a subscription's bell and mute.
func (a *server) UpdateSubscription(
	ctx context.Context, in gen.UpdateSubscriptionRequestObject,
) (gen.UpdateSubscriptionResponseObject, error) {
	s, err := a.Subscriptions.Update(ctx, callOf(ctx).caller, in.ID, fromAPISubscriptionPatch(*in.Body))
	if err != nil {
		return nil, err
	}
	return gen.UpdateSubscription200JSONResponse(a.Pictures.toAPISubscription(s)), nil
}

func fromAPISubscriptionPatch(in api.SubscriptionPatch) core.SubscriptionPatch {
	p := core.SubscriptionPatch{Bell: (*core.Bell)(in.Bell), MutedUntil: fromAPIPatch(in.MutedUntil)}
	p.MutedUntil.Value = utc(p.MutedUntil.Value)
	return p
}

func (pics Pictures) toAPIFormerSubscription(s core.FormerSubscription) api.FormerSubscription {
	return api.FormerSubscription{Channel: pics.toAPIChannelRef(s.Channel), Bell: api.Bell(s.Bell),
		MutedUntil: utc(s.MutedUntil), ReadAt: s.ReadAt.UTC(), UnfollowedAt: s.UnfollowedAt.UTC()}
}

func (pics Pictures) toAPISubscription(s core.Subscription) api.Subscription {
	return api.Subscription{Channel: pics.toAPIChannelRef(s.Channel), Bell: api.Bell(s.Bell),
		MutedUntil: utc(s.MutedUntil),
		FollowedAt: s.FollowedAt.UTC(), UnreadCount: s.UnreadCount, Suspended: optional(s.Channel.Suspended)}
}
