package core

import (
	"context"
	"time"
)

// FeedFilter selects a part of a feed. The zero filter selects all of it, without what is archived or postponed.
type FeedFilter struct {
	UnreadOnly, ImportantOnly bool
	// ArchivedOnly selects what is archived instead, and SnoozedOnly what is postponed. Nothing is both.
	ArchivedOnly, SnoozedOnly bool
	// ChannelID selects one followed channel.
	ChannelID *ID
	// Search finds words in title and body.
	Search Search
	Page
}

// FeedPage is a page of a feed, newest first.
type FeedPage struct {
	Data  []Notification
	Total int64 // that match the filter
	// Unread is how many notifications of the whole feed are unread.
	Unread int64
	// Cut is set when the page ends before its limit because of its size.
	Cut bool
}

// ReceiptPatch is a subscriber's change to a notification in their feed.
type ReceiptPatch struct {
	// Either value of Archived ends a postponement.
	Read, Archived *bool
	// SnoozedUntil postpones the notification, or takes that back. It is changed alone.
	SnoozedUntil Patch[time.Time]
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
	// Feed returns a page of a feed. It fails with CodeUnavailable when a search takes too long.
	Feed(ctx context.Context, subscriberID ID, f FeedFilter) (FeedPage, error)
	// FeedNotification returns a notification of a followed channel; it fails with CodeNotFound when there is no
	// visible one.
	FeedNotification(ctx context.Context, subscriberID, notificationID ID) (Notification, error)
	// UpdateReceipt returns the notification as the subscriber now sees it; it fails with CodeNotFound when the
	// notification is not in their feed, and with the error of CapSnoozed.
	UpdateReceipt(
		ctx context.Context, subscriberID, notificationID ID, p ReceiptPatch, now time.Time,
	) (Notification, error)
	// RecordDisplayed records that notifications were displayed to the subscriber, once for each however often it is
	// called. It ignores those that are not in their feed, and fails with CodeNotFound when none is. It also notes that
	// the device shows pushes, unless it is nil; at once when none is in the feed, which then are tests.
	RecordDisplayed(ctx context.Context, subscriberID ID, deviceID *ID, notificationIDs []ID) error
	// RecordOpened also marks the notification as read, and reports whether the subscriber opened it for the first
	// time; it fails with CodeNotFound when the notification is not in their feed.
	RecordOpened(ctx context.Context, subscriberID, notificationID ID, now time.Time) (first bool, err error)
	// ReadAll marks all notifications, or all of one channel, as read; it fails with CodeNotFound when the channel is
	// not followed.
	ReadAll(ctx context.Context, subscriberID ID, channelID *ID, now time.Time) error
}

// Feed lists and updates the feed of a subscriber, which contains the notifications of all channels that they follow.
type Feed struct {
	store     FeedStore
	announce  Announcer
	analytics Analytics
	now       func() time.Time
}

// NewFeed returns the service for feeds.
func NewFeed(store FeedStore, announce Announcer, analytics Analytics, now func() time.Time) *Feed {
	return &Feed{store: store, announce: announce, analytics: analytics, now: now}
}

// List returns a page of the caller's feed.
func (f *Feed) List(ctx context.Context, c Caller, filter FeedFilter) (FeedPage, error) {
	return f.store.Feed(ctx, c.SubscriberID, filter)
}

// Get returns a notification of a channel that the caller follows.
func (f *Feed) Get(ctx context.Context, c Caller, id ID) (Notification, error) {
	return f.store.FeedNotification(ctx, c.SubscriberID, id)
}

// Update marks a notification as read, unread or archived on every device, or postpones it.
func (f *Feed) Update(ctx context.Context, c Caller, notificationID ID, p ReceiptPatch) (Notification, error) {
	now := f.now()
	if p.SnoozedUntil.Set {
		if err := f.checkSnooze(ctx, c, notificationID, p, now); err != nil {
			return Notification{}, err
		}
	}
	n, err := f.store.UpdateReceipt(ctx, c.SubscriberID, notificationID, p, now)
	if err != nil {
		return n, err
	}
	e := ReadEvent{NotificationID: &notificationID, ReadAt: n.ReadAt, Archived: p.Archived,
		SnoozedUntil: n.SnoozedUntil, By: c.Credential()}
	if p.SnoozedUntil.Set {
		e.Archived = new(n.IsPutAway())
	}
	f.announce.Read(ctx, c.SubscriberID, e)
	return n, nil
}

// Record stores that a notification was displayed or opened; opening also marks it as read. Only the first opening is
// reported to analytics, and none by a subscriber who refuses tracking.
func (f *Feed) Record(ctx context.Context, c Caller, notificationID ID, e FeedEvent, untracked bool) error {
	if e == Displayed {
		return f.RecordDisplayed(ctx, c, []ID{notificationID})
	}
	now := f.now()
	first, err := f.store.RecordOpened(ctx, c.SubscriberID, notificationID, now)
	if err != nil {
		return err
	}
	if first && !untracked {
		f.analytics.Capture(NotificationOpened{NotificationID: notificationID})
	}
	f.announce.Read(ctx, c.SubscriberID,
		ReadEvent{NotificationID: &notificationID, ReadAt: &now, By: c.Credential()})
	return nil
}

// RecordDisplayed stores that the caller's device displayed notifications. It ignores those that are not in their feed,
// and fails with CodeNotFound when none is.
func (f *Feed) RecordDisplayed(ctx context.Context, c Caller, notificationIDs []ID) error {
	return f.store.RecordDisplayed(ctx, c.SubscriberID, c.DeviceID, notificationIDs)
}

// ReadAll marks all notifications, or all of one channel, as read on every device.
func (f *Feed) ReadAll(ctx context.Context, c Caller, channelID *ID) error {
	err := f.store.ReadAll(ctx, c.SubscriberID, channelID, f.now())
	if err != nil {
		return err
	}
	f.announce.Read(ctx, c.SubscriberID, ReadEvent{ChannelID: channelID, By: c.Credential()})
	return nil
}
