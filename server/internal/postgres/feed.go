package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// Feed implements core.FeedStore. It takes a page of each followed channel off the index and merges them, so that its
// cost follows the number of channels and not that of notifications; only what is on the page is then read in full.
func (s *Store) Feed(ctx context.Context, subscriberID core.ID, f core.FeedFilter) ([]core.Notification, int64, int64, error) {
	after, args := afterCursor(f.After, 2)
	var total, unread int64
	err := s.hotRow(ctx, `select (`+feedTotal+`), (`+unreadCount+`)`, subscriberID).Scan(&total, &unread)
	if err != nil {
		return nil, 0, 0, Error(err)
	}
	unreadOnly := ""
	if f.UnreadOnly {
		if total = unread; unread == 0 {
			return nil, 0, 0, nil
		}
		unreadOnly = ` and not coalesce((
			select r.read from receipts r where r.subscriber_id = s.subscriber_id and r.notification_id = n.id), n.ordinal <= s.read_ordinal, false)`
	}
	rows, err := hotRows[notificationRow](ctx, s, `
		with page as (
			select f.id, s.subscriber_id, s.read_ordinal, s.read_at
			from subscriptions s cross join lateral (
				select n.id, n.published_at from notifications n
				where n.channel_id = s.channel_id and n.visible`+after+unreadOnly+`
				  and not exists (select from receipts r where r.subscriber_id = s.subscriber_id and r.notification_id = n.id and r.archived_at is not null)
				order by n.published_at desc, n.id desc`+limit(core.Page{Limit: f.Limit + f.Offset})+`) f
			where s.subscriber_id = $1
			order by f.published_at desc, f.id desc`+limit(f.Page)+`
		)
		select`+notificationColumns+`, `+readState+`
		from page s
		join notifications n on n.id = s.id
		left join receipts r on r.subscriber_id = s.subscriber_id and r.notification_id = n.id
		join channels c on c.id = n.channel_id
		join publishers p on p.id = c.publisher_id
		order by n.published_at desc, n.id desc`, append([]any{subscriberID}, args...)...)
	return notifications(rows), total, unread, Error(err)
}

// feedTotal counts the notifications in the feed of subscriber $1: the visible ones of the followed channels, without
// the archived ones.
const feedTotal = `
	select coalesce(sum(k.visible), 0)::bigint - (
		select count(*) from receipts r
		join notifications n on n.id = r.notification_id and n.visible
		join subscriptions s on s.subscriber_id = r.subscriber_id and s.channel_id = n.channel_id
		where r.subscriber_id = $1 and r.archived_at is not null)
	from subscriptions s join channel_counts k on k.channel_id = s.channel_id where s.subscriber_id = $1`

// FeedNotification implements core.FeedStore.
func (s *Store) FeedNotification(ctx context.Context, subscriberID, notificationID core.ID) (core.Notification, error) {
	return notificationWhere(ctx, s.db, &subscriberID, "n.id = ? and n.visible and s.channel_id is not null", notificationID)
}

// UpdateReceipt implements core.FeedStore.
func (s *Store) UpdateReceipt(ctx context.Context, subscriberID, notificationID core.ID, p core.ReceiptPatch, now time.Time) (n core.Notification, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if p.Read != nil {
			if err := putReceipt(ctx, tx, subscriberID, notificationID, "read", *p.Read, now, *p.Read); err != nil {
				return err
			}
		}
		if p.Archived != nil {
			if err := putReceipt(ctx, tx, subscriberID, notificationID, "archived", nil, now, *p.Archived); err != nil {
				return err
			}
		}
		n, err = notificationWhere(ctx, tx, &subscriberID, "n.id = ? and s.channel_id is not null", notificationID)
		return err
	})
	return n, err
}

// receiptChanges say what a receipt keeps of each kind; the arguments are the value read, the time, and whether it holds.
// The first time counts.
var receiptChanges = map[string]string{
	"read":      "read = excluded.read, read_at = case when excluded.read then coalesce(r.read_at, excluded.read_at) end",
	"archived":  "archived_at = case when excluded.archived_at is null then null else coalesce(r.archived_at, excluded.archived_at) end",
	"displayed": "displayed_at = coalesce(r.displayed_at, excluded.displayed_at)",
}

// putReceipt makes or changes a receipt for a notification that is in the subscriber's feed; CodeNotFound when it is not.
func putReceipt(ctx context.Context, tx Tx, subscriberID, notificationID core.ID, kind string, read any, now time.Time, holds bool) error {
	var at any
	if holds {
		at = now
	}
	columns, values := "?", []any{at}
	if kind == "read" {
		columns, values = "?::boolean, ?", []any{read, at}
	}
	names := map[string]string{"read": "read, read_at"}[kind]
	if names == "" {
		names = kind + "_at"
	}
	res, err := tx.NewRaw(`
		insert into receipts as r (subscriber_id, notification_id, `+names+`)
		select s.subscriber_id, n.id, `+columns+`::timestamptz
		from notifications n join subscriptions s on s.channel_id = n.channel_id and s.subscriber_id = ?
		where n.id = ? and n.visible
		on conflict (subscriber_id, notification_id) do update set `+receiptChanges[kind],
		append(values, subscriberID, notificationID)...).Exec(ctx)
	if err != nil {
		return err
	}
	if count, err := res.RowsAffected(); err != nil || count == 0 {
		return core.NotFound()
	}
	return nil
}

// RecordFeedEvent implements core.FeedStore.
func (s *Store) RecordFeedEvent(ctx context.Context, subscriberID, notificationID core.ID, e core.FeedEvent, now time.Time) (first bool, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if e == core.Displayed {
			return putReceipt(ctx, tx, subscriberID, notificationID, "displayed", nil, now, true)
		}
		if err := putReceipt(ctx, tx, subscriberID, notificationID, "read", true, now, true); err != nil {
			return err
		}
		first, err = markOpened(ctx, tx, subscriberID, notificationID, now) // the receipt is there, and locked
		return err
	})
	return first, err
}

// markOpened tells whether this is the first time.
func markOpened(ctx context.Context, tx Tx, subscriberID, notificationID core.ID, now time.Time) (first bool, err error) {
	res, err := tx.NewRaw("update receipts set opened_at = ? where subscriber_id = ? and notification_id = ? and opened_at is null",
		now, subscriberID, notificationID).Exec(ctx)
	if err != nil {
		return false, err
	}
	count, err := res.RowsAffected()
	return count > 0, err
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

// readAll marks everything, or all of one channel, as read. What is visible but not yet on the stream has no ordinal that
// could be passed: it gets a receipt, in the same statement, so that nothing gets its ordinal in between. Receipts that
// say unread are forgotten.
func readAll(ctx context.Context, tx Tx, subscriberID core.ID, channelID *core.ID, now time.Time) error {
	_, err := tx.NewRaw(`
		with passed as (
			update subscriptions s set read_at = ?,
				read_ordinal = coalesce((select max(n.ordinal) from notifications n where n.channel_id = s.channel_id), 0)
			where s.subscriber_id = ? and (?::uuid is null or s.channel_id = ?::uuid)
		), unplaced as (
			insert into receipts as r (subscriber_id, notification_id, read, read_at)
			select s.subscriber_id, n.id, true, ?::timestamptz
			from notifications n join subscriptions s on s.channel_id = n.channel_id and s.subscriber_id = ?
			where n.pending and n.visible and n.ordinal is null and (?::uuid is null or n.channel_id = ?::uuid)
			on conflict (subscriber_id, notification_id) do update set read = true, read_at = coalesce(r.read_at, excluded.read_at)
			returning notification_id
		)
		update receipts r set read = true, read_at = ? from notifications n
		where n.id = r.notification_id and r.subscriber_id = ? and not r.read and (?::uuid is null or n.channel_id = ?::uuid)
			and not exists (select from unplaced u where u.notification_id = r.notification_id)`,
		now, subscriberID, channelID, channelID, now, subscriberID, channelID, channelID, now, subscriberID, channelID, channelID).Exec(ctx)
	return err
}
