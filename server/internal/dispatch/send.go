package dispatch

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/core"
)

// sendArgs is the job that pushes a notification to some devices.
type sendArgs struct {
	NotificationID core.ID `json:"notificationId"`
	Devices        []byte  `json:"devices"` // their ids, one after another
}

// Kind implements river.JobArgs.
func (sendArgs) Kind() string { return "send" }

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

// Work pushes to those devices that have no outcome yet, records what came of it, and comes back for the rest.
func (w *sendWorker) Work(ctx context.Context, job *river.Job[sendArgs]) error {
	n, err := w.d.Store.PushedNotification(ctx, job.Args.NotificationID)
	if core.IsCode(err, core.CodeNotFound) {
		return nil // its channel was deleted, and everything that counts deliveries with it
	}
	if err != nil {
		return err
	}
	targets, err := w.d.Store.Undelivered(ctx, n.ID, unpack(job.Args.Devices))
	if err != nil || len(targets) == 0 {
		return err
	}
	b, push, now := &batch{d: w.d, keep: w.d.Store.Record}, core.NewPush(n), w.d.Now()
	cause := over(n, push.Expires, now)
	for _, t := range targets {
		i := item{Address: t, push: &push, notifications: []core.ID{n.ID}}
		if cause != "" {
			b.settle(i, core.Result{Outcome: core.Expired, Cause: cause})
		} else {
			b.items = append(b.items, i)
		}
	}
	return b.run(ctx, job.Metadata)
}

// over tells why a notification is pushed no more.
func over(n core.Notification, expires, now time.Time) string {
	switch {
	case n.WithdrawnAt != nil:
		return core.CauseWithdrawn
	case !now.Before(expires):
		return core.CauseExpired
	default:
		return ""
	}
}
