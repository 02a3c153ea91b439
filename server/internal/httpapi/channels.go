package httpapi

import (
	"cmp"
	"context"
	"time"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListChannels searches the public channels.
func (a *server) ListChannels(
	ctx context.Context, in gen.ListChannelsRequestObject,
) (gen.ListChannelsResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	search, err := core.ParseSearch(value(in.Params.Q))
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.Channels.List(ctx, c.caller,
		core.ChannelFilter{
			Search: search, Category: value(in.Params.Category), Publisher: value(in.Params.Publisher),
			Sort: cmp.Or(core.ChannelSort(value(in.Params.Sort)), core.SortPopular), Page: page,
		})
	if err != nil {
		return nil, err
	}
	return gen.ListChannels200JSONResponse{
		Body:    api.ChannelPage{Data: convert(data, a.Pictures.toAPIChannel), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListChannels200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// CreateChannel creates a channel.
func (a *server) CreateChannel(
	ctx context.Context, in gen.CreateChannelRequestObject,
) (gen.CreateChannelResponseObject, error) {
	key := idempotency(ctx, in.Params.IdempotencyKey)
	channel, creation, err := a.Channels.Create(ctx, callOf(ctx).caller, fromAPIChannelInput(*in.Body), key)
	if err != nil {
		return nil, err
	}
	return gen.CreateChannel201JSONResponse{
		Body: a.Pictures.toAPIChannel(channel),
		Headers: gen.CreateChannel201ResponseHeaders{
			ETag: etag(channel.Version()), Location: new(prefix + "/channels/" + channel.Address()),
			IdempotencyReplayed: replayed(creation),
		},
	}, nil
}

// GetChannel returns a channel.
func (a *server) GetChannel(ctx context.Context, in gen.GetChannelRequestObject) (gen.GetChannelResponseObject, error) {
	channel, err := a.Channels.Get(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug)
	if err != nil {
		return nil, err
	}
	return gen.GetChannel200JSONResponse{
		Body:    a.Pictures.toAPIChannel(channel),
		Headers: gen.GetChannel200ResponseHeaders{ETag: etag(channel.Version())},
	}, nil
}

// GetChannelFollowers returns the number of a channel's followers over time.
func (a *server) GetChannelFollowers(
	ctx context.Context, in gen.GetChannelFollowersRequestObject,
) (gen.GetChannelFollowersResponseObject, error) {
	days := int(cmp.Or(value(in.Params.Days), defaultFollowerDays))
	data, err := a.Channels.Followers(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, days)
	if err != nil {
		return nil, err
	}
	return gen.GetChannelFollowers200JSONResponse{Data: convert(data, toAPIFollowerDay)}, nil
}

const defaultFollowerDays = 30

func toAPIFollowerDay(d core.FollowerDay) api.FollowerDay {
	return api.FollowerDay{Day: d.Day.Format(time.DateOnly), Followers: d.Followers}
}

// UpdateChannel updates a channel.
func (a *server) UpdateChannel(
	ctx context.Context, in gen.UpdateChannelRequestObject,
) (gen.UpdateChannelResponseObject, error) {
	version, err := parseIfMatch(in.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	channel, err := a.Channels.Update(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug,
		fromAPIChannelPatch(*in.Body), version)
	if err != nil {
		return nil, err
	}
	return gen.UpdateChannel200JSONResponse{
		Body:    a.Pictures.toAPIChannel(channel),
		Headers: gen.UpdateChannel200ResponseHeaders{ETag: etag(channel.Version())},
	}, nil
}

// DeleteChannel deletes a channel.
func (a *server) DeleteChannel(
	ctx context.Context, in gen.DeleteChannelRequestObject,
) (gen.DeleteChannelResponseObject, error) {
	version, err := parseIfMatch(in.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	if err := a.Channels.Delete(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, version); err != nil {
		return nil, err
	}
	return gen.DeleteChannel204Response{}, nil
}

func fromAPIChannelPatch(in api.ChannelPatch) core.ChannelPatch {
	return core.ChannelPatch{
		Name: in.Name, Description: in.Description, CategoryID: in.CategoryID, Icon: fromAPIPatch(in.Icon),
		Visibility: (*core.Visibility)(in.Visibility),
		KeepDays:   fromAPINumber(in.KeepDays), KeepCount: fromAPINumber(in.KeepCount),
	}
}

func fromAPIChannelInput(in api.ChannelInput) core.ChannelInput {
	return core.ChannelInput{
		PublisherSlug: in.PublisherSlug, Slug: in.Slug, Name: in.Name, Description: value(in.Description),
		CategoryID: in.CategoryID, Icon: value(in.Icon), Visibility: core.Visibility(value(in.Visibility)),
		KeepDays: number[int](in.KeepDays), KeepCount: number[int](in.KeepCount),
	}
}

func (pics Pictures) toAPIChannel(c core.Channel) api.Channel {
	return api.Channel{
		ID: c.ID, PublisherSlug: c.PublisherSlug, Slug: c.Slug, Name: c.Name,
		Icon: optional(c.Icon), IconProxy: pics.proxy(c.Icon),
		Description: c.Description, Publisher: pics.toAPIPublisherRef(c.Publisher),
		Category:   api.CategoryRef{ID: c.Category.ID, Slug: c.Category.Slug, Name: c.Category.Name},
		Visibility: api.Visibility(c.Visibility), SubscriberCount: c.SubscriberCount,
		NotificationCount: c.NotificationCount, LastPublishedAt: utc(c.LastPublishedAt), CreatedAt: c.CreatedAt.UTC(),
		KeepDays: number[int32](c.KeepDays), KeepCount: number[int32](c.KeepCount),
		Following: c.Following, Demonstration: optional(c.Demonstration), Suspension: toAPISuspended(c.Suspension),
	}
}
