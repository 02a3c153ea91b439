package sininho

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// NotificationsService publishes notifications and reads published ones
// (API: /channels/{publisherSlug}/{channelSlug}/notifications). Each method takes the channel as publisher/channel.
type NotificationsService struct {
	api     *api.Client
	streams streamer
}

// Importance determines whether a notification is pushed to subscribers who want only important ones.
type Importance string

// The importances. More may be added.
const (
	Normal    Importance = "normal"
	Important Importance = "important"
)

// Notification is a notification in a channel. Absent optional texts are empty, and absent optional times are zero.
type Notification struct {
	ID      string     `json:"id"`
	Channel ChannelRef `json:"channel"`
	// Title has at most 200 characters, Body at most 20,000.
	Title string `json:"title"`
	Body  string `json:"body"`
	// Image, Icon and Link are URLs. ImageProxy and IconProxy are where the server serves the same pictures: show those
	// to readers, whom the publisher's server would see otherwise. They are empty on servers without a picture proxy.
	Image      string            `json:"image,omitzero"`
	ImageProxy string            `json:"imageProxy,omitzero"`
	Icon       string            `json:"icon,omitzero"`
	IconProxy  string            `json:"iconProxy,omitzero"`
	Link       string            `json:"link,omitzero"`
	Importance Importance        `json:"importance"`
	Data       map[string]string `json:"data,omitempty"`
	// ExternalID is the publisher's own id of the notification, unique in the channel.
	ExternalID string `json:"externalId,omitzero"`
	// PublishedAt is zero while the notification is only scheduled.
	PublishedAt time.Time `json:"publishedAt,omitzero"`
	ScheduledAt time.Time `json:"scheduledAt,omitzero"`
	ExpiresAt   time.Time `json:"expiresAt,omitzero"`
	EditedAt    time.Time `json:"editedAt,omitzero"`
	// ReadAt is when the signed-in person read it; zero if they have not, and for other callers.
	ReadAt time.Time `json:"readAt,omitzero"`
	// ArchivedAt is when the signed-in person archived it; zero if they have not, and for other callers.
	ArchivedAt time.Time `json:"archivedAt,omitzero"`
	// SnoozedUntil is until when the signed-in person has postponed it; zero if they have not, and for other callers.
	SnoozedUntil time.Time `json:"snoozedUntil,omitzero"`
	// Version is set by Publish, Get and Correct, for [IfVersion].
	Version string `json:"-"`
}

func (n *Notification) setVersion(version string) { n.Version = version }

// Get returns one notification. If it is only scheduled, Get fails with [ErrNotFound] for everyone but its publisher.
func (s *NotificationsService) Get(ctx context.Context, channel, id string) (*Notification, error) {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return nil, err
	}
	return decodeVersion[Notification](s.api.GetNotification(ctx, address.Publisher, address.Channel, parsed))
}

// GetByExternalID is Get for the publisher's own id. It fails with [ErrNotFound] if the channel has none with that id.
func (s *NotificationsService) GetByExternalID(ctx context.Context, channel, externalID string) (*Notification, error) {
	address, err := ParseAddress(channel)
	if err != nil {
		return nil, err
	}
	page, err := decode[notificationPage](s.api.ListNotifications(ctx, address.Publisher, address.Channel,
		&api.ListNotificationsParams{ExternalID: &externalID}))
	if err != nil {
		return nil, err
	}
	if len(page.Data) == 0 {
		return nil, fmt.Errorf("sininho: %w: %s has no notification with this external id", ErrNotFound, channel)
	}
	return &page.Data[0], nil
}

// Withdraw removes a notification from every feed; a scheduled one is never published. Withdrawing
// it again changes nothing.
func (s *NotificationsService) Withdraw(ctx context.Context, channel, id string, opts ...ChangeOption) error {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return err
	}
	return check(s.api.WithdrawNotification(ctx, address.Publisher, address.Channel, parsed,
		&api.WithdrawNotificationParams{IfMatch: newChange(opts).version}))
}

// ListOptions are the options of a list.
type ListOptions struct {
	// PageSize is the number of items fetched per request, 1 to 100 (default 50). It does not limit
	// the list: leave the loop when you have enough.
	PageSize int
}

// Scheduled iterates over the notifications still to be published in the channel, the earliest
// first. It needs an API key with the scope read or publish, or the access token of a member. The
// iteration ends at the first error.
func (s *NotificationsService) Scheduled(ctx context.Context, channel string) iter.Seq2[Notification, error] {
	address, err := ParseAddress(channel)
	if err != nil {
		return failed[Notification](err)
	}
	return listed(func(n Notification) string { return n.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListNotifications(ctx, address.Publisher, address.Channel,
			&api.ListNotificationsParams{Limit: limit, Offset: offset, Scheduled: pointerTo(true)})
	})
}

// List iterates over the channel's notifications, newest first, fetching pages as the loop
// proceeds. Notifications published during the iteration cause neither repeats nor gaps. The
// iteration ends at the first error.
func (s *NotificationsService) List(
	ctx context.Context, channel string, opts ListOptions,
) iter.Seq2[Notification, error] {
	return eachPage(func(cursor string) (*NotificationPage, error) { return s.Page(ctx, channel, cursor, opts) })
}
