package delivery

import (
	"context"
	"time"

	"github.com/riverqueue/river"
	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/postgres"
)

// reviseArgs is the job that finds the batches of devices which may show a notification as it was before it changed.
type reviseArgs struct {
	NotificationID core.ID `json:"notificationId"`
	First          int64   `json:"first"` // the first of the batches that are left
}

// Kind implements river.JobArgs.
func (reviseArgs) Kind() string { return "revise" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (reviseArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: queueExpand} }

const revisePage = 100 // batches

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

// Work finds a page of batches, and leaves the next to another job.
func (w *reviseWorker) Work(ctx context.Context, job *river.Job[reviseArgs]) error {
	n, err := w.d.revised(ctx, job.Args.NotificationID)
	if n == nil || err != nil {
		return err
	}
	batches, err := pushedBatches(ctx, w.d.DB, n.ID, job.Args.First, revisePage)
	if err != nil || len(batches) == 0 {
		return err
	}
	var jobs []river.InsertManyParams
	for _, b := range batches {
		jobs = append(jobs, river.InsertManyParams{
			Args: revisionArgs{NotificationID: n.ID, First: b.First},
			InsertOpts: &river.InsertOpts{Queue: queueOf(b.Service),
				Priority: priority(int64(len(batches)) * batchSize)},
		})
	}
	if len(batches) == revisePage {
		jobs = append(jobs, river.InsertManyParams{
			Args: reviseArgs{NotificationID: n.ID, First: batches[len(batches)-1].First + 1},
		})
	}
	_, err = w.d.river.InsertManyFast(ctx, jobs)
	return err
}

// revised returns a notification whose revision is still to be pushed, or nil when it is deleted or too old. In a
// suspended channel only the removal of a notification is pushed.
func (d *Dispatcher) revised(ctx context.Context, id core.ID) (*core.Notification, error) {
	n, err := postgres.NotificationByID(ctx, d.DB, id)
	if core.IsCode(err, core.CodeNotFound) {
		return nil, nil
	}
	if err != nil || !d.Now().Before(core.NewRevision(n).Expires) || n.Channel.Suspended && n.Visible {
		return nil, err
	}
	return &n, nil
}

// revisionArgs is the job that pushes a notification's latest change to the devices of a batch.
type revisionArgs struct {
	NotificationID core.ID `json:"notificationId"`
	First          int64   `json:"first"` // the batch
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
	targets, err := unrevised(ctx, w.d.DB, n.ID, job.Args.First, push.RevisedAt)
	if err != nil || len(targets) == 0 {
		return err
	}
	b := &batch{d: w.d, save: func(ctx context.Context, deliveries []core.Delivery, now time.Time) error {
		return w.d.recordRevised(ctx, deliveries, push.RevisedAt, now)
	}}
	for _, t := range targets {
		b.items = append(b.items, item{address: t, push: &push, targets: []target{t.target(n.ID, job.Args.First)}})
	}
	return b.run(ctx, job.JobRow)
}

// pushedBatch is a batch and the push service of its first device.
type pushedBatch struct {
	First   int64  `bun:"first"`
	Service string `bun:"service"`
}

// pushedBatches finds the next batches of a notification that have a device which was pushed it.
func pushedBatches(ctx context.Context, db bun.IDB, notificationID core.ID, first int64, limit int) (
	batches []pushedBatch, err error) {
	accepted, err := postgres.OutcomeLetter(core.Accepted, "")
	if err != nil {
		return nil, err
	}
	err = db.NewSelect().Model((*postgres.DeliveryBatch)(nil)).Column("first").
		ColumnExpr("coalesce((select d.service from devices d where d.id = b.devices[1]), ?) as service",
			core.ServiceFCM).
		Where("notification_id = ?", notificationID).Where("first >= ?", first).
		Where("strpos(outcomes, ?) > 0", string(accepted)).Order("first").Limit(int64(limit)).Scan(ctx, &batches)
	return batches, postgres.Error(err)
}

// unrevised finds those devices of a batch that were pushed a notification but not its latest change. It leaves out the
// devices of people who have read it.
func unrevised(ctx context.Context, db bun.IDB, notificationID core.ID, first int64, revisedAt time.Time) (
	out []address, err error) {
	accepted, err := postgres.OutcomeLetter(core.Accepted, "")
	if err != nil {
		return nil, err
	}
	// Raw, because it joins the elements of arrays.
	err = db.NewRaw(`
		select w.place - 1 as place, d.id as device_id, `+pushColumns+`
		from delivery_batches b
		cross join lateral unnest(b.devices, string_to_array(b.outcomes, null),
			string_to_array(case when b.revised_at >= ? then b.revised end, null))
			with ordinality w (id, letter, revised, place)
		join notifications n on n.id = b.notification_id
		join devices d on d.id = w.id and d.retired_at is null
		left join subscriptions s on s.subscriber_id = d.subscriber_id and s.channel_id = n.channel_id
		left join receipts r on r.subscriber_id = d.subscriber_id and r.notification_id = n.id
		where b.notification_id = ? and b.first = ? and w.letter = ? and w.revised is distinct from ?
			and not `+postgres.IsRead, revisedAt, notificationID, first, string(accepted),
		string(postgres.IsRevised)).Scan(ctx, &out)
	return out, postgres.Error(err)
}

// recordRevised keeps which devices have the change of that time, or cannot have it, and notes what else is known of
// them now.
func (d *Dispatcher) recordRevised(ctx context.Context, deliveries []core.Delivery, revisedAt, now time.Time) error {
	return d.DB.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		err := postgres.ChangeDeliveryBatches(ctx, tx, deliveries,
			func(b *postgres.DeliveryBatch, of []core.Delivery) error {
				b.SetRevised(of, revisedAt)
				return nil
			})
		if err != nil {
			return err
		}
		return noteDevices(ctx, tx, deliveries, now)
	})
}
