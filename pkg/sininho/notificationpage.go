package sininho

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
)

// NotificationPage is one page of notifications, newest first.
type NotificationPage struct {
	Data []Notification
	// Total is how many there are on all pages.
	Total int64
	// Unread is how many of these are unread; nil if the reader does not follow the channel.
	Unread *int64
	// NextCursor is the cursor of the next page, empty on the last one. It stays valid whatever is published.
	NextCursor string
}

// notificationPage is a NotificationPage as the API sends it.
type notificationPage struct {
	Data []Notification `json:"data"`
	Meta struct {
		Total      int64  `json:"total"`
		Unread     *int64 `json:"unread"`
		NextCursor string `json:"nextCursor"`
	} `json:"meta"`
}

func (p *notificationPage) page() *NotificationPage {
	return &NotificationPage{Data: p.Data, Total: p.Meta.Total, Unread: p.Meta.Unread, NextCursor: p.Meta.NextCursor}
}

// Page returns one page of the channel's notifications, from a cursor on: "" for the newest. Where all are wanted,
// [NotificationsService.List] is simpler.
func (s *NotificationsService) Page(
	ctx context.Context, channel, cursor string, opts ListOptions,
) (*NotificationPage, error) {
	address, err := ParseAddress(channel)
	if err != nil {
		return nil, err
	}
	size, err := pageSize(opts.PageSize)
	if err != nil {
		return nil, err
	}
	page, err := decode[notificationPage](s.api.ListNotifications(ctx, address.Publisher, address.Channel,
		&api.ListNotificationsParams{Limit: &size, Cursor: optional(cursor)}))
	if err != nil {
		return nil, err
	}
	return page.page(), nil
}

// Page returns one page of the feed, from a cursor on: "" for the newest. Where all are wanted, [FeedService.List] is
// simpler.
func (s *FeedService) Page(ctx context.Context, cursor string, opts FeedListOptions) (*NotificationPage, error) {
	size, err := pageSize(opts.PageSize)
	if err != nil {
		return nil, err
	}
	params := api.ListFeedParams{Limit: &size, Unread: optional(opts.Unread), Archived: optional(opts.Archived),
		Snoozed: optional(opts.Snoozed), Important: optional(opts.Important), Q: optional(opts.Search),
		Cursor: optional(cursor)}
	if opts.Channel != "" {
		id, err := findChannel(ctx, s.api, opts.Channel)
		if err != nil {
			return nil, err
		}
		params.ChannelID = &id
	}
	page, err := decode[notificationPage](s.api.ListFeed(ctx, &params))
	if err != nil {
		return nil, err
	}
	return page.page(), nil
}
