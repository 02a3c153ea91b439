package core

import (
	"context"
	"slices"
	"time"
)

// Bell determines which notifications of a channel are pushed to a subscriber. The feed always contains all of them.
type Bell string

// The bells.
const (
	BellAll       Bell = "all"
	BellImportant Bell = "important"
	BellDigest    Bell = "digest" // important ones, and once a day how many others came
	BellNone      Bell = "none"
)

// loudness orders bells.
func (b Bell) loudness() int {
	return slices.Index([]Bell{BellNone, BellImportant, BellDigest, BellAll}, b)
}

// Subscription records that a subscriber follows a channel.
type Subscription struct {
	Channel     ChannelRef
	Bell        Bell
	MutedUntil  *time.Time
	FollowedAt  time.Time
	UnreadCount int64
}

// SubscriptionPage is a page of the channels that somebody follows.
type SubscriptionPage struct {
	Data     []Subscription
	Total    int64 // of all pages
	Position int64 // on the stream, up to which the unread counts have everything, and after which nothing
}

// FormerSubscriptionsKept is how long the bell and the read state of an unfollowed channel are kept.
const FormerSubscriptionsKept = 30 * 24 * time.Hour

// FormerSubscription is what is kept of an unfollowed channel.
type FormerSubscription struct {
	Channel      ChannelRef
	Bell         Bell
	MutedUntil   *time.Time
	ReadAt       time.Time // when the person last read all of the channel
	UnfollowedAt time.Time
}

// SubscriptionPatch is a change to a subscription.
type SubscriptionPatch struct {
	Bell       *Bell
	MutedUntil Patch[time.Time]
}

// SubscriptionStore keeps subscriptions.
type SubscriptionStore interface {
	// Subscribe follows a channel, with nothing unread; a subscriber who unfollowed it within FormerSubscriptionsKept
	// has the bell and the read state of then. Following it twice changes nothing. It fails with CodeNotFound when
	// there is no such channel, and with CodeForbidden when it is a demonstration channel.
	Subscribe(ctx context.Context, subscriberID, channelID ID, now time.Time) (Subscription, error)
	// Unsubscribe stops following a channel; it fails with CodeNotFound when there is no such channel.
	Unsubscribe(ctx context.Context, subscriberID, channelID ID, now time.Time) error
	UpdateSubscription(ctx context.Context, subscriberID, channelID ID, p SubscriptionPatch) (Subscription, error)
	Subscriptions(ctx context.Context, subscriberID ID, page Page) (SubscriptionPage, error)
}

// Subscriptions follows and unfollows channels.
type Subscriptions struct {
	store    SubscriptionStore
	announce Announcer
	now      func() time.Time
}

// NewSubscriptions returns the service for subscriptions.
func NewSubscriptions(store SubscriptionStore, announce Announcer, now func() time.Time) *Subscriptions {
	return &Subscriptions{store: store, announce: announce, now: now}
}

// List returns the channels that the caller follows.
func (s *Subscriptions) List(ctx context.Context, c Caller, page Page) (SubscriptionPage, error) {
	return s.store.Subscriptions(ctx, c.SubscriberID, page)
}

// Update changes the caller's bell for a channel.
func (s *Subscriptions) Update(ctx context.Context, c Caller, channelID ID, p SubscriptionPatch) (Subscription, error) {
	return s.store.UpdateSubscription(ctx, c.SubscriberID, channelID, p)
}

// Follow follows a channel.
func (s *Subscriptions) Follow(ctx context.Context, subscriberID, channelID ID) (Subscription, error) {
	sub, err := s.store.Subscribe(ctx, subscriberID, channelID, s.now())
	if err != nil {
		return sub, err
	}
	s.announce.Followed(ctx, subscriberID)
	return sub, nil
}

// Unfollow stops following a channel.
func (s *Subscriptions) Unfollow(ctx context.Context, subscriberID, channelID ID) error {
	err := s.store.Unsubscribe(ctx, subscriberID, channelID, s.now())
	if err != nil {
		return err
	}
	s.announce.Followed(ctx, subscriberID)
	return nil
}

// Announcer notifies the live streams of every node of changes other than publications. It neither fails a request nor
// waits for the database to notify other nodes: a client that misses an announcement sees the change at its next fetch.
type Announcer interface {
	// Followed announces that the subscriber followed or unfollowed a channel.
	Followed(ctx context.Context, subscriberID ID)
	// Read announces that notifications became read or unread.
	Read(ctx context.Context, subscriberID ID, r ReadEvent)
	// ChannelReset announces that a channel was deleted, or is hidden or shown again.
	ChannelReset(ctx context.Context, channelID ID)
	// ChannelLeft announces that somebody may no longer see a channel.
	ChannelLeft(ctx context.Context, channelID ID)
	// SignedOut announces that a session, access token or API key ended or will end.
	SignedOut(ctx context.Context, credentialID ID)
}

// ReadEvent notifies the subscriber's other devices which notifications became read: one, all of a channel, or all.
type ReadEvent struct {
	NotificationID *ID        `json:"notificationId,omitempty"`
	Archived       *bool      `json:"archived,omitempty"`     // true when it left the feed, false when it came back
	SnoozedUntil   *time.Time `json:"snoozedUntil,omitempty"` // it left the feed until then
	Returned       bool       `json:"returned,omitempty"`     // it came back because it was postponed until now
	ReadAt         *time.Time `json:"readAt,omitempty"`
	ChannelID      *ID        `json:"channelId,omitempty"`
	By             ID         `json:"-"` // the session or access token that read it; only on the node that it asked
}
