package delivery

import (
	"context"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// address is where to push to a device. The device of a deleted account counts as retired.
type address struct {
	DeviceID core.ID `bun:"device_id"`
	Address  string  `bun:"address"`
	Retired  bool    `bun:"retired"`
}

// undelivered finds those of the devices that have no outcome for the notification yet.
func undelivered(ctx context.Context, db bun.IDB, notificationID core.ID, devices []core.ID) ([]address, error) {
	var out []address
	// Raw, because it starts from ids and not from a table: the devices of deleted accounts are found too.
	err := db.NewRaw(`
		select w.id as device_id, coalesce(d.address, '') as address,
			d.id is null or d.retired_at is not null as retired
		from unnest(?::uuid[]) w (id) left join devices d on d.id = w.id
		where not exists (select from deliveries v where v.notification_id = ? and v.device_id = w.id)`,
		pgdialect.Array(devices), notificationID).Scan(ctx, &out)
	return out, postgres.Error(err)
}

// record keeps outcomes in a transaction of its own.
func (d *Dispatcher) record(ctx context.Context, deliveries []core.Delivery, now time.Time) error {
	return d.DB.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error { return Record(ctx, tx, deliveries, now) })
}

// Record stores outcomes. If a device already has one for a notification, the first remains. It also retires the
// devices that are gone.
func Record(ctx context.Context, tx bun.IDB, deliveries []core.Delivery, now time.Time) error {
	if len(deliveries) == 0 {
		return nil
	}
	n := len(deliveries)
	notifications, devices := make([]core.ID, n), make([]core.ID, n)
	outcomes, causes := make([]string, n), make([]string, n)
	for i, d := range deliveries {
		notifications[i], devices[i] = d.NotificationID, d.DeviceID
		outcomes[i], causes[i] = string(d.Outcome), d.Cause
	}
	// Raw, because it inserts columns with unnest.
	_, err := tx.NewRaw(`
		insert into deliveries (notification_id, device_id, outcome, cause, at)
		select v.notification, v.device, v.outcome, nullif(v.cause, ''), ?
		from unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[]) v (notification, device, outcome, cause)
		on conflict do nothing`, now,
		pgdialect.Array(notifications), pgdialect.Array(devices),
		pgdialect.Array(outcomes), pgdialect.Array(causes)).Exec(ctx)
	if err != nil {
		return err
	}
	return retireGone(ctx, tx, deliveries, now)
}

// retireGone retires the devices that the push service no longer knows.
func retireGone(ctx context.Context, tx bun.IDB, deliveries []core.Delivery, now time.Time) error {
	var gone []string
	for _, d := range deliveries {
		if d.Gone != "" {
			gone = append(gone, d.Gone)
		}
	}
	return postgres.RetireAddresses(ctx, tx, gone, core.RetiredUnregistered, now)
}
