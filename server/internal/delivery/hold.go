package delivery

import (
	"context"
	"time"

	"github.com/riverqueue/river"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// postgres/heldpush.go also changes held pushes, in the transactions that change quiet hours or end a subscription.

// heldPushes are pushes that wait for the end of quiet hours, as columns.
type heldPushes struct {
	notifications, devices []core.ID
	until                  []time.Time
}

func (h *heldPushes) add(notificationID, deviceID core.ID, until time.Time) {
	h.notifications = append(h.notifications, notificationID)
	h.devices = append(h.devices, deviceID)
	h.until = append(h.until, until)
}

func (h *heldPushes) insert(ctx context.Context, tx bun.IDB) error {
	if len(h.until) == 0 {
		return nil
	}
	// Raw, because it inserts columns with unnest.
	_, err := tx.NewRaw(`
		insert into held_pushes (notification_id, device_id, until)
		select * from unnest(?::uuid[], ?::uuid[], ?::timestamptz[]) on conflict do nothing`,
		pgdialect.Array(h.notifications), pgdialect.Array(h.devices), pgdialect.Array(h.until)).Exec(ctx)
	return err
}

// held is a device's notifications that waited for the end of quiet hours.
type held struct {
	address
	Notifications []core.ID `bun:"notifications,array"`
	Read          []core.ID `bun:"read,array"` // those of them that their owner has read or archived meanwhile
}

// takeHeld takes the pushes whose quiet hours are over, of at most that many devices.
func takeHeld(ctx context.Context, tx bun.IDB, devices int, now time.Time) (due []held, err error) {
	// Raw, because the rows it groups are those that it deletes.
	err = tx.NewRaw(`
		with due as (
			select distinct device_id from held_pushes where until <= ?0 limit ?1
		), taken as (
			delete from held_pushes h using due where h.device_id = due.device_id and h.until <= ?0
			returning h.device_id, h.notification_id
		)
		select device_id, array_agg(notification_id::text) as notifications from taken group by device_id`, now,
		devices).Scan(ctx, &due)
	return due, err
}

// undeliveredHeld finds the devices' addresses, and which of their notifications have no outcome yet.
func undeliveredHeld(ctx context.Context, db bun.IDB, devices []heldDevice) (left []held, err error) {
	var pairs heldPushes
	for _, d := range devices {
		for _, id := range unpack(d.Notifications) {
			pairs.add(id, d.ID, time.Time{})
		}
	}
	// Raw, because it starts from pairs of ids and not from a table.
	err = db.NewRaw(`
		select w.device as device_id, coalesce(d.address, '') as address,
			d.id is null or d.retired_at is not null as retired,
			array_agg(w.notification::text) as notifications,
			array_agg(w.notification::text) filter (where r.archived_at is not null or `+postgres.IsRead+`) as read
		from unnest(?::uuid[], ?::uuid[]) w (notification, device) left join devices d on d.id = w.device
		left join notifications n on n.id = w.notification
		left join subscriptions s on s.subscriber_id = d.subscriber_id and s.channel_id = n.channel_id
		left join receipts r on r.subscriber_id = d.subscriber_id and r.notification_id = n.id
		where not exists (select from deliveries v where v.notification_id = w.notification and v.device_id = w.device)
		group by w.device, d.id`, pgdialect.Array(pairs.notifications), pgdialect.Array(pairs.devices)).Scan(ctx, &left)
	return left, postgres.Error(err)
}

// summaryArgs is the job that pushes what was held until some subscribers' quiet hours were over.
type summaryArgs struct {
	Devices []heldDevice `json:"devices"`
	Over    time.Time    `json:"over"` // since when; the pushes expire counted from then
}

type heldDevice struct {
	ID            core.ID `json:"id"`
	Notifications []byte  `json:"notifications"` // packed ids
}

// Kind implements river.JobArgs.
func (summaryArgs) Kind() string { return "summary" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (summaryArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: queueSend, Priority: priority(batchSize)}
}

// releaseHeld inserts jobs for what was held until quiet hours that are over now.
func (d *Dispatcher) releaseHeld(ctx context.Context) {
	for {
		released, err := d.releaseHeldOnce(ctx)
		if err != nil {
			d.warn(ctx, "releasing held pushes failed; trying again in a second", err)
		}
		if err != nil || released < batchSize {
			return
		}
	}
}

// releaseHeldOnce returns the number of devices whose pushes it released.
func (d *Dispatcher) releaseHeldOnce(ctx context.Context) (devices int, err error) {
	args := summaryArgs{Over: d.Now()}
	err = d.DB.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		due, err := takeHeld(ctx, tx, batchSize, args.Over)
		if err != nil || len(due) == 0 {
			return err
		}
		for _, h := range due {
			args.Devices = append(args.Devices, heldDevice{ID: h.DeviceID, Notifications: pack(h.Notifications)})
		}
		return d.river.Insert(ctx, tx, []river.InsertManyParams{{Args: args}})
	})
	return len(args.Devices), err
}

type summaryWorker struct {
	river.WorkerDefaults[summaryArgs]
	d *Dispatcher
}

// Work pushes one summary to each device, or the notification itself where only one was held.
func (w *summaryWorker) Work(ctx context.Context, job *river.Job[summaryArgs]) error {
	left, err := undeliveredHeld(ctx, w.d.DB, job.Args.Devices)
	if err != nil || len(left) == 0 {
		return err
	}
	var ids []core.ID
	for _, h := range left {
		ids = append(ids, h.Notifications...)
	}
	notifications, err := postgres.NotificationsByID(ctx, w.d.DB, ids)
	if err != nil {
		return err
	}
	b := &batch{d: w.d, save: w.d.record}
	for _, h := range left {
		b.summarize(h, notifications, job.Args.Over)
	}
	return b.run(ctx, job.Metadata)
}

// summarize adds a device's summary of those of its notifications, newest first, that are still to be pushed.
func (b *batch) summarize(h held, notifications []core.Notification, since time.Time) {
	mine, read := set(h.Notifications), set(h.Read)
	var live []core.Notification
	i := item{address: h.address}
	for _, n := range notifications {
		if !mine[n.ID] {
			continue
		}
		alone := item{address: h.address, notifications: []core.ID{n.ID}}
		if cause := endedBy(n, core.NewSummary([]core.Notification{n}, since).Expires, b.d.Now()); cause != "" {
			b.addOutcomes(alone, core.Result{Outcome: core.Expired, Cause: cause})
		} else if read[n.ID] {
			b.addOutcomes(alone, core.Result{Outcome: core.Suppressed, Cause: core.CauseRead})
		} else {
			live = append(live, n)
			i.notifications = append(i.notifications, n.ID)
		}
	}
	if len(live) > 0 {
		i.push = new(core.NewSummary(live, since))
		b.items = append(b.items, i)
	}
}

func set(ids []core.ID) map[core.ID]bool {
	s := map[core.ID]bool{}
	for _, id := range ids {
		s[id] = true
	}
	return s
}
