package delivery

import (
	"context"
	"encoding/json"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// A version before had a job of River for what is a turn now, and for the search for devices, which needs none. While
// nodes are replaced, those that the old ones leave behind become turns.
type (
	oldExpand   struct{}
	oldSend     struct{}
	oldSummary  struct{}
	oldRevise   struct{}
	oldRevision struct{}
	oldRead     struct{}
	oldConfirm  struct{}
)

// Kind implements river.JobArgs.
func (oldExpand) Kind() string { return "expand" }

// Kind implements river.JobArgs.
func (oldSend) Kind() string { return kindSend }

// Kind implements river.JobArgs.
func (oldSummary) Kind() string { return kindSummary }

// Kind implements river.JobArgs.
func (oldRevise) Kind() string { return kindRevise }

// Kind implements river.JobArgs.
func (oldRevision) Kind() string { return kindRevision }

// Kind implements river.JobArgs.
func (oldRead) Kind() string { return kindRead }

// Kind implements river.JobArgs.
func (oldConfirm) Kind() string { return kindConfirm }

// oldQueues are the queues of these jobs.
var oldQueues = []string{"expand", "send", "webpush"}

func handover[T river.JobArgs]() kind[T] {
	return kind[T]{worker: func(d *Dispatcher) river.Worker[T] { return &handoverWorker[T]{d: d} }}
}

type handoverWorker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	d *Dispatcher
}

// Work makes turns of a job. What was read elsewhere is closed when the app is opened.
func (w *handoverWorker[T]) Work(ctx context.Context, job *river.Job[T]) error {
	var args struct {
		summaryArgs

		NotificationID core.ID `json:"notificationId"`
		First          int64   `json:"first"`
	}
	if err := json.Unmarshal(job.EncodedArgs, &args); err != nil {
		return err
	}
	defer w.d.nudgeTurns()
	return w.d.DB.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		switch job.Kind {
		case kindSend:
			return insertSend(ctx, tx, args.NotificationID, args.First)
		case kindRevise, kindRevision:
			return insertRevises(ctx, tx, []core.ID{args.NotificationID})
		case kindConfirm:
			return insertTurns(ctx, tx, []turn{{Queue: queueWebPush, Owner: everybody, Service: sharedService,
				Kind: kindConfirm, Devices: 1, Args: job.EncodedArgs}})
		case kindSummary:
			for i := range args.Devices {
				args.Devices[i].queue, args.Devices[i].owner = queueWebPush, everybody
			}
			return insertTurns(ctx, tx, summaryTurns(args.Devices, args.Over))
		}
		return nil
	})
}

// insertSend stores the turn of a batch, unless its notification is gone.
func insertSend(ctx context.Context, tx postgres.Tx, notificationID core.ID, first int64) error {
	// Raw, because it inserts what it reads.
	_, err := tx.NewRaw(`
		insert into turns (queue, owner, service, class, kind, devices, notification_id, first)
		select ?0, x.publisher_id, ?1, 1, ?2, length(b.outcomes), b.notification_id, b.first
		from delivery_batches b join dispatches x on x.notification_id = b.notification_id
		where b.notification_id = ?3 and b.first = ?4`,
		queueWebPush, sharedService, kindSend, notificationID, first).Exec(ctx)
	return err
}
