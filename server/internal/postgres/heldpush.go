package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// Package delivery holds and releases pushes. The functions here adapt held pushes to a subscriber's own changes.

// rescheduleHeld moves the pushes held for a subscriber to the end of their quiet hours as they are now.
func rescheduleHeld(ctx context.Context, tx Tx, sub core.Subscriber, now time.Time) error {
	until := now
	if sub.QuietHours != nil {
		if end := sub.QuietHours.Until(now, core.Timezone(sub.Timezone)); !end.IsZero() {
			until = end
		}
	}
	_, err := tx.NewUpdate().TableExpr("held_pushes as h").TableExpr("devices as d").Set("until = ?", until).
		Where("d.subscriber_id = ?", sub.ID).Where("d.retired_at is null").
		Where("h.device_id = d.id").Where("h.until <> ?", until).Exec(ctx)
	return err
}

// suppressHeld records the outcome of the pushes held for a subscriber who leaves a channel.
func suppressHeld(ctx context.Context, tx Tx, subscriberID, channelID core.ID) error {
	var gone []struct {
		NotificationID core.ID `bun:"notification_id"`
		DeviceID       core.ID `bun:"device_id"`
		First          int64   `bun:"first"`
		Place          int     `bun:"place"`
	}
	// Raw, because it returns what it deletes.
	err := tx.NewRaw(`
		delete from held_pushes h using devices d, notifications n
		where d.subscriber_id = ? and h.device_id = d.id and n.id = h.notification_id and n.channel_id = ?
		returning h.notification_id, h.device_id, h.first, h.place`, subscriberID, channelID).Scan(ctx, &gone)
	if err != nil {
		return err
	}
	deliveries := make([]core.Delivery, len(gone))
	for i, h := range gone {
		deliveries[i] = core.Delivery{NotificationID: h.NotificationID, DeviceID: h.DeviceID,
			Place: core.Place{First: h.First, Index: h.Place}, Outcome: core.Suppressed, Cause: core.CauseUnfollowed}
	}
	return RecordDeliveries(ctx, tx, deliveries)
}
