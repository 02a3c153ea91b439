package httpapi

import (
	"context"
	"net/http"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListFeed lists the notifications in the caller's feed.
func (a *server) ListFeed(ctx context.Context, in gen.ListFeedRequestObject) (gen.ListFeedResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, in.Params.Cursor)
	if err != nil {
		return nil, err
	}
	search, err := core.ParseSearch(value(in.Params.Q))
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	filter := core.FeedFilter{UnreadOnly: value(in.Params.Unread), ImportantOnly: value(in.Params.Important),
		ArchivedOnly: value(in.Params.Archived), SnoozedOnly: value(in.Params.Snoozed),
		ChannelID: in.Params.ChannelID, Search: search, Page: oneMore(page)}
	position := eventID(a.Live.Position())
	p, err := a.Feed.List(ctx, c.caller, filter)
	if err != nil {
		return nil, err
	}
	meta := api.NotificationPageMeta{Total: p.Total, Unread: &p.Unread}
	return a.notificationPage(c, page, position, p.Data, p.Cut, meta), nil
}

// GetFeedNotification returns one notification of a channel that the caller follows.
func (a *server) GetFeedNotification(
	ctx context.Context, in gen.GetFeedNotificationRequestObject,
) (gen.GetFeedNotificationResponseObject, error) {
	position := eventID(a.Live.Position())
	n, err := a.Feed.Get(ctx, callOf(ctx).caller, in.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetFeedNotification200JSONResponse{
		Body:    a.Pictures.toAPINotification(n),
		Headers: gen.GetFeedNotification200ResponseHeaders{StreamPosition: position},
	}, nil
}

// UpdateFeedNotification marks a notification read, unread or archived, or postpones it.
func (a *server) UpdateFeedNotification(
	ctx context.Context, in gen.UpdateFeedNotificationRequestObject,
) (gen.UpdateFeedNotificationResponseObject, error) {
	patch := core.ReceiptPatch{Read: in.Body.Read, Archived: in.Body.Archived,
		SnoozedUntil: fromAPIPatch(in.Body.SnoozedUntil)}
	patch.SnoozedUntil.Value = utc(patch.SnoozedUntil.Value)
	n, err := a.Feed.Update(ctx, callOf(ctx).caller, in.ID, patch)
	if err != nil {
		return nil, err
	}
	return gen.UpdateFeedNotification200JSONResponse(a.Pictures.toAPINotification(n)), nil
}

// RecordFeedEvent records that a notification was displayed or opened.
func (a *server) RecordFeedEvent(
	ctx context.Context, in gen.RecordFeedEventRequestObject,
) (gen.RecordFeedEventResponseObject, error) {
	c := callOf(ctx)
	if err := a.Feed.Record(ctx, c.caller, in.ID, core.FeedEvent(in.Body.Type),
		trackingRefused(c.request)); err != nil {
		return nil, err
	}
	return gen.RecordFeedEvent204Response{}, nil
}

// RecordDisplayed records that notifications were displayed.
func (a *server) RecordDisplayed(
	ctx context.Context, in gen.RecordDisplayedRequestObject,
) (gen.RecordDisplayedResponseObject, error) {
	if err := a.Feed.RecordDisplayed(ctx, callOf(ctx).caller, in.Body.NotificationIds); err != nil {
		return nil, err
	}
	return gen.RecordDisplayed204Response{}, nil
}

// ReadAll marks all notifications, or those of one channel, as read.
func (a *server) ReadAll(ctx context.Context, in gen.ReadAllRequestObject) (gen.ReadAllResponseObject, error) {
	if err := a.Feed.ReadAll(ctx, callOf(ctx).caller, in.Body.ChannelID); err != nil {
		return nil, err
	}
	return gen.ReadAll204Response{}, nil
}

// StreamFeed streams the caller's feed for as long as their credential is valid.
func (a *server) StreamFeed(ctx context.Context, in gen.StreamFeedRequestObject) (gen.StreamFeedResponseObject, error) {
	subscriberID := callOf(ctx).caller.SubscriberID
	return a.stream(ctx, in.Params.LastEventID,
		func(w http.ResponseWriter, r *http.Request, q core.StreamRequest) error {
			return a.Live.ServeFeed(w, r, subscriberID, q)
		}), nil
}
