package sininho

import (
	"context"
	"iter"
	"net/http"

	"github.com/sininho/sininho/pkg/api"
)

// FeedService reads what all channels publish that the signed-in person follows
// (API: /subscribers/notifications). It needs their access token.
type FeedService struct {
	api     *api.Client
	streams streamer
}

// FeedListOptions says which notifications to list.
type FeedListOptions struct {
	// Unread leaves out what was read.
	Unread bool
	// PageSize is how many are fetched at once, 1 to 100 (default 50).
	PageSize int
}

// List goes through the feed, newest first and without what was archived, fetching pages as
// the loop goes on. What is published meanwhile neither repeats nor hides one. An error ends
// it.
func (s *FeedService) List(ctx context.Context, opts FeedListOptions) iter.Seq2[Notification, error] {
	size, err := pageSize(opts.PageSize)
	if err != nil {
		return failed[Notification](err)
	}
	return eachPage(func(cursor string) ([]Notification, string, error) {
		page, err := decode[notificationPage](s.api.ListFeed(ctx, &api.ListFeedParams{
			Limit: &size, Cursor: optional(cursor), Unread: optional(opts.Unread),
		}))
		if err != nil {
			return nil, "", err
		}
		return page.Data, page.Meta.NextCursor, nil
	})
}

// Get shows one notification of a channel that the person follows.
func (s *FeedService) Get(ctx context.Context, id string) (*Notification, error) {
	parsed, err := parseID(id)
	if err != nil {
		return nil, err
	}
	return decode[Notification](s.api.GetFeedNotification(ctx, parsed))
}

// FeedUpdate is what to change; what is nil stays.
type FeedUpdate struct {
	Read *bool
	// Archived: an archived notification leaves the feed.
	Archived *bool
}

// Update marks a notification on every device as read or unread, archived or not, and
// returns it.
func (s *FeedService) Update(ctx context.Context, id string, in FeedUpdate) (*Notification, error) {
	parsed, err := parseID(id)
	if err != nil {
		return nil, err
	}
	return decode[Notification](s.api.UpdateFeedNotification(ctx, parsed, api.ReceiptPatch{Read: in.Read, Archived: in.Archived}))
}

// MarkRead marks a notification as read on every device, and returns it.
func (s *FeedService) MarkRead(ctx context.Context, id string) (*Notification, error) {
	return s.Update(ctx, id, FeedUpdate{Read: new(true)})
}

// RecordDisplayed tells that a notification was shown to the person, which its publisher sees
// counted; the first time counts.
func (s *FeedService) RecordDisplayed(ctx context.Context, id string) error {
	return s.record(ctx, id, api.FeedEventInputTypeDisplayed)
}

// RecordOpened tells that the person opened a notification, which also marks it as read.
func (s *FeedService) RecordOpened(ctx context.Context, id string) error {
	return s.record(ctx, id, api.FeedEventInputTypeOpened)
}

func (s *FeedService) record(ctx context.Context, id string, event api.FeedEventInputType) error {
	parsed, err := parseID(id)
	if err != nil {
		return err
	}
	return check(s.api.RecordFeedEvent(ctx, parsed, api.FeedEventInput{Type: event}))
}

// ReadAll marks all notifications as read on every device: those of a channel, named as
// publisher/channel or by its id, or with "" those of all that the person follows.
func (s *FeedService) ReadAll(ctx context.Context, channel string) error {
	var body api.ReadAllInput
	if channel != "" {
		id, err := findChannel(ctx, s.api, channel)
		if err != nil {
			return err
		}
		body.ChannelID = &id
	}
	return check(s.api.ReadAll(ctx, body))
}

// Stream follows the feed live, as Notifications.Stream does a channel, and also tells what
// becomes read on another device ([EventRead]).
func (s *FeedService) Stream(ctx context.Context, opts StreamOptions) iter.Seq2[Event, error] {
	return s.streams.follow(ctx, "feed", opts, func(ctx context.Context, lastID *string) (*http.Response, error) {
		return s.streams.api.StreamFeed(ctx, &api.StreamFeedParams{LastEventID: lastID})
	})
}
