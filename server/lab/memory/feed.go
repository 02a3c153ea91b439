package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var _ interface {
	core.SubscriptionStore
	core.FeedStore
} = (*Store)(nil)

type subscriptionRow struct {
	channelID   core.ID
	bell        core.Bell
	mutedUntil  *time.Time
	followedAt  time.Time
	readAt      time.Time
	readOrdinal int64 // up to which publications are read
	endedAt     time.Time
}

func (s *Store) subscription(subscriberID core.ID) func(*subscriptionRow) core.Subscription {
	return func(r *subscriptionRow) core.Subscription {
		return core.Subscription{Channel: s.ref(s.channels[r.channelID]), Bell: r.bell, MutedUntil: r.mutedUntil,
			FollowedAt: r.followedAt, UnreadCount: s.unread(subscriberID, r.channelID)}
	}
}

// unread counts what a follower has not read of a channel; it is 0 while the channel is suspended.
func (s *Store) unread(subscriberID, channelID core.ID) (n int64) {
	for _, row := range s.inFeed(subscriberID, &channelID) {
		if shown := s.notification(&subscriberID)(row); shown.ReadAt == nil && !shown.IsPutAway() {
			n++
		}
	}
	return n
}

// Subscribe implements core.SubscriptionStore.
func (s *Store) Subscribe(_ context.Context, subscriberID, channelID core.ID, now time.Time) (
	core.Subscription, error) {
	defer s.lock()()
	return s.subscribe(subscriberID, channelID, false, now)
}

func (s *Store) subscribe(subscriberID, channelID core.ID, invited bool, now time.Time) (core.Subscription, error) {
	c, err := s.openChannel(channelID, nil)
	switch {
	case err != nil:
	case c.Visibility == core.Private && !invited && s.subscriptions[pair{subscriberID, channelID}] == nil:
		err = core.NotFound()
	case s.ref(c).Suspended:
		err = core.ErrHidden()
	case c.Demonstration:
		err = core.ErrDemonstrationFollowed()
	}
	if err != nil {
		return core.Subscription{}, err
	}
	person, err := s.subscribers.get(subscriberID)
	if err != nil {
		return core.Subscription{}, err
	}
	of := pair{subscriberID, channelID}
	r := s.subscriptions[of]
	if r == nil {
		has := 0
		for o := range s.subscriptions {
			if o.subscriberID == subscriberID {
				has++
			}
		}
		if err := s.checkCap(core.CapSubscriptions, has); err != nil {
			return core.Subscription{}, err
		}
		r = &subscriptionRow{channelID, person.BellDefault, nil, now, now, c.ordinal, time.Time{}}
		if was := s.former[of]; was != nil && !was.endedAt.Before(now.Add(-core.FormerSubscriptionsKept)) {
			r = was
			r.followedAt = now
		}
		delete(s.former, of)
		s.subscriptions[of] = r
	}
	return s.subscription(subscriberID)(r), nil
}

// Unsubscribe implements core.SubscriptionStore.
func (s *Store) Unsubscribe(_ context.Context, subscriberID, channelID core.ID, now time.Time) error {
	defer s.lock()()
	return s.unsubscribe(subscriberID, channelID, now)
}

func (s *Store) unsubscribe(subscriberID, channelID core.ID, now time.Time) error {
	of := pair{subscriberID, channelID}
	c, err := s.openChannel(channelID, nil)
	if err != nil || c.Visibility == core.Private && s.subscriptions[of] == nil {
		return core.NotFound()
	}
	if r := s.subscriptions[of]; r != nil {
		r.endedAt, s.former[of] = now, r
		delete(s.subscriptions, of)
	}
	return nil
}

func (s *Store) follows(subscriberID, channelID core.ID) (*subscriptionRow, error) {
	if r := s.subscriptions[pair{subscriberID, channelID}]; r != nil {
		return r, nil
	}
	return nil, core.NotFound()
}

// UpdateSubscription implements core.SubscriptionStore.
func (s *Store) UpdateSubscription(
	_ context.Context, subscriberID, channelID core.ID, p core.SubscriptionPatch,
) (core.Subscription, error) {
	defer s.lock()()
	r, err := s.follows(subscriberID, channelID)
	if err != nil {
		return core.Subscription{}, err
	}
	patch(&r.bell, p.Bell)
	if p.MutedUntil.Set {
		r.mutedUntil = p.MutedUntil.Value
	}
	return s.subscription(subscriberID)(r), nil
}

// followed returns a person's subscriptions by the names of the channels.
func (s *Store) followed(subscriberID core.ID) (rows []*subscriptionRow) {
	for of, r := range s.subscriptions {
		if of.subscriberID == subscriberID {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b *subscriptionRow) int {
		return cmp.Or(cmp.Compare(strings.ToLower(s.channels[a.channelID].Name),
			strings.ToLower(s.channels[b.channelID].Name)), compareIDs(a.channelID, b.channelID))
	})
	return rows
}

// Subscriptions implements core.SubscriptionStore.
func (s *Store) Subscriptions(
	_ context.Context, subscriberID core.ID, page core.Page,
) (p core.SubscriptionPage, err error) {
	defer s.lock()()
	p.Data, p.Total, err = paged(s.followed(subscriberID), page, s.subscription(subscriberID))
	p.Position = int64(len(s.notifications))
	return p, err
}

// inFeed returns the visible notifications of the channels that a person follows, or of one of them, newest first.
func (s *Store) inFeed(subscriberID core.ID, channelID *core.ID) []*notificationRow {
	rows := s.notifications.where(func(n *notificationRow) bool {
		c := s.channels[n.Channel.ID]
		return n.Visible && !c.deleted && !s.ref(c).Suspended && (channelID == nil || c.ID == *channelID) &&
			s.subscriptions[pair{subscriberID, c.ID}] != nil
	})
	return newest(rows, func(n *notificationRow) time.Time { return *n.PublishedAt })
}

// Feed implements core.FeedStore.
func (s *Store) Feed(_ context.Context, subscriberID core.ID, f core.FeedFilter) (p core.FeedPage, err error) {
	defer s.lock()()
	all := s.inFeed(subscriberID, nil)
	for _, n := range all {
		if shown := s.notification(&subscriberID)(n); shown.ReadAt == nil && !shown.IsPutAway() {
			p.Unread++
		}
	}
	rows := slices.DeleteFunc(all, func(row *notificationRow) bool {
		n := s.notification(&subscriberID)(row)
		return f.ArchivedOnly != (n.ArchivedAt != nil) || f.SnoozedOnly != (n.SnoozedUntil != nil) ||
			f.UnreadOnly && n.ReadAt != nil ||
			f.ImportantOnly && n.Importance != core.Important || f.ChannelID != nil && n.Channel.ID != *f.ChannelID ||
			!matches(f.Search, n.Title, n.Body)
	})
	p.Data, p.Total, err = pageOf(rows, f.Page, s.notification(&subscriberID))
	return p, err
}

func (s *Store) feedRow(subscriberID, id core.ID) (*notificationRow, error) {
	n, err := s.notifications.get(id)
	if err == nil && !slices.Contains(s.inFeed(subscriberID, &n.Channel.ID), n) {
		err = core.NotFound()
	}
	return n, err
}

// FeedNotification implements core.FeedStore.
func (s *Store) FeedNotification(_ context.Context, subscriberID, id core.ID) (core.Notification, error) {
	defer s.lock()()
	n, err := s.feedRow(subscriberID, id)
	if err != nil {
		return core.Notification{}, err
	}
	return s.notification(&subscriberID)(n), nil
}

// receipt returns the receipt of a notification in a person's feed, which may be new.
func (s *Store) receipt(subscriberID, id core.ID) (*receiptRow, *notificationRow, error) {
	n, err := s.feedRow(subscriberID, id)
	if err != nil {
		return nil, nil, err
	}
	of := pair{subscriberID, id}
	if s.receipts[of] == nil {
		s.receipts[of] = &receiptRow{Receipt: core.Receipt{NotificationID: id}}
	}
	return s.receipts[of], n, nil
}

// UpdateReceipt implements core.FeedStore.
func (s *Store) UpdateReceipt(
	_ context.Context, subscriberID, id core.ID, p core.ReceiptPatch, now time.Time,
) (core.Notification, error) {
	defer s.lock()()
	r, n, err := s.receipt(subscriberID, id)
	if err != nil {
		return core.Notification{}, err
	}
	if r.SnoozedUntil == nil && p.SnoozedUntil.Value != nil {
		if err := s.checkCap(core.CapSnoozed, s.snoozed(subscriberID)); err != nil {
			return core.Notification{}, err
		}
	}
	r.mark(p, now)
	return s.notification(&subscriberID)(n), nil
}

// snoozed counts what a person has postponed.
func (s *Store) snoozed(subscriberID core.ID) (n int) {
	for _, row := range s.inFeed(subscriberID, nil) {
		if s.notification(&subscriberID)(row).SnoozedUntil != nil {
			n++
		}
	}
	return n
}

// ReturnSnoozed brings back what is due.
func (s *Store) ReturnSnoozed(now time.Time) (back []core.Returned) {
	defer s.lock()()
	for of, r := range s.receipts {
		if r.SnoozedUntil == nil || r.SnoozedUntil.After(now) {
			continue
		}
		r.mark(core.ReceiptPatch{Read: new(false), Archived: new(false)}, now)
		returned := core.Returned{SubscriberID: of.subscriberID, NotificationID: of.id}
		if n, err := s.feedRow(of.subscriberID, of.id); err == nil {
			sub := s.subscriptions[pair{of.subscriberID, n.Channel.ID}]
			returned.InFeed, returned.Bell, returned.MutedUntil = true, sub.bell, sub.mutedUntil
		}
		back = append(back, returned)
	}
	return back
}

// RecordDisplayed implements core.FeedStore. No count of this store has it.
func (s *Store) RecordDisplayed(
	_ context.Context, subscriberID core.ID, deviceID *core.ID, ids []core.ID,
) error {
	defer s.lock()()
	inFeed := slices.ContainsFunc(ids, func(id core.ID) bool {
		_, err := s.feedRow(subscriberID, id)
		return err == nil
	})
	if deviceID != nil {
		d, now := s.devices[*deviceID], s.now()
		if !inFeed || d.ShownAt == nil || d.ShownAt.Before(now.Add(-core.DeviceShownEvery)) || d.UnshownSince != nil {
			d.ShownAt, d.UnshownSince = &now, nil
		}
	}
	if !inFeed {
		return core.NotFound()
	}
	return nil
}

// RecordOpened implements core.FeedStore.
func (s *Store) RecordOpened(_ context.Context, subscriberID, id core.ID, now time.Time) (first bool, err error) {
	defer s.lock()()
	r, _, err := s.receipt(subscriberID, id)
	if err != nil {
		return false, err
	}
	r.mark(core.ReceiptPatch{Read: new(true)}, now)
	first = r.OpenedAt == nil
	r.OpenedAt = cmp.Or(r.OpenedAt, &now)
	return first, nil
}

// ReadAll implements core.FeedStore.
func (s *Store) ReadAll(_ context.Context, subscriberID core.ID, channelID *core.ID, now time.Time) error {
	defer s.lock()()
	if channelID != nil {
		if _, err := s.follows(subscriberID, *channelID); err != nil {
			return err
		}
	}
	for _, r := range s.followed(subscriberID) {
		c := s.channels[r.channelID]
		if channelID != nil && c.ID != *channelID || s.ref(c).Suspended {
			continue
		}
		r.readAt, r.readOrdinal = now, c.ordinal
		for of, receipt := range s.receipts {
			if of.subscriberID == subscriberID && s.notifications[of.id].Channel.ID == c.ID {
				receipt.read = nil
			}
		}
	}
	return nil
}
