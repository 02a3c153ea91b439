package core

import (
	"context"
	"time"
)

// FeedFilter says which part of a feed is wanted.
type FeedFilter struct {
	UnreadOnly bool
	Page
}

// ReceiptPatch is what a subscriber does with a notification.
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

// FeedStore keeps feeds and what subscribers did with them.
type FeedStore interface {
	Feed(ctx context.Context, subscriberID ID, f FeedFilter) (data []Notification, total, unread int64, err error)
	// FeedNotification finds one of a followed channel; CodeNotFound when there is none that is visible.
	FeedNotification(ctx context.Context, subscriberID, notificationID ID) (Notification, error)
	// UpdateReceipt answers the notification as the subscriber sees it then; CodeNotFound when it is not in their feed.
	UpdateReceipt(ctx context.Context, subscriberID, notificationID ID, p ReceiptPatch, now time.Time) (Notification, error)
	// RecordFeedEvent tells whether the subscriber opened it for the first time.
	RecordFeedEvent(ctx context.Context, subscriberID, notificationID ID, e FeedEvent, now time.Time) (first bool, err error)
	// ReadAll marks everything, or all of one channel, as read; CodeNotFound when the channel is not followed.
	ReadAll(ctx context.Context, subscriberID ID, channelID *ID, now time.Time) error
}

// Feed is the notifications of all channels a subscriber follows.
type Feed struct {
	Store     FeedStore
	Announce  Announcer
	Analytics Analytics
	Now       func() time.Time
}

// Update marks a notification read, unread or archived on every device.
func (f *Feed) Update(ctx context.Context, subscriberID, notificationID ID, p ReceiptPatch) (Notification, error) {
	n, err := f.Store.UpdateReceipt(ctx, subscriberID, notificationID, p, f.Now())
	if err == nil {
		f.Announce.Read(ctx, subscriberID, ReadEvent{NotificationID: &notificationID, ReadAt: n.ReadAt, Archived: p.Archived})
	}
	return n, err
}

// Record keeps that a notification was displayed or opened; opening also marks it read. That it was opened is counted
// once, and not of who refuses to be tracked.
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

// ReadAll marks everything, or all of one channel, as read on every device.
func (f *Feed) ReadAll(ctx context.Context, subscriberID ID, channelID *ID) error {
	err := f.Store.ReadAll(ctx, subscriberID, channelID, f.Now())
	if err == nil {
		f.Announce.Read(ctx, subscriberID, ReadEvent{ChannelID: channelID})
	}
	return err
}
