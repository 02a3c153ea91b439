package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/oapi-codegen/nullable"

	"github.com/sininho/sininho/pkg/api"
)

// FeedService reads the notifications of all channels that the signed-in person follows
// (API: /subscribers/notifications). It needs their access token.
type FeedService struct {
	api     *api.Client
	streams streamer
}

// FeedListOptions filters the feed. The zero value lists all of it, without archived and postponed notifications.
type FeedListOptions struct {
	// Unread leaves out notifications that were read.
	Unread bool
	// Archived lists the archived notifications instead.
	Archived bool
	// Snoozed lists the postponed notifications instead.
	Snoozed bool
	// Important leaves out notifications of normal importance.
	Important bool
	// Channel is one followed channel, as publisher/channel or its id.
	Channel string
	// Search finds words in title and body, ignoring case and accents: at most 8 distinct ones, each the beginning of
	// a word. A notification is found within about a second of its publication.
	Search string
	// PageSize is the number of notifications fetched per request, 1 to 100 (default 50).
	PageSize int
}

// List iterates over the feed, newest first, fetching pages as
// the loop proceeds. Notifications published during the iteration cause neither repeats nor gaps.
// The iteration ends at the first error.
func (s *FeedService) List(ctx context.Context, opts FeedListOptions) iter.Seq2[Notification, error] {
	return eachPage(func(cursor string) (*NotificationPage, error) {
		if opts.Channel != "" && cursor == "" { // its id is looked up once
			id, err := findChannel(ctx, s.api, opts.Channel)
			if err != nil {
				return nil, err
			}
			opts.Channel = id.String()
		}
		return s.Page(ctx, cursor, opts)
	})
}

// Get returns one notification of a channel that the person follows.
func (s *FeedService) Get(ctx context.Context, id string) (*Notification, error) {
	parsed, err := parseID(id)
	if err != nil {
		return nil, err
	}
	return decode[Notification](s.api.GetFeedNotification(ctx, parsed))
}

// FeedUpdate holds the fields to change; nil fields stay unchanged.
type FeedUpdate struct {
	Read *bool
	// Archived removes the notification from the feed, or puts it back.
	Archived *bool
}

// Update marks a notification as read or unread, and as archived or not, on every device of the
// person, and returns it. Archived also ends what Snooze has begun.
func (s *FeedService) Update(ctx context.Context, id string, in FeedUpdate) (*Notification, error) {
	parsed, err := parseID(id)
	if err != nil {
		return nil, err
	}
	return decode[Notification](
		s.api.UpdateFeedNotification(ctx, parsed, api.ReceiptPatch{Read: in.Read, Archived: in.Archived}),
	)
}

// Snooze postpones a notification: it leaves the feed on every device, and is back at that time,
// unread, and pushed to the devices of the person, unless the channel is silent or muted. The time
// is in the future, at most a year ahead, and before the notification expires. A zero time brings
// it back at once. A person can have postponed 500 notifications.
func (s *FeedService) Snooze(ctx context.Context, id string, until time.Time) (*Notification, error) {
	parsed, err := parseID(id)
	if err != nil {
		return nil, err
	}
	snoozed := nullable.NewNullNullable[time.Time]()
	if !until.IsZero() {
		snoozed = nullable.NewNullableWithValue(until)
	}
	return decode[Notification](s.api.UpdateFeedNotification(ctx, parsed, api.ReceiptPatch{SnoozedUntil: snoozed}))
}

// MarkRead marks a notification as read on every device, and returns it.
func (s *FeedService) MarkRead(ctx context.Context, id string) (*Notification, error) {
	return s.Update(ctx, id, FeedUpdate{Read: pointerTo(true)})
}

// RecordDisplayed reports that notifications, 1 to 30, were displayed to the person, which adds to the
// count that their publishers see. Only the first report of each counts. Those that are not in the feed
// are ignored, unless none is.
func (s *FeedService) RecordDisplayed(ctx context.Context, ids ...string) error {
	var body api.DisplayedInput
	for _, id := range ids {
		parsed, err := parseID(id)
		if err != nil {
			return err
		}
		body.NotificationIds = append(body.NotificationIds, parsed)
	}
	return check(s.api.RecordDisplayed(ctx, body))
}

// RecordOpened reports that the person opened a notification, which also marks it as read.
func (s *FeedService) RecordOpened(ctx context.Context, id string) error {
	parsed, err := parseID(id)
	if err != nil {
		return err
	}
	return check(s.api.RecordFeedEvent(ctx, parsed, api.FeedEventInput{Type: api.FeedEventInputTypeOpened}))
}

// ReadAll marks notifications as read on every device: all those of a channel, given as
// publisher/channel or by its id, or with "" those of all channels that the person follows.
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

// Stream follows the feed live, as Notifications.Stream follows a channel. It also reports what was
// read on another device ([EventRead]).
func (s *FeedService) Stream(ctx context.Context, opts StreamOptions) iter.Seq2[Event, error] {
	return s.streams.follow(ctx, "feed", opts, func(ctx context.Context, lastID *string) (*http.Response, error) {
		return s.streams.api.StreamFeed(ctx, &api.StreamFeedParams{LastEventID: lastID})
	})
}
