package delivery

import (
	"context"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/metrics"
	"github.com/sininho/sininho/server/internal/postgres"
)

// address is where to push to a device. The device of a deleted account counts as retired.
type address struct {
	Place        int        `bun:"place"` // in its batch
	DeviceID     core.ID    `bun:"device_id"`
	SubscriberID core.ID    `bun:"subscriber_id"`
	Kind         string     `bun:"kind"`
	Address      string     `bun:"address"`
	P256dh       []byte     `bun:"p256dh"`
	Auth         []byte     `bun:"auth"`
	Rings        bool       `bun:"rings"`
	Quiet        bool       `bun:"quiet"` // it has shown nothing for days, and that is not noted yet
	Retired      bool       `bun:"retired"`
	Uninvited    bool       `bun:"uninvited"` // its person no longer follows a private channel
	Rest         float64    `bun:"rest"`      // the seconds for which it is left alone, by the database's clock
	Failures     int        `bun:"failures"`
	Refusals     int        `bun:"refusals"`
	Since        *time.Time `bun:"failing_since"`
}

func (a address) to() core.PushAddress {
	return core.PushAddress{Kind: a.Kind, Address: a.Address, Keys: core.PushKeys{P256dh: a.P256dh, Auth: a.Auth},
		Owner: a.SubscriberID, Untried: !a.Rings}
}

// failing returns how the device has failed.
func (a address) failing() core.DeviceFailures {
	f := core.DeviceFailures{Failures: a.Failures, Refusals: a.Refusals, Rang: a.Rings}
	if a.Since != nil {
		f.Since = *a.Since
	}
	return f
}

// pushColumns select where a device d is pushed to. The device may be missing.
const pushColumns = `coalesce(d.kind, '') as kind, coalesce(d.address, '') as address, d.p256dh, d.auth,
	coalesce(d.subscriber_id, '00000000-0000-0000-0000-000000000000') as subscriber_id,
	coalesce(extract(epoch from d.retry_at - clock_timestamp()), 0)::float8 as rest,
	coalesce(d.failures, 0) as failures, coalesce(d.refusals, 0) as refusals, d.failing_since,
	d.rings_since is not null as rings, d.unshown_since is null
		and coalesce(coalesce(d.shown_at, d.rings_since) < clock_timestamp() - interval '2 days', false) as quiet`

// batchAddress is an address in a batch of a notification.
type batchAddress struct {
	address
	NotificationID core.ID `bun:"notification_id"`
	First          int64   `bun:"first"`
}

// undelivered finds those devices of the turns' batches that wait to be pushed.
func undelivered(ctx context.Context, db bun.IDB, run []*turn) (out []batchAddress, err error) {
	notifications, firsts := batchesOf(run)
	// Raw, because it starts from ids and not from a table: the devices of deleted accounts are found too.
	err = db.NewRaw(`
		select b.notification_id, b.first, w.place - 1 as place, w.id as device_id, `+pushColumns+`,
			d.id is null or d.retired_at is not null as retired, `+isUninvited+` as uninvited
		from unnest(?::uuid[], ?::bigint[]) k (notification_id, first)
		join delivery_batches b on b.notification_id = k.notification_id and b.first = k.first
		`+joinPrivate+`
		cross join lateral unnest(b.devices, string_to_array(b.outcomes, null)) with ordinality w (id, letter, place)
		left join devices d on d.id = w.id
		where w.letter = ?`,
		pgdialect.Array(notifications), pgdialect.Array(firsts), string(postgres.Waiting)).Scan(ctx, &out)
	return out, postgres.Error(err)
}

// joinPrivate joins the channel of a batch b as x, if it is private.
const joinPrivate = `left join lateral (
			select c.id from notifications n join channels c on c.id = n.channel_id and c.visibility = 'private'
			where n.id = b.notification_id
		) x on true`

// isUninvited is true of a device d whose person does not follow the private channel x any more.
const isUninvited = `x.id is not null and not exists (
			select from subscriptions where channel_id = x.id and subscriber_id = d.subscriber_id)`

// batchesOf returns the batches of turns as columns.
func batchesOf(run []*turn) (notifications []core.ID, firsts []int64) {
	for _, t := range run {
		notifications, firsts = append(notifications, *t.NotificationID), append(firsts, *t.Batch)
	}
	return notifications, firsts
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
	if err := postgres.RecordDeliveries(ctx, tx, deliveries); err != nil {
		return err
	}
	return noteDevices(ctx, tx, deliveries, now)
}

// noteDevices retires the devices that the push service no longer knows, or always refuses, and notes which ring from
// now on.
func noteDevices(ctx context.Context, tx bun.IDB, deliveries []core.Delivery, now time.Time) error {
	var confirmed []string
	gone := map[string][]string{} // by cause
	for _, d := range deliveries {
		if d.Gone != "" {
			gone[d.GoneCause] = append(gone[d.GoneCause], d.Gone)
		}
		if d.Confirmed != "" {
			confirmed = append(confirmed, d.Confirmed)
		}
	}
	for cause, addresses := range gone {
		if err := postgres.RetireAddresses(ctx, tx, addresses, cause, now); err != nil {
			return err
		}
	}
	return postgres.ConfirmAddresses(ctx, tx, confirmed, now)
}
