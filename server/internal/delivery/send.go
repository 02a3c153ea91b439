package delivery

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// sendArgs is the job that pushes a notification to the devices of a batch.
type sendArgs struct {
	NotificationID core.ID `json:"notificationId"`
	First          int64   `json:"first"` // the batch
}

// Kind implements river.JobArgs.
func (sendArgs) Kind() string { return "send" }

// pack writes ids one after another, which takes less than a list of them.
func pack(ids []core.ID) []byte {
	b := make([]byte, 0, len(ids)*len(core.ID{}))
	for _, id := range ids {
		b = append(b, id[:]...)
	}
	return b
}

func unpack(b []byte) []core.ID {
	ids := make([]core.ID, len(b)/len(core.ID{}))
	for i := range ids {
		copy(ids[i][:], b[i*len(core.ID{}):])
	}
	return ids
}

type sendWorker struct {
	river.WorkerDefaults[sendArgs]
	d *Dispatcher
}

// Work pushes to the devices that wait for it, records the outcomes, and snoozes the job for the rest.
func (w *sendWorker) Work(ctx context.Context, job *river.Job[sendArgs]) error {
	n, err := postgres.NotificationByID(ctx, w.d.DB, job.Args.NotificationID)
	if core.IsCode(err, core.CodeNotFound) {
		return nil // its channel was purged, and its dispatch with it
	}
	if err != nil {
		return err
	}
	targets, err := undelivered(ctx, w.d.DB, n.ID, job.Args.First)
	if err != nil || len(targets) == 0 {
		return err
	}
	b, push := &batch{d: w.d, save: w.d.record}, core.NewPush(n)
	if job.Args.First == 0 && job.Attempt == 1 {
		b.publishedAt = n.PublishedAt
	}
	cause := endedBy(n, push.Expires, w.d.Now())
	for _, t := range targets {
		i := item{address: t, push: &push, targets: []target{t.target(n.ID, job.Args.First)}}
		if cause != "" {
			b.addOutcomes(i, core.Result{Outcome: core.Expired, Cause: cause})
		} else {
			b.items = append(b.items, i)
		}
	}
	return b.run(ctx, job.JobRow)
}

// endedBy returns the cause for which a notification is no longer pushed, or "".
func endedBy(n core.Notification, expires, now time.Time) string {
	switch {
	case n.WithdrawnAt != nil:
		return core.CauseWithdrawn
	case n.Channel.Suspended:
		return core.CauseSuspended
	case !now.Before(expires):
		return core.CauseExpired
	default:
		return ""
	}
}
