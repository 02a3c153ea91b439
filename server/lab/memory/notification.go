package memory

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var _ interface {
	core.NotificationStore
	core.DeliverySummaryStore
	core.Writer
	core.Withdrawer
} = (*Store)(nil)

type notificationRow struct {
	core.Notification
	ordinal int64 // among the publications of its channel; 0 before
	by      core.Actor
}

// notification returns a notification as a reader, or nobody, sees it.
func (s *Store) notification(reader *core.ID) func(*notificationRow) core.Notification {
	return func(n *notificationRow) core.Notification {
		shown := n.Notification
		shown.Channel = s.ref(s.channels[n.Channel.ID])
		if reader == nil {
			return shown
		}
		of := s.subscriptions[pair{*reader, n.Channel.ID}]
		if of == nil {
			return shown
		}
		r := cmp.Or(s.receipts[pair{*reader, n.ID}], &receiptRow{})
		if r.reads(of, n) {
			shown.ReadAt = cmp.Or(r.ReadAt, &of.readAt)
		}
		shown.ArchivedAt, shown.SnoozedUntil = r.ArchivedAt, r.SnoozedUntil
		return shown
	}
}

// published returns the visible notifications of a channel in the order of their publication.
func (s *Store) published(channelID core.ID) []*notificationRow {
	rows := s.notifications.where(func(n *notificationRow) bool { return n.Visible && n.Channel.ID == channelID })
	slices.SortStableFunc(rows, func(a, b *notificationRow) int { return a.PublishedAt.Compare(*b.PublishedAt) })
	return rows
}

// pageOf returns a page of notifications, which are newest first.
func pageOf(
	rows []*notificationRow, page core.Page, convert func(*notificationRow) core.Notification,
) ([]core.Notification, int64, error) {
	total := int64(len(rows))
	if after := page.After; after != nil {
		rows = slices.DeleteFunc(slices.Clone(rows), func(n *notificationRow) bool {
			return cmp.Or(n.PublishedAt.Compare(after.PublishedAt), compareIDs(n.ID, after.ID)) >= 0
		})
		page.Offset = 0
	}
	data, _, err := paged(rows, page, convert)
	return data, total, err
}

func compareIDs(a, b core.ID) int { return slices.Compare(a[:], b[:]) }

// Replay implements core.NotificationStore.
func (s *Store) Replay(
	_ context.Context, key core.Idempotency, _ core.Notification,
) (core.Notification, core.Creation, error) {
	return replayed[core.Notification](s, key)
}

// ReplayBatch implements core.NotificationStore.
func (s *Store) ReplayBatch(_ context.Context, key core.Idempotency) ([]core.Published, core.Creation, error) {
	return replayed[[]core.Published](s, key)
}

func (s *Store) findNotification(channelID, id core.ID) (*notificationRow, error) {
	n, err := s.notifications.get(id)
	if err == nil && n.Channel.ID != channelID {
		err = core.NotFound()
	}
	return n, err
}

func (s *Store) withExternalID(channelID core.ID, externalID string) (*notificationRow, error) {
	return s.notifications.first(func(n *notificationRow) bool {
		return n.Channel.ID == channelID && n.ExternalID == externalID
	})
}

// Notification implements core.NotificationStore.
func (s *Store) Notification(_ context.Context, channelID, id core.ID, reader *core.ID) (core.Notification, error) {
	defer s.lock()()
	n, err := s.findNotification(channelID, id)
	if err != nil {
		return core.Notification{}, err
	}
	return s.notification(reader)(n), nil
}

// NotificationByExternalID implements core.NotificationStore.
func (s *Store) NotificationByExternalID(
	_ context.Context, channelID core.ID, externalID string, reader *core.ID,
) (core.Notification, error) {
	defer s.lock()()
	n, err := s.withExternalID(channelID, externalID)
	if err != nil {
		return core.Notification{}, err
	}
	return s.notification(reader)(n), nil
}

// Notifications implements core.NotificationStore.
func (s *Store) Notifications(
	_ context.Context, publisherSlug, slug string, page core.Page, reader *core.ID,
) (p core.ChannelPage, err error) {
	defer s.lock()()
	c, err := s.findChannel(publisherSlug, slug)
	if err != nil {
		return p, err
	}
	p.Channel, p.PublisherID = s.ref(c), c.Publisher.ID
	rows := s.published(c.ID)
	slices.Reverse(rows)
	p.Data, p.Total, err = pageOf(rows, page, s.notification(reader))
	if reader != nil && s.subscriptions[pair{*reader, c.ID}] != nil {
		p.Unread = new(s.unread(*reader, c.ID))
	}
	return p, err
}

// Scheduled implements core.NotificationStore.
func (s *Store) Scheduled(
	_ context.Context, channel core.ChannelRef, page core.Page,
) ([]core.Notification, int64, error) {
	defer s.lock()()
	rows := s.notifications.where(func(n *notificationRow) bool {
		return n.Channel.ID == channel.ID && n.PublishedAt == nil && n.WithdrawnAt == nil
	})
	slices.SortStableFunc(rows, func(a, b *notificationRow) int { return a.ScheduledAt.Compare(*b.ScheduledAt) })
	return paged(rows, page, s.notification(nil))
}

// put stores a new notification, unless the channel has one with its external id, which it returns.
func (s *Store) put(n core.Notification, by core.Actor) (*notificationRow, core.Creation, error) {
	c, err := s.openChannel(n.Channel.ID, nil)
	if err != nil {
		return nil, 0, err
	}
	if n.ExternalID != "" {
		if before, err := s.withExternalID(c.ID, n.ExternalID); err == nil {
			return before, core.Existing, nil
		}
	}
	if err := s.checkStorage(c.Publisher.ID); err != nil {
		return nil, 0, err
	}
	row := &notificationRow{Notification: n, by: by}
	s.notifications[n.ID] = row
	s.number(row)
	return row, core.Created, nil
}

// number numbers a notification of a channel when it is published.
func (s *Store) number(n *notificationRow) {
	if c := s.channels[n.Channel.ID]; n.PublishedAt != nil && n.ordinal == 0 {
		c.ordinal++
		n.ordinal = c.ordinal
	}
}

// Publish implements core.Writer.
func (s *Store) Publish(
	ctx context.Context, n core.Notification, key core.Idempotency,
) (made core.Notification, creation core.Creation, err error) {
	defer s.lock()()
	creation, err = once(s, key, &made, func() (core.Creation, error) {
		row, creation, err := s.put(n, core.OriginOf(ctx).Actor())
		if err == nil {
			made = s.notification(nil)(row)
		}
		return creation, err
	})
	return made, creation, err
}

// PublishBatch implements core.Writer.
func (s *Store) PublishBatch(
	ctx context.Context, all []core.Notification, key core.Idempotency,
) (made []core.Published, creation core.Creation, err error) {
	defer s.lock()()
	creation, err = once(s, key, &made, func() (core.Creation, error) {
		for _, n := range all {
			row, creation, err := s.put(n, core.OriginOf(ctx).Actor())
			if err != nil {
				for _, before := range made {
					delete(s.notifications, before.ID)
				}
				return 0, err
			}
			made = append(made, core.Published{ID: row.ID, Existing: creation == core.Existing})
		}
		return core.Created, nil
	})
	return made, creation, err
}

// change lets change alter a notification, and stores the result.
func (s *Store) change(channelID, id core.ID, change func(*core.Notification) error) (core.Notification, error) {
	row, err := s.findNotification(channelID, id)
	if err != nil {
		return core.Notification{}, err
	}
	n := s.notification(nil)(row)
	if err := change(&n); errors.Is(err, core.ErrUnchanged) {
		return n, nil
	} else if err != nil {
		return n, err
	}
	if len(n.Title)+len(n.Body) > len(row.Title)+len(row.Body) {
		if err := s.checkStorage(s.channels[channelID].Publisher.ID); err != nil {
			return n, err
		}
	}
	row.Notification = n
	s.number(row)
	return n, nil
}

// Correct implements core.Writer.
func (s *Store) Correct(
	_ context.Context, channelID, id core.ID, change func(*core.Notification) error,
) (core.Notification, error) {
	defer s.lock()()
	return s.change(channelID, id, change)
}

// WithdrawAny implements core.Withdrawer.
func (s *Store) WithdrawAny(ctx context.Context, id core.ID, _ string) error {
	defer s.lock()()
	n, err := s.notifications.get(id)
	if err != nil {
		return err
	}
	s.audit(ctx, s.channels[n.Channel.ID].Publisher.ID, id, n.Title)
	_, err = s.change(n.Channel.ID, id, func(n *core.Notification) error {
		if n.WithdrawnAt == nil {
			n.WithdrawnAt, n.Visible = new(s.now()), false
		}
		return nil
	})
	return err
}

// Expire hides the notifications that have expired, as the server does every second.
func (s *Store) Expire() {
	defer s.lock()()
	for _, n := range s.notifications {
		n.Visible = n.Visible && (n.ExpiresAt == nil || n.ExpiresAt.After(s.now()))
	}
}

// DeliverySummary implements core.DeliverySummaryStore.
func (s *Store) DeliverySummary(_ context.Context, channelID, id core.ID) (core.DeliverySummary, error) {
	defer s.lock()()
	n, err := s.findNotification(channelID, id)
	if err != nil {
		return core.DeliverySummary{}, err
	}
	d := s.Deliveries[id]
	d.PublishedBy = n.by
	return d, nil
}

// ChannelDeliverySummary implements core.DeliverySummaryStore.
func (s *Store) ChannelDeliverySummary(
	_ context.Context, _ core.ID, t core.SummaryPeriod,
) (parts []core.DeliverySummaryPart, err error) {
	defer s.lock()()
	for _, p := range s.Parts {
		if !p.At.Before(t.From) && p.At.Before(t.Until) {
			parts = append(parts, p)
		}
	}
	return parts, nil
}

// Reach implements core.DeliverySummaryStore.
func (s *Store) Reach(_ context.Context, channelID core.ID, now time.Time) (core.Reach, error) {
	defer s.lock()()
	r := core.Reach{Followers: s.followers(channelID), ByBell: map[core.Bell]int64{}}
	for of, row := range s.subscriptions {
		muted := row.mutedUntil != nil && row.mutedUntil.After(now)
		rings := func(d *deviceRow) bool { return d.RingsSince != nil }
		if of.id == channelID && !muted && slices.ContainsFunc(s.devicesOf(of.subscriberID), rings) {
			r.ByBell[row.bell]++
		}
	}
	return r, nil
}

type receiptRow struct {
	core.Receipt
	read *bool // nil where the subscription says whether it is read
}

// reads reports whether a notification is read by a receipt or, if that does not say, by the subscription.
func (r *receiptRow) reads(of *subscriptionRow, n *notificationRow) bool {
	if r.read != nil {
		return *r.read
	}
	return n.ordinal <= of.readOrdinal
}

// mark notes what a patch sets of a receipt; of two times the first is kept.
func (r *receiptRow) mark(p core.ReceiptPatch, now time.Time) {
	if r.read = cmp.Or(p.Read, r.read); p.Read != nil {
		r.ReadAt = keptTime(*p.Read, r.ReadAt, now)
	}
	if p.Archived != nil {
		r.ArchivedAt, r.SnoozedUntil = keptTime(*p.Archived, r.ArchivedAt, now), nil
	}
	if until := p.SnoozedUntil; until.Set {
		if until.Value != nil {
			r.ArchivedAt = nil
		}
		r.SnoozedUntil = until.Value
	}
}

func keptTime(is bool, before *time.Time, now time.Time) *time.Time {
	if !is {
		return nil
	}
	return cmp.Or(before, &now)
}
