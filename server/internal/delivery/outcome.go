package delivery

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/metrics"
	"github.com/sininho/sininho/server/internal/postgres"
)

// address is where to push to a device. The device of a deleted account counts as retired.
type address struct {
	Place    int     `bun:"place"` // in its batch
	DeviceID core.ID `bun:"device_id"`
	Kind     string  `bun:"kind"`
	Address  string  `bun:"address"`
	P256dh   []byte  `bun:"p256dh"`
	Auth     []byte  `bun:"auth"`
	Rings    bool    `bun:"rings"`
	Retired  bool    `bun:"retired"`
}

func (a address) to() core.PushAddress {
	return core.PushAddress{Kind: a.Kind, Address: a.Address, Keys: core.PushKeys{P256dh: a.P256dh, Auth: a.Auth}}
}

// pushColumns select where a device d is pushed to. The device may be missing.
const pushColumns = `coalesce(d.kind, '') as kind, coalesce(d.address, '') as address, d.p256dh, d.auth,
	d.rings_since is not null as rings`

// undelivered finds those devices of a batch that wait to be pushed.
func undelivered(ctx context.Context, db bun.IDB, notificationID core.ID, first int64) ([]address, error) {
	var out []address
	// Raw, because it starts from ids and not from a table: the devices of deleted accounts are found too.
	err := db.NewRaw(`
		select w.place - 1 as place, w.id as device_id, `+pushColumns+`,
			d.id is null or d.retired_at is not null as retired
		from delivery_batches b
		cross join lateral unnest(b.devices, string_to_array(b.outcomes, null)) with ordinality w (id, letter, place)
		left join devices d on d.id = w.id
		where b.notification_id = ? and b.first = ? and w.letter = ?`,
		notificationID, first, string(postgres.Waiting)).Scan(ctx, &out)
	return out, postgres.Error(err)
}

// record keeps outcomes in a transaction of its own.
func (d *Dispatcher) record(ctx context.Context, deliveries []core.Delivery, now time.Time) error {
	err := d.DB.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error { return Record(ctx, tx, deliveries, now) })
	if err == nil {
		for _, one := range deliveries {
			d.countOutcome(one.Transport, one.Outcome, one.Cause)
		}
	}
	return err
}

// countOutcome counts an outcome that was recorded.
func (d *Dispatcher) countOutcome(transport string, outcome core.Outcome, cause string) {
	by := transport
	if outcome != core.Accepted && outcome != core.Failed || cause == core.CauseRetired {
		by = metrics.NoTransport
	}
	d.Metrics.Outcomes(by, string(outcome), cause, 1)
}

// Record stores outcomes. If a device already has one for a notification, the first remains. It also notes what they
// tell of the devices.
func Record(ctx context.Context, tx bun.IDB, deliveries []core.Delivery, now time.Time) error {
	if len(deliveries) == 0 {
		return nil
	}
	if err := postgres.RecordDeliveries(ctx, tx, deliveries, now); err != nil {
		return err
	}
	return noteDevices(ctx, tx, deliveries, now)
}

// noteDevices retires the devices that the push service no longer knows, and notes which ring from now on.
func noteDevices(ctx context.Context, tx bun.IDB, deliveries []core.Delivery, now time.Time) error {
	var gone, confirmed []string
	for _, d := range deliveries {
		if d.Gone != "" {
			gone = append(gone, d.Gone)
		}
		if d.Confirmed != "" {
			confirmed = append(confirmed, d.Confirmed)
		}
	}
	if err := postgres.RetireAddresses(ctx, tx, gone, core.RetiredUnregistered, now); err != nil {
		return err
	}
	return postgres.ConfirmAddresses(ctx, tx, confirmed, now)
}
