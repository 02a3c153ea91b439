package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// NotificationsService publishes notifications and reads what was published
// (API: /channels/{publisherSlug}/{channelSlug}/notifications). Each method takes the
// channel as publisher/channel.
type NotificationsService struct {
	api     *api.Client
	streams streamer
}

// Importance says whom a notification may disturb.
type Importance string

// Subscribers may let only important notifications be pushed. Other values may come.
const (
	Normal    Importance = "normal"
	Important Importance = "important"
)

// Notification is what was published to a channel. Optional texts are empty and optional
// times zero when absent.
type Notification struct {
	ID      string     `json:"id"`
	Channel ChannelRef `json:"channel"`
	// Title has at most 200 characters, Body at most 20,000.
	Title string `json:"title"`
	Body  string `json:"body"`
	// Image, Icon and Link are addresses.
	Image      string            `json:"image,omitzero"`
	Icon       string            `json:"icon,omitzero"`
	Link       string            `json:"link,omitzero"`
	Importance Importance        `json:"importance"`
	Data       map[string]string `json:"data,omitempty"`
	// ExternalID is the publisher's own id for it, unique in the channel.
	ExternalID string `json:"externalId,omitzero"`
	// PublishedAt is zero while it is only scheduled.
	PublishedAt time.Time `json:"publishedAt,omitzero"`
	ScheduledAt time.Time `json:"scheduledAt,omitzero"`
	ExpiresAt   time.Time `json:"expiresAt,omitzero"`
	EditedAt    time.Time `json:"editedAt,omitzero"`
	// ReadAt is when the signed-in person read it; zero for others.
	ReadAt time.Time `json:"readAt,omitzero"`
	// Version is set by Publish, Get and Correct, for [IfVersion].
	Version string `json:"-"`
}

func (n *Notification) setVersion(version string) { n.Version = version }

// Get shows one notification. One that is only scheduled is shown to its publisher alone;
// for others it is an [ErrNotFound].
func (s *NotificationsService) Get(ctx context.Context, channel, id string) (*Notification, error) {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return nil, err
	}
	return decodeVersion[Notification](s.api.GetNotification(ctx, address.Publisher, address.Channel, parsed))
}

// Withdraw takes a notification out of every feed; one that is only scheduled is never
// published. Withdrawing again changes nothing.
func (s *NotificationsService) Withdraw(ctx context.Context, channel, id string, opts ...ChangeOption) error {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return err
	}
	return check(s.api.WithdrawNotification(ctx, address.Publisher, address.Channel, parsed,
		&api.WithdrawNotificationParams{IfMatch: newChange(opts).version}))
}

// ListOptions says how a list is read.
type ListOptions struct {
	// PageSize is how many are fetched at once, 1 to 100 (default 50). It bounds no list:
	// stop the loop when you have enough.
	PageSize int
}

// Scheduled goes through what is still to be published in the channel, the soonest first. It
// needs an API key with the scope read or publish, or a person's access token. An error ends it.
func (s *NotificationsService) Scheduled(ctx context.Context, channel string) iter.Seq2[Notification, error] {
	address, err := ParseAddress(channel)
	if err != nil {
		return failed[Notification](err)
	}
	return listed(func(n Notification) string { return n.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListNotifications(ctx, address.Publisher, address.Channel,
			&api.ListNotificationsParams{Limit: limit, Offset: offset, Scheduled: new(true)})
	})
}

// List goes through the channel's notifications, newest first, fetching pages as the loop
// goes on. What is published meanwhile neither repeats nor hides one. An error ends it.
func (s *NotificationsService) List(ctx context.Context, channel string, opts ListOptions) iter.Seq2[Notification, error] {
	address, err := ParseAddress(channel)
	if err != nil {
		return failed[Notification](err)
	}
	size, err := pageSize(opts.PageSize)
	if err != nil {
		return failed[Notification](err)
	}
	return eachPage(func(cursor string) ([]Notification, string, error) {
		page, err := decode[notificationPage](s.api.ListNotifications(ctx, address.Publisher, address.Channel,
			&api.ListNotificationsParams{Limit: &size, Cursor: optional(cursor)}))
		if err != nil {
			return nil, "", err
		}
		return page.Data, page.Meta.NextCursor, nil
	})
}

type notificationPage struct {
	Data []Notification `json:"data"`
	Meta struct {
		NextCursor string `json:"nextCursor"`
	} `json:"meta"`
}
