package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// Held pushes are delivery's; this is what a subscriber's own changes do to them.

// rescheduleHeld moves the pushes held for a subscriber to the end of their quiet hours as they are now.
func rescheduleHeld(ctx context.Context, tx Tx, sub core.Subscriber, now time.Time) error {
	until := now
	if sub.QuietHours != nil {
		if end := sub.QuietHours.Until(now, core.Timezone(sub.Timezone)); !end.IsZero() {
			until = end
		}
	}
	_, err := tx.NewRaw(`
		update held_pushes h set until = ? from devices d
		where d.subscriber_id = ? and d.retired_at is null and h.device_id = d.id and h.until <> ?`, until, sub.ID, until).Exec(ctx)
	return err
}

// suppressHeld records the outcome of what is held for a subscriber who leaves a channel.
func suppressHeld(ctx context.Context, tx Tx, subscriberID, channelID core.ID, now time.Time) error {
	_, err := tx.NewRaw(`
		with gone as (
			delete from held_pushes h using devices d, notifications n
			where d.subscriber_id = ? and h.device_id = d.id and n.id = h.notification_id and n.channel_id = ?
			returning h.notification_id, h.device_id
		)
		insert into deliveries (notification_id, device_id, outcome, cause, at)
		select notification_id, device_id, ?, ?, ?::timestamptz from gone on conflict do nothing`,
		subscriberID, channelID, core.Suppressed, core.CauseUnfollowed, now).Exec(ctx)
	return err
}
