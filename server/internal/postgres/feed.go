package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// Feed implements core.FeedStore. The first page is usually made of what is in memory.
func (s *Store) Feed(ctx context.Context, subscriberID core.ID, f core.FeedFilter) (p core.FeedPage, err error) {
	err = s.readPage(ctx, func(ctx context.Context, db *DB, bytes int) (bool, error) {
		p, err = s.feed(ctx, db, subscriberID, f, bytes)
		return p.Cut, err
	})
	return p, err
}

func (s *Store) feed(
	ctx context.Context, db *DB, subscriberID core.ID, f core.FeedFilter, bytes int,
) (p core.FeedPage, err error) {
	if isPlain(f) && isFirst(f.Page, bytes) {
		first, whole, err := s.firstOfFeed(ctx, db, subscriberID, f)
		if err != nil || whole {
			return first, Error(err)
		}
	}
	q := newFeedQuery(subscriberID, f)
	err = db.limited(ctx, !isPlain(f), func(ctx context.Context, db querier) (err error) {
		p, err = q.read(ctx, db, f.Page, bytes)
		return err
	})
	return p, err
}

// feedNotification selects a notification of a followed channel.
func feedNotification(db bun.IDB, subscriberID, notificationID core.ID) *bun.SelectQuery {
	return selectNotifications(db, &subscriberID).Where("n.id = ?", notificationID).
		Where("s.channel_id is not null").Where("not c.suspended")
}

// FeedNotification implements core.FeedStore.
func (s *Store) FeedNotification(ctx context.Context, subscriberID, notificationID core.ID) (core.Notification, error) {
	return notification(ctx, feedNotification(s.db, subscriberID, notificationID).Where("n.visible"))
}

// ReadAll implements core.FeedStore.
func (s *Store) ReadAll(ctx context.Context, subscriberID core.ID, channelID *core.ID, now time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if channelID != nil {
			if _, err := subscription(ctx, tx, subscriberID, *channelID); err != nil {
				return err
			}
		}
		return readAll(ctx, tx, subscriberID, channelID, now)
	})
}

// readAll marks all notifications of the followed channels, or of one channel, as read, except in suspended ones, which
// the reader does not see. Receipts then no longer say whether they are.
func readAll(ctx context.Context, tx Tx, subscriberID core.ID, channelID *core.ID, now time.Time) error {
	// Raw, because it must be one statement: otherwise a notification could be published between the steps. The ordinal
	// never falls, because another call may have read a later one meanwhile. Subscriptions are locked before receipts,
	// as passRead does, so that the two never wait for each other.
	_, err := tx.NewRaw(`
		with passed as (
			update subscriptions s set read_at = ?2, read_ordinal = greatest(s.read_ordinal,
				(select h.ordinal from channel_heads h where h.channel_id = s.channel_id))
			where s.subscriber_id = ?0 and (?1::uuid is null or s.channel_id = ?1::uuid) and `+isShown+`
			returning s.channel_id
		)
		update receipts r set read = null, read_at = case when r.read then r.read_at else ?2 end
		from notifications n
		where n.id = r.notification_id and r.subscriber_id = ?0 and `+isException+` and r.read is not null
			and n.channel_id in (select channel_id from passed)`,
		subscriberID, channelID, now).Exec(ctx)
	return err
}
