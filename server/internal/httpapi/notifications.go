package httpapi

import (
	"context"
	"net/http"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListNotifications lists a channel's notifications.
func (a *server) ListNotifications(
	ctx context.Context, in gen.ListNotificationsRequestObject,
) (gen.ListNotificationsResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, in.Params.Cursor)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	if in.Params.ExternalID != nil {
		return a.listByExternalID(ctx, in)
	}
	if value(in.Params.Scheduled) {
		return a.listScheduled(ctx, in, page)
	}
	position := eventID(a.Live.Position())
	list, err := a.Notifications.List(ctx, c.caller, in.PublisherSlug, in.ChannelSlug, oneMore(page))
	if err != nil {
		return nil, err
	}
	meta := api.NotificationPageMeta{Total: list.Total, Unread: list.Unread}
	return a.notificationPage(c, page, position, list.Data, list.Cut, meta), nil
}

func (a *server) listScheduled(
	ctx context.Context, in gen.ListNotificationsRequestObject, page core.Page,
) (gen.ListNotificationsResponseObject, error) {
	if page.After != nil {
		return nil, core.Invalid(core.FieldError{Pointer: "query:cursor", Code: "exclusive",
			Detail: core.Text{EN: "cannot be combined with scheduled; use offset",
				PT: "não pode ser combinado com scheduled; use offset"}})
	}
	c := callOf(ctx)
	data, total, err := a.Notifications.Scheduled(ctx, c.caller, in.PublisherSlug, in.ChannelSlug, page)
	if err != nil {
		return nil, err
	}
	return notificationPage{pictures: a.Pictures, data: data, meta: api.NotificationPageMeta{Total: total},
		next: c.NextOffset(page, len(data), total)}, nil
}

// listByExternalID lists the notification with an external id, or none.
func (a *server) listByExternalID(
	ctx context.Context, in gen.ListNotificationsRequestObject,
) (gen.ListNotificationsResponseObject, error) {
	position := eventID(a.Live.Position())
	data, err := a.Notifications.ByExternalID(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug,
		*in.Params.ExternalID)
	if err != nil {
		return nil, err
	}
	return notificationPage{pictures: a.Pictures, data: data, position: position,
		meta: api.NotificationPageMeta{Total: int64(len(data))}}, nil
}

// PublishNotification publishes a notification to a channel.
func (a *server) PublishNotification(
	ctx context.Context, in gen.PublishNotificationRequestObject,
) (gen.PublishNotificationResponseObject, error) {
	key := idempotency(ctx, in.Params.IdempotencyKey)
	n, creation, err := a.Notifications.Publish(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug,
		fromAPINotificationInput(*in.Body), key)
	if err != nil {
		return nil, err
	}
	if creation == core.Existing || creation == core.ReplayedExisting {
		return gen.PublishNotification200JSONResponse{
			Body: a.Pictures.toAPINotification(n),
			Headers: gen.PublishNotification200ResponseHeaders{
				ETag: etag(n.Version()), IdempotencyReplayed: replayed(creation),
			},
		}, nil
	}
	location := prefix + "/channels/" + n.Channel.Address() + "/notifications/" + n.ID.String()
	body := a.Pictures.toAPINotification(n)
	body.Adjusted = toAPIAdjusted(callOf(ctx).adjusted)
	return gen.PublishNotification201JSONResponse{
		Body: body,
		Headers: gen.PublishNotification201ResponseHeaders{
			Location: &location, ETag: etag(n.Version()), IdempotencyReplayed: replayed(creation),
		},
	}, nil
}

// PublishNotifications publishes a batch of notifications to a channel.
func (a *server) PublishNotifications(
	ctx context.Context, in gen.PublishNotificationsRequestObject,
) (gen.PublishNotificationsResponseObject, error) {
	c, batch := callOf(ctx), fromAPINotificationBatch(*in.Body)
	if err := a.limitBatch(c, len(batch.Notifications)); err != nil {
		return nil, err
	}
	published, creation, err := a.Notifications.PublishBatch(ctx, c.caller, in.PublisherSlug, in.ChannelSlug, batch,
		idempotency(ctx, in.Params.IdempotencyKey))
	if err != nil {
		return nil, err
	}
	return gen.PublishNotifications200JSONResponse{
		Body:    api.NotificationBatchResult{Data: convert(published, toAPINotificationResult)},
		Headers: gen.PublishNotifications200ResponseHeaders{IdempotencyReplayed: replayed(creation)},
	}, nil
}

func toAPINotificationResult(p core.Published) api.NotificationResult {
	outcome := api.NotificationResultOutcomeCreated
	if p.Existing {
		outcome = api.NotificationResultOutcomeExisting
	}
	return api.NotificationResult{ID: p.ID, Outcome: outcome}
}

// GetNotification returns a notification.
func (a *server) GetNotification(
	ctx context.Context, in gen.GetNotificationRequestObject,
) (gen.GetNotificationResponseObject, error) {
	n, err := a.Notifications.Get(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetNotification200JSONResponse{
		Body: a.Pictures.toAPINotification(n), Headers: gen.GetNotification200ResponseHeaders{ETag: etag(n.Version())},
	}, nil
}

// CorrectNotification changes a notification.
func (a *server) CorrectNotification(
	ctx context.Context, in gen.CorrectNotificationRequestObject,
) (gen.CorrectNotificationResponseObject, error) {
	version, err := parseIfMatch(in.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	n, err := a.Notifications.Correct(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID,
		fromAPINotificationPatch(*in.Body), version)
	if err != nil {
		return nil, err
	}
	return gen.CorrectNotification200JSONResponse{
		Body:    a.Pictures.toAPINotification(n),
		Headers: gen.CorrectNotification200ResponseHeaders{ETag: etag(n.Version())},
	}, nil
}

// WithdrawNotification removes a notification from every feed.
func (a *server) WithdrawNotification(
	ctx context.Context, in gen.WithdrawNotificationRequestObject,
) (gen.WithdrawNotificationResponseObject, error) {
	version, err := parseIfMatch(in.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	if err := a.Notifications.Withdraw(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug, in.ID,
		version); err != nil {
		return nil, err
	}
	return gen.WithdrawNotification204Response{}, nil
}

// StreamChannel streams a channel's notifications, until the caller's credential, if any, is no longer valid.
func (a *server) StreamChannel(
	ctx context.Context, in gen.StreamChannelRequestObject,
) (gen.StreamChannelResponseObject, error) {
	id, err := a.Channels.Find(ctx, callOf(ctx).caller, in.PublisherSlug, in.ChannelSlug)
	if err != nil {
		return nil, err
	}
	return a.stream(ctx, in.Params.LastEventID,
		func(w http.ResponseWriter, r *http.Request, q core.StreamRequest) error {
			return a.Live.ServeChannel(w, r, id, q)
		}), nil
}

// oneMore raises the limit by one, to find out whether there is a next page.
func oneMore(p core.Page) core.Page {
	p.Limit++
	return p
}

// notificationPage returns a page with the cursor of the next one. data was read with oneMore, and may have been cut
// because of its size. The position of the stream was read before it.
func (a *server) notificationPage(
	c *call, p core.Page, position *string, data []core.Notification, cut bool, meta api.NotificationPageMeta,
) notificationPage {
	page := notificationPage{pictures: a.Pictures, data: data[:min(len(data), p.Limit)], meta: meta,
		position: position}
	if len(data) > p.Limit || cut {
		next := page.data[len(page.data)-1].Cursor().String()
		page.meta.NextCursor, page.next = &next, c.link("cursor", next)
	}
	return page
}

func (pics Pictures) toAPINotification(n core.Notification) api.Notification {
	out := api.Notification{
		ID: n.ID, Channel: pics.toAPIChannelRef(n.Channel), Title: n.Title, Body: n.Body,
		Image: optional(n.Image), ImageProxy: pics.proxy(n.Image),
		Icon: optional(n.Icon), IconProxy: pics.proxy(n.Icon),
		Link: optional(n.Link), Importance: api.Importance(n.Importance),
		ExternalID: optional(n.ExternalID), PublishedAt: utc(n.PublishedAt), ScheduledAt: utc(n.ScheduledAt),
		ExpiresAt: utc(n.ExpiresAt), EditedAt: utc(n.EditedAt), ReadAt: utc(n.ReadAt), ArchivedAt: utc(n.ArchivedAt),
		SnoozedUntil: utc(n.SnoozedUntil),
	}
	if len(n.Data) > 0 {
		out.Data = new(api.NotificationData(n.Data))
	}
	return out
}

func fromAPINotificationInput(in api.NotificationInput) core.PublishInput {
	return core.PublishInput{
		Title: in.Title, Body: value(in.Body), Image: value(in.Image), Icon: value(in.Icon), Link: value(in.Link),
		Importance: core.Importance(value(in.Importance)), Data: value(in.Data), ExternalID: value(in.ExternalID),
		ScheduledAt: utc(in.ScheduledAt), ExpiresAt: utc(in.ExpiresAt),
	}
}

func fromAPINotificationBatch(in api.NotificationBatch) core.PublishBatchInput {
	return core.PublishBatchInput{Notifications: convert(in.Notifications, fromAPINotificationInput)}
}

func fromAPINotificationPatch(in api.NotificationPatch) core.CorrectInput {
	out := core.CorrectInput{
		Title: in.Title, Body: in.Body, Image: fromAPIPatch(in.Image), Icon: fromAPIPatch(in.Icon),
		Link: fromAPIPatch(in.Link), Importance: (*core.Importance)(in.Importance), Data: (*map[string]string)(in.Data),
		ScheduledAt: utc(in.ScheduledAt), ExpiresAt: fromAPIPatch(in.ExpiresAt),
	}
	out.ExpiresAt.Value = utc(out.ExpiresAt.Value)
	return out
}
