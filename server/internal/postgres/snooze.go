package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// putSnooze postpones notification $2 for subscriber $1 until $3, or takes that back with NULL, at $4. What is
// postponed has archived_at, so that it is left out where what is archived is.
var putSnooze = `
	insert into receipts as r (subscriber_id, notification_id, archived_at, snoozed_until)
	select s.subscriber_id, n.id, case when $3::timestamptz is not null then $4::timestamptz end, $3
	from notifications n` + joinSubscription("$1::uuid") + `
	where n.id = $2 and n.visible and ` + isShown + `
	on conflict (subscriber_id, notification_id) do update set
		archived_at = case when excluded.snoozed_until is not null then coalesce(r.archived_at, excluded.archived_at)
			when r.snoozed_until is null then r.archived_at end,
		snoozed_until = excluded.snoozed_until
	returning r.notification_id`

// snooze postpones a notification until a time, or takes that back.
func (s *Store) snooze(
	ctx context.Context, subscriberID, notificationID core.ID, until *time.Time, now time.Time,
) (n core.Notification, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		put, err := Hot[struct{ NotificationID core.ID }](ctx, tx, putSnooze, subscriberID, notificationID, until, now)
		if err == nil && len(put) == 0 {
			err = core.NotFound()
		}
		if err == nil && until != nil {
			err = s.checkCap(ctx, tx, core.CapSnoozed, subscriberID, selectSnoozed(tx, subscriberID))
		}
		if err != nil {
			return err
		}
		n, err = notification(ctx, feedNotification(tx, subscriberID, notificationID))
		return err
	})
	return n, err
}

// selectSnoozed selects what a subscriber has postponed and still follows.
func selectSnoozed(db bun.IDB, subscriberID core.ID) *bun.SelectQuery {
	return db.NewSelect().TableExpr("receipts as r").Join("join notifications n on n.id = r.notification_id").
		Join("join subscriptions s on s.subscriber_id = r.subscriber_id and s.channel_id = n.channel_id").
		Where("r.subscriber_id = ?", subscriberID).Where("r.snoozed_until is not null").Where("n.visible")
}

// ReturnSnoozed brings back what is due, at most that many: unread, and no longer archived. It leaves out what another
// transaction has locked.
func ReturnSnoozed(ctx context.Context, tx Tx, most int, now time.Time) ([]core.Returned, error) {
	return Hot[core.Returned](ctx, tx, `
		with due as (
			select subscriber_id, notification_id from receipts
			where snoozed_until <= $1 order by snoozed_until limit $2 for no key update skip locked
		), back as (
			update receipts r set read = false, read_at = null, archived_at = null, snoozed_until = null
			from due d where r.subscriber_id = d.subscriber_id and r.notification_id = d.notification_id
			returning r.subscriber_id, r.notification_id
		)
		select b.subscriber_id, b.notification_id, coalesce(s.shown, false) as in_feed, coalesce(s.bell, '') as bell,
			s.muted_until
		from back b
		left join lateral (
			select s.bell, s.muted_until, true as shown
			from notifications n`+joinSubscription("b.subscriber_id")+`
			where n.id = b.notification_id and n.visible and `+isShown+`
		) s on true`, now, most)
}
