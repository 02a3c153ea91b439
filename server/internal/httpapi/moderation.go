package httpapi

import (
	"context"
	"slices"
	"strings"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// operated are the path prefixes of the operations that change something for operators alone.
var operated = []string{prefix + "/admin/", prefix + "/categories", waitlistPath + "invitations"}

// origin returns where the changes of the request come from, for the audit log.
func (c *call) origin() core.Origin {
	o := core.Origin{Caller: c.caller, Network: networkName(c), RequestID: c.id}
	if c.operation != nil {
		o.Operation = c.operation.id
		o.Operator = slices.ContainsFunc(operated, func(path string) bool {
			return strings.HasPrefix(c.operation.pattern, path)
		})
	}
	return o
}

// SuspendChannel suspends a channel.
func (a *server) SuspendChannel(
	ctx context.Context, in gen.SuspendChannelRequestObject,
) (gen.SuspendChannelResponseObject, error) {
	s, err := a.Moderation.SuspendChannel(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug,
		fromAPISuspensionInput(*in.Body))
	if err != nil {
		return nil, err
	}
	return gen.SuspendChannel200JSONResponse(toAPISuspension(s)), nil
}

// UnsuspendChannel ends the suspension of a channel.
func (a *server) UnsuspendChannel(
	ctx context.Context, in gen.UnsuspendChannelRequestObject,
) (gen.UnsuspendChannelResponseObject, error) {
	err := a.Moderation.UnsuspendChannel(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug)
	if err != nil {
		return nil, err
	}
	return gen.UnsuspendChannel204Response{}, nil
}

// SuspendPublisher suspends a publisher.
func (a *server) SuspendPublisher(
	ctx context.Context, in gen.SuspendPublisherRequestObject,
) (gen.SuspendPublisherResponseObject, error) {
	s, err := a.Moderation.SuspendPublisher(ctx, callOf(ctx).caller, in.PublisherSlug,
		fromAPISuspensionInput(*in.Body))
	if err != nil {
		return nil, err
	}
	return gen.SuspendPublisher200JSONResponse(toAPISuspension(s)), nil
}

// UnsuspendPublisher ends the suspension of a publisher.
func (a *server) UnsuspendPublisher(
	ctx context.Context, in gen.UnsuspendPublisherRequestObject,
) (gen.UnsuspendPublisherResponseObject, error) {
	if err := a.Moderation.UnsuspendPublisher(ctx, callOf(ctx).caller, in.PublisherSlug); err != nil {
		return nil, err
	}
	return gen.UnsuspendPublisher204Response{}, nil
}

// SuspendSubscriber suspends an account.
func (a *server) SuspendSubscriber(
	ctx context.Context, in gen.SuspendSubscriberRequestObject,
) (gen.SuspendSubscriberResponseObject, error) {
	s, err := a.Moderation.SuspendSubscriber(ctx, callOf(ctx).caller, in.ID, fromAPISuspensionInput(*in.Body))
	if err != nil {
		return nil, err
	}
	return gen.SuspendSubscriber200JSONResponse(toAPISuspension(s)), nil
}

// UnsuspendSubscriber ends the suspension of an account.
func (a *server) UnsuspendSubscriber(
	ctx context.Context, in gen.UnsuspendSubscriberRequestObject,
) (gen.UnsuspendSubscriberResponseObject, error) {
	if err := a.Moderation.UnsuspendSubscriber(ctx, callOf(ctx).caller, in.ID); err != nil {
		return nil, err
	}
	return gen.UnsuspendSubscriber204Response{}, nil
}

// ListAllChannels finds channels of any kind, or lists the suspended ones.
func (a *server) ListAllChannels(
	ctx context.Context, in gen.ListAllChannelsRequestObject,
) (gen.ListAllChannelsResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	search, err := core.ParseSearch(value(in.Params.Q))
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.Moderation.Channels(ctx, c.caller, search, page)
	if err != nil {
		return nil, err
	}
	return gen.ListAllChannels200JSONResponse{
		Body:    api.ChannelPage{Data: convert(data, a.Pictures.toAPIChannel), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListAllChannels200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// ListAllPublishers finds publishers of any kind, or lists the suspended ones.
func (a *server) ListAllPublishers(
	ctx context.Context, in gen.ListAllPublishersRequestObject,
) (gen.ListAllPublishersResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	search, err := core.ParseSearch(value(in.Params.Q))
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.Moderation.Publishers(ctx, c.caller, search, page)
	if err != nil {
		return nil, err
	}
	return gen.ListAllPublishers200JSONResponse{
		Body:    api.PublisherPage{Data: convert(data, a.Pictures.toAPIPublisher), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListAllPublishers200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// FindSubscribers finds accounts by email address, or lists the suspended ones.
func (a *server) FindSubscribers(
	ctx context.Context, in gen.FindSubscribersRequestObject,
) (gen.FindSubscribersResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.Moderation.Subscribers(ctx, c.caller, value(in.Params.Email), page)
	if err != nil {
		return nil, err
	}
	return gen.FindSubscribers200JSONResponse{
		Body:    api.AccountPage{Data: convert(data, toAPIAccount), Meta: api.PageMeta{Total: total}},
		Headers: gen.FindSubscribers200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// WithdrawByOperator withdraws any notification.
func (a *server) WithdrawByOperator(
	ctx context.Context, in gen.WithdrawByOperatorRequestObject,
) (gen.WithdrawByOperatorResponseObject, error) {
	err := a.Moderation.Withdraw(ctx, callOf(ctx).caller, in.ID, fromAPISuspensionInput(*in.Body))
	if err != nil {
		return nil, err
	}
	return gen.WithdrawByOperator204Response{}, nil
}

func fromAPISuspensionInput(in api.SuspensionInput) core.SuspensionInput {
	return core.SuspensionInput{Reason: in.Reason}
}

func toAPISuspension(s core.Suspension) api.Suspension {
	return api.Suspension{Reason: s.Reason, SuspendedAt: s.At.UTC()}
}

// toAPISuspended returns nil for what is not suspended.
func toAPISuspended(s *core.Suspension) *api.Suspension {
	if s == nil {
		return nil
	}
	return new(toAPISuspension(*s))
}

func toAPIAccount(s core.Subscriber) api.Account {
	return api.Account{ID: s.ID, Name: s.Name, Email: optional(s.Email), CreatedAt: s.CreatedAt.UTC(),
		Suspension: toAPISuspended(s.Suspension)}
}
