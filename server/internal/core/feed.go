package core

import (
	"context"
	"time"
)

// FeedFilter selects a part of a feed.
type FeedFilter struct {
	UnreadOnly bool
	Page
}

// ReceiptPatch is a subscriber's change to a notification in their feed.
type ReceiptPatch struct {
	Read, Archived *bool
}

// FeedEvent is something that happened to a notification on a device.
type FeedEvent string

// The events.
const (
	Displayed FeedEvent = "displayed"
	Opened    FeedEvent = "opened"
)

// FeedStore keeps feeds and the receipts of subscribers.
type FeedStore interface {
	Feed(ctx context.Context, subscriberID ID, f FeedFilter) (data []Notification, total, unread int64, err error)
	// FeedNotification returns a notification of a followed channel; it fails with CodeNotFound when there is no
	// visible one.
	FeedNotification(ctx context.Context, subscriberID, notificationID ID) (Notification, error)
	// UpdateReceipt returns the notification as the subscriber now sees it; it fails with CodeNotFound when the
	// notification is not in their feed.
	UpdateReceipt(ctx context.Context, subscriberID, notificationID ID, p ReceiptPatch, now time.Time) (Notification, error)
	// RecordFeedEvent reports whether the subscriber opened the notification for the first time.
	RecordFeedEvent(ctx context.Context, subscriberID, notificationID ID, e FeedEvent, now time.Time) (first bool, err error)
	// ReadAll marks all notifications, or all of one channel, as read; it fails with CodeNotFound when the channel is
	// not followed.
	ReadAll(ctx context.Context, subscriberID ID, channelID *ID, now time.Time) error
}

// Feed updates the feed of a subscriber, which contains the notifications of all channels that they follow.
type Feed struct {
	Store     FeedStore
	Announce  Announcer
	Analytics Analytics
	Now       func() time.Time
}

// Update marks a notification as read, unread or archived on every device.
func (f *Feed) Update(ctx context.Context, subscriberID, notificationID ID, p ReceiptPatch) (Notification, error) {
	n, err := f.Store.UpdateReceipt(ctx, subscriberID, notificationID, p, f.Now())
	if err == nil {
		f.Announce.Read(ctx, subscriberID, ReadEvent{NotificationID: &notificationID, ReadAt: n.ReadAt, Archived: p.Archived})
	}
	return n, err
}

// Record stores that a notification was displayed or opened; opening also marks it as read. Only the first opening is
// reported to analytics, and none by a subscriber who refuses tracking.
func (f *Feed) Record(ctx context.Context, subscriberID, notificationID ID, e FeedEvent, untracked bool) error {
	now := f.Now()
	first, err := f.Store.RecordFeedEvent(ctx, subscriberID, notificationID, e, now)
	if err != nil {
		return err
	}
	if first && !untracked {
		f.Analytics.Capture(NotificationOpened{NotificationID: notificationID})
	}
	if e == Opened {
		f.Announce.Read(ctx, subscriberID, ReadEvent{NotificationID: &notificationID, ReadAt: &now})
	}
	return nil
}

// ReadAll marks all notifications, or all of one channel, as read on every device.
func (f *Feed) ReadAll(ctx context.Context, subscriberID ID, channelID *ID) error {
	err := f.Store.ReadAll(ctx, subscriberID, channelID, f.Now())
	if err == nil {
		f.Announce.Read(ctx, subscriberID, ReadEvent{ChannelID: channelID})
	}
	return err
}
