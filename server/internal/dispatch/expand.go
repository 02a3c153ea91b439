package dispatch

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/core"
)

// expandArgs is the job that finds the devices of some notifications: most have few, and share the work.
type expandArgs struct {
	Notifications []byte `json:"notifications"` // their ids, one after another
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
	expandTogether = 100
	expandPage     = 5_000           // devices of one notification that are found at once, when it is the only one
	expandSlice    = 2 * time.Second // then other notifications have their turn
	batchSize      = 500
)

// Work finds devices, in turns of all notifications, until there are no more or its time is up.
func (w *expandWorker) Work(ctx context.Context, job *river.Job[expandArgs]) error {
	unfinished := unpack(job.Args.Notifications)
	for until := time.Now().Add(expandSlice); time.Now().Before(until); {
		each := max(batchSize, expandPage/len(unfinished))
		var err error
		if unfinished, err = w.d.Store.Expand(ctx, unfinished, each, w.d.Now(), w.d.insertSends); err != nil || len(unfinished) == 0 {
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

func (d *Dispatcher) insertSends(ctx context.Context, tx pgx.Tx, wanted []core.Wanted) error {
	var jobs []river.InsertManyParams
	for _, n := range wanted {
		for devices := range slices.Chunk(n.Devices, batchSize) {
			jobs = append(jobs, river.InsertManyParams{
				Args:       sendArgs{NotificationID: n.NotificationID, Devices: pack(devices)},
				InsertOpts: &river.InsertOpts{Queue: queueSend, Priority: priority(n.Load)},
			})
		}
	}
	return d.insert(ctx, tx, jobs)
}
