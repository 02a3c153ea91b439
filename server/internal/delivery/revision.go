package delivery

import (
	"context"
	"slices"
	"time"

	"github.com/riverqueue/river"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/postgres"
)

// reviseArgs is the job that finds the devices which may show a notification as it was before it changed.
type reviseArgs struct {
	NotificationID core.ID `json:"notificationId"`
	After          core.ID `json:"after"` // the last device found so far
}

// Kind implements river.JobArgs.
func (reviseArgs) Kind() string { return "revise" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (reviseArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: queueExpand} }

// underWay is how long a push with the text of before may still be under way: as long as a job that has read it runs.
const underWay = jobs.Timeout + recordTime + time.Second

// reviseJobs look for devices twice: at once, and when everything that was under way has its outcome.
func reviseJobs(id core.ID) []river.InsertManyParams {
	args := reviseArgs{NotificationID: id}
	again := args.InsertOpts()
	again.ScheduledAt = time.Now().Add(underWay)
	return []river.InsertManyParams{{Args: args}, {Args: args, InsertOpts: &again}}
}

type reviseWorker struct {
	river.WorkerDefaults[reviseArgs]
	d *Dispatcher
}

// Work finds a page of devices, and leaves the next to another job.
func (w *reviseWorker) Work(ctx context.Context, job *river.Job[reviseArgs]) error {
	n, err := w.d.revised(ctx, job.Args.NotificationID)
	if n == nil || err != nil {
		return err
	}
	devices, err := unrevised(ctx, w.d.DB, n.ID, job.Args.After, expandPage, n.RevisedAt())
	if err != nil || len(devices) == 0 {
		return err
	}
	var jobs []river.InsertManyParams
	for some := range slices.Chunk(devices, batchSize) {
		jobs = append(jobs, river.InsertManyParams{
			Args:       revisionArgs{NotificationID: n.ID, Devices: pack(some)},
			InsertOpts: &river.InsertOpts{Queue: queueSend, Priority: priority(int64(len(devices)))},
		})
	}
	if len(devices) == expandPage {
		jobs = append(jobs, river.InsertManyParams{
			Args: reviseArgs{NotificationID: n.ID, After: devices[len(devices)-1]},
		})
	}
	_, err = w.d.river.InsertManyFast(ctx, jobs)
	return err
}

// revised returns a notification whose revision is still to be pushed, or nil when it is deleted or too old.
func (d *Dispatcher) revised(ctx context.Context, id core.ID) (*core.Notification, error) {
	n, err := postgres.NotificationByID(ctx, d.DB, id)
	if core.IsCode(err, core.CodeNotFound) {
		return nil, nil
	}
	if err != nil || !d.Now().Before(core.NewRevision(n).Expires) {
		return nil, err
	}
	return &n, nil
}

// revisionArgs is the job that pushes a notification's latest change to some devices.
type revisionArgs struct {
	NotificationID core.ID `json:"notificationId"`
	Devices        []byte  `json:"devices"` // their ids, one after another
}

// Kind implements river.JobArgs.
func (revisionArgs) Kind() string { return "revision" }

type revisionWorker struct {
	river.WorkerDefaults[revisionArgs]
	d *Dispatcher
}

// Work pushes to those devices that do not have the latest change yet, and snoozes the job for the rest.
func (w *revisionWorker) Work(ctx context.Context, job *river.Job[revisionArgs]) error {
	n, err := w.d.revised(ctx, job.Args.NotificationID)
	if n == nil || err != nil {
		return err
	}
	push := core.NewRevision(*n)
	targets, err := unrevisedAmong(ctx, w.d.DB, n.ID, unpack(job.Args.Devices), push.RevisedAt)
	if err != nil || len(targets) == 0 {
		return err
	}
	b := &batch{d: w.d, save: func(ctx context.Context, deliveries []core.Delivery, now time.Time) error {
		return w.d.recordRevised(ctx, deliveries, push.RevisedAt, now)
	}}
	for _, t := range targets {
		b.items = append(b.items, item{address: t, push: &push, notifications: []core.ID{n.ID}})
	}
	return b.run(ctx, job.Metadata)
}

// isUnrevised is true of a delivery v whose device may show the notification as it was before a change.
const isUnrevised = "v.outcome = 'accepted' and coalesce(v.revised_at, '-infinity') < ?"

// unrevised finds the next devices that were pushed a notification but not its latest change, in the order of their
// ids. It leaves out the devices of people who have read it.
func unrevised(ctx context.Context, db bun.IDB, notificationID, after core.ID, limit int, revisedAt time.Time) (
	devices []core.ID, err error) {
	err = db.NewSelect().TableExpr("deliveries as v").Column("v.device_id").
		Join("join notifications n on n.id = v.notification_id").
		Join("join devices d on d.id = v.device_id and d.retired_at is null").
		Join("left join subscriptions s on s.subscriber_id = d.subscriber_id and s.channel_id = n.channel_id").
		Join("left join receipts r on r.subscriber_id = d.subscriber_id and r.notification_id = n.id").
		Where("v.notification_id = ?", notificationID).Where("v.device_id > ?", after).
		Where(isUnrevised, revisedAt).Where("not "+postgres.IsRead).
		Order("v.device_id").Limit(int64(limit)).Scan(ctx, &devices)
	return devices, postgres.Error(err)
}

// unrevisedAmong finds those of the devices that do not have the latest change yet.
func unrevisedAmong(ctx context.Context, db bun.IDB, notificationID core.ID, devices []core.ID, revisedAt time.Time) (
	out []address, err error) {
	err = db.NewSelect().TableExpr("deliveries as v").ColumnExpr("d.id as device_id, d.address").
		Join("join devices d on d.id = v.device_id and d.retired_at is null").
		Where("v.notification_id = ?", notificationID).Where("v.device_id = any(?::uuid[])", pgdialect.Array(devices)).
		Where(isUnrevised, revisedAt).Scan(ctx, &out)
	return out, postgres.Error(err)
}

// recordRevised keeps which devices have the change of that time, or cannot have it, and retires those that are gone.
func (d *Dispatcher) recordRevised(ctx context.Context, deliveries []core.Delivery, revisedAt, now time.Time) error {
	var notifications, devices []core.ID
	for _, v := range deliveries {
		notifications = append(notifications, v.NotificationID)
		devices = append(devices, v.DeviceID)
	}
	return d.DB.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		// Raw, because it joins pairs of ids.
		_, err := tx.NewRaw(`
			update deliveries v set revised_at = ? from unnest(?::uuid[], ?::uuid[]) t (notification, device)
			where v.notification_id = t.notification and v.device_id = t.device`,
			revisedAt, pgdialect.Array(notifications), pgdialect.Array(devices)).Exec(ctx)
		if err != nil {
			return err
		}
		return retireGone(ctx, tx, deliveries, now)
	})
}
