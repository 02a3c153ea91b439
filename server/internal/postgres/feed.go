package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// Feed implements core.FeedStore. The first page is usually made of what is in memory.
func (s *Store) Feed(ctx context.Context, subscriberID core.ID, f core.FeedFilter) (
	data []core.Notification, total, unread int64, err error) {
	err = s.db.page(ctx, func(ctx context.Context, db *DB) error {
		data, total, unread, err = s.feed(ctx, db, subscriberID, f)
		return err
	})
	return data, total, unread, err
}

func (s *Store) feed(ctx context.Context, db *DB, subscriberID core.ID, f core.FeedFilter) (
	data []core.Notification, total, unread int64, err error) {
	if f.After == nil && !f.UnreadOnly && f.Offset+f.Limit < recentSize {
		page, err := s.firstPage(ctx, db, subscriberID, f.Page)
		if err != nil || page.whole {
			return page.data, page.total, page.unread, Error(err)
		}
	}
	data, total, unread, err = feedPage(ctx, db, subscriberID, f)
	if f.UnreadOnly {
		total = unread
	}
	return data, total, unread, Error(err)
}

// feedNotification selects a notification of a followed channel.
func feedNotification(db bun.IDB, subscriberID, notificationID core.ID) *bun.SelectQuery {
	return selectNotifications(db, &subscriberID).Where("n.id = ?", notificationID).Where("s.channel_id is not null")
}

// FeedNotification implements core.FeedStore.
func (s *Store) FeedNotification(ctx context.Context, subscriberID, notificationID core.ID) (core.Notification, error) {
	return notification(ctx, feedNotification(s.db, subscriberID, notificationID).Where("n.visible"))
}

// UpdateReceipt implements core.FeedStore. It is not a transaction, because many people do it at the same time.
func (s *Store) UpdateReceipt(ctx context.Context, subscriberID, notificationID core.ID, p core.ReceiptPatch,
	now time.Time) (core.Notification, error) {
	rows, err := hotRows[struct {
		notificationRow
		Completes bool
	}](ctx, s.db, `
		with r as (`+putReceipt+`)
		select`+notificationColumns+`, `+readState+`, `+completes+`
		from r
		join notifications n on n.id = r.notification_id
		join subscriptions s on s.subscriber_id = $1 and s.channel_id = n.channel_id
		join channels c on c.id = n.channel_id
		join publishers p on p.id = c.publisher_id`, subscriberID, notificationID, p.Read, p.Archived, false, now)
	if err == nil && len(rows) == 0 {
		err = core.NotFound()
	}
	if err == nil && p.Read != nil && *p.Read && rows[0].Completes {
		err = s.passRead(ctx, subscriberID, notificationID)
	}
	if err != nil {
		return core.Notification{}, Error(err)
	}
	return rows[0].notification(), nil
}

// receiptRow is what a subscriber did with a notification. Read is nil where their subscription says the same.
type receiptRow struct {
	bun.BaseModel `bun:"table:receipts,alias:r"`

	SubscriberID   core.ID    `bun:"subscriber_id,pk"`
	NotificationID core.ID    `bun:"notification_id,pk"`
	Read           *bool      `bun:"read"`
	ReadAt         *time.Time `bun:"read_at"`
	ArchivedAt     *time.Time `bun:"archived_at"`
	DisplayedAt    *time.Time `bun:"displayed_at"`
	OpenedAt       *time.Time `bun:"opened_at"`
}

// isException is true of the receipts that count: those that differ from what their subscription says, and archived
// ones. An index finds them.
const isException = "(r.read is not null or r.archived_at is not null)"

// fromExceptions selects from these receipts r, with their visible notifications n and their subscriptions s.
const fromExceptions = `
	from receipts r
	join notifications n on n.id = r.notification_id and n.visible
	join subscriptions s on s.subscriber_id = r.subscriber_id and s.channel_id = n.channel_id
	where ` + isException

// putReceipt inserts a receipt of subscriber $1 for notification $2, or changes the one that exists: whether it is read
// ($3) or archived ($4), where these are not NULL, and that it was displayed, if $5 is true. The time is $6; of two the
// first is kept. It returns no row unless the notification is in the subscriber's feed.
const putReceipt = `
	insert into receipts as r (subscriber_id, notification_id, read, read_at, archived_at, displayed_at)
	select s.subscriber_id, n.id, case when not $3::boolean or n.ordinal > s.read_ordinal then $3 end,
		case when $3 then $6::timestamptz end, case when $4::boolean then $6 end, case when $5::boolean then $6 end
	from notifications n
	join subscriptions s on s.channel_id = n.channel_id and s.subscriber_id = $1
	where n.id = $2 and n.visible
	on conflict (subscriber_id, notification_id) do update set
		read = case when $3 is null then r.read else excluded.read end,
		read_at = case when $3 is null then r.read_at when $3 then coalesce(r.read_at, $6) end,
		archived_at = case when $4 is null then r.archived_at when $4 then coalesce(r.archived_at, $6) end,
		displayed_at = coalesce(r.displayed_at, excluded.displayed_at)
	returning r.subscriber_id, r.notification_id, r.read, r.read_at`

// completes is whether receipt r of notification n was the last that passRead waited for: n is read, and nothing before
// it is unread. Of several that are read at the same time it may miss the last: then the next one passes them all.
const completes = `
	coalesce(r.read and (
		select o.id = n.id or exists (select from receipts p
			where p.subscriber_id = s.subscriber_id and p.notification_id = o.id and p.read)
		from notifications o
		where o.channel_id = s.channel_id and o.ordinal > s.read_ordinal and o.withdrawn_at is null
		order by o.ordinal limit 1), false) as completes`

// passRead moves the position up to which subscriber $1 has read the channel of notification $2, over what they read
// one by one after it. Those receipts no longer count. One that is marked as unread meanwhile stays unread.
func (s *Store) passRead(ctx context.Context, subscriberID, notificationID core.ID) error {
	_, err := s.db.pool.Exec(ctx, `
		with run as materialized (
			select s.subscriber_id, s.channel_id, s.read_ordinal, coalesce((
				select o.ordinal - 1 from notifications o
				where o.channel_id = s.channel_id and o.ordinal > s.read_ordinal and o.withdrawn_at is null
					and not exists (select from receipts r
						where r.subscriber_id = s.subscriber_id and r.notification_id = o.id and r.read)
				order by o.ordinal limit 1), h.ordinal) as last
			from notifications n
			join subscriptions s on s.channel_id = n.channel_id and s.subscriber_id = $1
			join channel_heads h on h.channel_id = n.channel_id
			where n.id = $2
		), passed as (
			update subscriptions s set read_ordinal = greatest(s.read_ordinal, run.last) from run
			where run.last > run.read_ordinal and s.subscriber_id = run.subscriber_id and s.channel_id = run.channel_id
			returning run.*
		)
		update receipts r set read = null
		from passed p
		join notifications n on n.channel_id = p.channel_id and n.ordinal > p.read_ordinal and n.ordinal <= p.last
		where r.subscriber_id = p.subscriber_id and r.notification_id = n.id and r.read`,
		s.db.hot, subscriberID, notificationID)
	return err
}

// RecordFeedEvent implements core.FeedStore.
func (s *Store) RecordFeedEvent(ctx context.Context, subscriberID, notificationID core.ID, e core.FeedEvent,
	now time.Time) (first bool, err error) {
	var read *bool
	if e == core.Opened {
		read = new(true)
	}
	var put []struct{ Completes bool }
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		put, err = Hot[struct{ Completes bool }](ctx, tx, `
			with r as (`+putReceipt+`)
			select `+completes+`
			from r
			join notifications n on n.id = r.notification_id
			join subscriptions s on s.subscriber_id = $1 and s.channel_id = n.channel_id`,
			subscriberID, notificationID, read, nil, e == core.Displayed, now)
		if err == nil && len(put) == 0 {
			err = core.NotFound()
		}
		if err != nil || e == core.Displayed {
			return err
		}
		r := receiptRow{SubscriberID: subscriberID, NotificationID: notificationID, OpenedAt: &now}
		// putReceipt has locked the row.
		res, err := tx.NewUpdate().Model(&r).Column("opened_at").WherePK().Where("r.opened_at is null").Exec(ctx)
		if err != nil {
			return err
		}
		opened, err := res.RowsAffected()
		first = opened > 0
		return err
	})
	if err == nil && e == core.Opened && put[0].Completes {
		err = Error(s.passRead(ctx, subscriberID, notificationID))
	}
	return first, err
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

// readAll marks all notifications of the followed channels, or of one channel, as read. Receipts then no longer say
// whether they are.
func readAll(ctx context.Context, tx Tx, subscriberID core.ID, channelID *core.ID, now time.Time) error {
	// Raw, because it must be one statement: otherwise a notification could be published between the steps. The ordinal
	// never falls, because another call may have read a later one meanwhile. Subscriptions are locked before receipts,
	// as passRead does, so that the two never wait for each other.
	_, err := tx.NewRaw(`
		with passed as (
			update subscriptions s set read_at = ?2, read_ordinal = greatest(s.read_ordinal,
				(select h.ordinal from channel_heads h where h.channel_id = s.channel_id))
			where s.subscriber_id = ?0 and (?1::uuid is null or s.channel_id = ?1::uuid)
			returning s.channel_id
		)
		update receipts r set read = null, read_at = case when r.read then r.read_at else ?2 end
		from notifications n
		where n.id = r.notification_id and r.subscriber_id = ?0 and `+isException+` and r.read is not null
			and n.channel_id in (select channel_id from passed)`,
		subscriberID, channelID, now).Exec(ctx)
	return err
}
