package dispatch

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/core"
)

// expandArgs is the job that finds a notification's devices.
type expandArgs struct {
	NotificationID core.ID `json:"notificationId"`
	PublisherID    core.ID `json:"publisherId"`
}

// Kind implements river.JobArgs.
func (expandArgs) Kind() string { return "expand" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (expandArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: queueExpand} }

type expandWorker struct {
	river.WorkerDefaults[expandArgs]
	d *Dispatcher
}

const (
	expandPage  = 5_000
	expandSlice = 2 * time.Second // then another notification has its turn
	batchSize   = 500
)

// Work finds pages of devices until there are no more or its time is up.
func (w *expandWorker) Work(ctx context.Context, job *river.Job[expandArgs]) error {
	n, err := w.d.Store.PushedNotification(ctx, job.Args.NotificationID)
	if err != nil {
		return err
	}
	load, err := w.d.Store.DispatchLoad(ctx, n.Channel.ID, job.Args.PublisherID, w.d.Now())
	if err != nil {
		return err
	}
	insert := func(ctx context.Context, tx pgx.Tx, wanted []core.ID) error {
		return w.d.insertSends(ctx, tx, n.ID, wanted, priority(load))
	}
	until := time.Now().Add(expandSlice)
	for time.Now().Before(until) {
		now := w.d.Now()
		judge := func(t core.Target) string { return t.Suppression(n.Importance, now) }
		last, err := w.d.Store.Expand(ctx, n, expandPage, now, judge, insert)
		if err != nil || last {
			return err
		}
	}
	return river.JobSnooze(0)
}

// priority puts small dispatches before large ones, and those of a publisher who has just sent much behind the others.
func priority(load int64) int {
	switch {
	case load <= 1_000:
		return 1
	case load <= 20_000:
		return 2
	case load <= 200_000:
		return 3
	default:
		return 4
	}
}

func (d *Dispatcher) insertSends(ctx context.Context, tx pgx.Tx, notificationID core.ID, wanted []core.ID, priority int) error {
	var jobs []river.InsertManyParams
	for len(wanted) > 0 {
		n := min(batchSize, len(wanted))
		jobs = append(jobs, river.InsertManyParams{
			Args:       sendArgs{NotificationID: notificationID, Devices: pack(wanted[:n])},
			InsertOpts: &river.InsertOpts{Queue: queueSend, Priority: priority},
		})
		wanted = wanted[n:]
	}
	if len(jobs) == 0 {
		return nil
	}
	_, err := d.river.InsertManyFastTx(ctx, tx, jobs)
	return err
}
