package dispatch

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/core"
)

// summaryArgs is the job that pushes what was held until some subscribers' quiet hours were over.
type summaryArgs struct {
	Devices []heldDevice `json:"devices"`
	Over    time.Time    `json:"over"` // since when; the pushes' life counts from then
}

type heldDevice struct {
	ID            core.ID `json:"id"`
	Notifications []byte  `json:"notifications"` // their ids, one after another
}

// Kind implements river.JobArgs.
func (summaryArgs) Kind() string { return "summary" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (summaryArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: queueSend, Priority: priority(batchSize)}
}

type summaryWorker struct {
	river.WorkerDefaults[summaryArgs]
	d *Dispatcher
}

// Work pushes one summary to each device, or the notification itself where only one was held.
func (w *summaryWorker) Work(ctx context.Context, job *river.Job[summaryArgs]) error {
	var held []core.Held
	for _, d := range job.Args.Devices {
		held = append(held, core.Held{Device: core.Address{DeviceID: d.ID}, Notifications: unpack(d.Notifications)})
	}
	held, err := w.d.Store.UndeliveredHeld(ctx, held)
	if err != nil || len(held) == 0 {
		return err
	}
	var ids []core.ID
	for _, h := range held {
		ids = append(ids, h.Notifications...)
	}
	notifications, err := w.d.Store.PushedNotifications(ctx, ids)
	if err != nil {
		return err
	}
	b := &batch{d: w.d, keep: w.d.Store.Record}
	for _, h := range held {
		b.summarize(h, notifications, job.Args.Over)
	}
	return b.run(ctx, job.Metadata)
}

// summarize adds a device's summary of those of its notifications, newest first, that are still to be pushed.
func (b *batch) summarize(h core.Held, notifications []core.Notification, since time.Time) {
	mine, read := set(h.Notifications), set(h.Read)
	var live []core.Notification
	i := item{Address: h.Device}
	for _, n := range notifications {
		if !mine[n.ID] {
			continue
		}
		alone := item{Address: h.Device, notifications: []core.ID{n.ID}}
		if cause := over(n, core.NewSummary([]core.Notification{n}, since).Expires, b.d.Now()); cause != "" {
			b.settle(alone, core.Result{Outcome: core.Expired, Cause: cause})
		} else if read[n.ID] {
			b.settle(alone, core.Result{Outcome: core.Suppressed, Cause: core.CauseRead})
		} else {
			live, i.notifications = append(live, n), append(i.notifications, n.ID)
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

// releaseHeld makes jobs for what was held until quiet hours that are over now.
func (d *Dispatcher) releaseHeld(ctx context.Context) {
	for {
		now := d.Now()
		n, err := d.Store.ReleaseHeld(ctx, batchSize, now, func(ctx context.Context, tx pgx.Tx, held []core.Held) error {
			args := summaryArgs{Over: now}
			for _, h := range held {
				args.Devices = append(args.Devices, heldDevice{ID: h.Device.DeviceID, Notifications: pack(h.Notifications)})
			}
			return d.insert(ctx, tx, []river.InsertManyParams{{Args: args}})
		})
		if err != nil && ctx.Err() == nil {
			d.Log.WarnContext(ctx, "dispatch: release what was held", "error", err)
		}
		if err != nil || n < batchSize {
			return
		}
	}
}
