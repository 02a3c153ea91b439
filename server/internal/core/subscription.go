package core

import (
	"context"
	"time"
)

// Bell says which notifications of a channel are pushed to a subscriber. The feed always has everything.
type Bell string

// The bells.
const (
	BellAll       Bell = "all"
	BellImportant Bell = "important"
	BellNone      Bell = "none"
)

// Subscription is a subscriber following a channel.
type Subscription struct {
	Channel     ChannelRef
	Bell        Bell
	MutedUntil  *time.Time
	FollowedAt  time.Time
	UnreadCount int64
}

// SubscriptionPatch is a change to a subscription.
type SubscriptionPatch struct {
	Bell       *Bell
	MutedUntil Patch[time.Time]
}

// SubscriptionStore keeps subscriptions.
type SubscriptionStore interface {
	// Subscribe follows a channel, with nothing unread; following twice changes nothing. CodeNotFound when there is no such
	// channel, CodeForbidden when it is a demonstration.
	Subscribe(ctx context.Context, subscriberID, channelID ID, now time.Time) (Subscription, error)
	// Unsubscribe stops following; CodeNotFound when there is no such channel.
	Unsubscribe(ctx context.Context, subscriberID, channelID ID, now time.Time) error
	UpdateSubscription(ctx context.Context, subscriberID, channelID ID, p SubscriptionPatch) (Subscription, error)
	Subscriptions(ctx context.Context, subscriberID ID, page Page) (data []Subscription, total int64, err error)
}

// Subscriptions follows and unfollows.
type Subscriptions struct {
	Store    SubscriptionStore
	Announce Announcer
	Now      func() time.Time
}

// Follow follows a channel.
func (s *Subscriptions) Follow(ctx context.Context, subscriberID, channelID ID) (Subscription, error) {
	sub, err := s.Store.Subscribe(ctx, subscriberID, channelID, s.Now())
	if err == nil {
		s.Announce.Followed(ctx, subscriberID)
	}
	return sub, err
}

// Unfollow stops following a channel.
func (s *Subscriptions) Unfollow(ctx context.Context, subscriberID, channelID ID) error {
	err := s.Store.Unsubscribe(ctx, subscriberID, channelID, s.Now())
	if err == nil {
		s.Announce.Followed(ctx, subscriberID)
	}
	return err
}

// Announcer tells the live streams of every node what else changed. It never fails a request: readers who miss an
// announcement see the change when they next fetch.
type Announcer interface {
	// Followed says that the subscriber follows other channels than before.
	Followed(ctx context.Context, subscriberID ID)
	// Read says that something became read or unread.
	Read(ctx context.Context, subscriberID ID, r ReadEvent)
	// ChannelDeleted says that there is a channel no more.
	ChannelDeleted(ctx context.Context, channelID ID)
	// SignedOut says that a session, access token or API key ended, or will.
	SignedOut(ctx context.Context, credentialID ID)
}

// ReadEvent tells the subscriber's other devices what became read: one notification, all of a channel, or all.
type ReadEvent struct {
	NotificationID *ID        `json:"notificationId,omitempty"`
	Archived       *bool      `json:"archived,omitempty"` // it left the feed, or came back
	ReadAt         *time.Time `json:"readAt,omitempty"`
	ChannelID      *ID        `json:"channelId,omitempty"`
}
