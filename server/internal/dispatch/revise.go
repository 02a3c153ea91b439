package dispatch

import (
	"context"
	"slices"
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/core"
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
const underWay = jobTimeout + recordTime + time.Second

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
	devices, err := w.d.Store.Unrevised(ctx, n.ID, job.Args.After, expandPage, n.RevisedAt())
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
		jobs = append(jobs, river.InsertManyParams{Args: reviseArgs{NotificationID: n.ID, After: devices[len(devices)-1]}})
	}
	_, err = w.d.river.InsertManyFast(ctx, jobs)
	return err
}

// revised finds a notification whose revision is still to be pushed; nil when there is none any more.
func (d *Dispatcher) revised(ctx context.Context, id core.ID) (*core.Notification, error) {
	n, err := d.Store.PushedNotification(ctx, id)
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

// Work pushes to those devices that have not been told of the latest change, and comes back for the rest.
func (w *revisionWorker) Work(ctx context.Context, job *river.Job[revisionArgs]) error {
	n, err := w.d.revised(ctx, job.Args.NotificationID)
	if n == nil || err != nil {
		return err
	}
	push := core.NewRevision(*n)
	targets, err := w.d.Store.UnrevisedAmong(ctx, n.ID, unpack(job.Args.Devices), push.RevisedAt)
	if err != nil || len(targets) == 0 {
		return err
	}
	b := &batch{d: w.d, keep: func(ctx context.Context, told []core.Delivery, now time.Time) error {
		return w.d.Store.RecordRevised(ctx, told, push.RevisedAt, now)
	}}
	for _, t := range targets {
		b.items = append(b.items, item{Address: t, push: &push, notifications: []core.ID{n.ID}})
	}
	return b.run(ctx, job.Metadata)
}
