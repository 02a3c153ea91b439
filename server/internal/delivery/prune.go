package delivery

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/core"
)

// countedEvery is how soon what is deleted makes room.
const countedEvery = 5 * time.Second

// countStorage counts what publishers store.
func (d *Dispatcher) countStorage(ctx context.Context) {
	if err := d.Pruner.CountStorage(ctx); err != nil {
		d.warn(ctx, "what publishers store was not counted; trying again soon", err)
	}
}

// foldDisplays makes counts of what was displayed.
func (d *Dispatcher) foldDisplays(ctx context.Context) {
	if err := d.Pruner.FoldDisplays(ctx); err != nil {
		d.warn(ctx, "displays were not folded; trying again soon", err)
	}
}

const (
	queuePrune   = "prune"
	pruneEvery   = time.Hour
	pruneTimeout = 30 * time.Minute // the next time continues what is left
)

// pruneArgs is the job that deletes what is no longer kept. One of all nodes does it.
type pruneArgs struct{}

// Kind implements river.JobArgs.
func (pruneArgs) Kind() string { return "prune" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (pruneArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: queuePrune} }

func pruning() *river.PeriodicJob {
	insert := func() (river.JobArgs, *river.InsertOpts) { return pruneArgs{}, nil }
	return river.NewPeriodicJob(river.PeriodicInterval(pruneEvery), insert, &river.PeriodicJobOpts{RunOnStart: true})
}

type pruneWorker struct {
	river.WorkerDefaults[pruneArgs]
	d *Dispatcher
}

// Timeout implements river.Worker.
func (*pruneWorker) Timeout(*river.Job[pruneArgs]) time.Duration { return pruneTimeout }

// Work implements river.Worker.
func (w *pruneWorker) Work(ctx context.Context, _ *river.Job[pruneArgs]) error {
	d, now := w.d, w.d.Now()
	if err := d.warnUnused(ctx); err != nil {
		return err
	}
	if err := d.Pruner.Prune(ctx, now); err != nil {
		return err
	}
	n, err := d.Pruner.RetireStaleDevices(ctx, now.Add(-core.DeviceStale), now)
	if n > 0 {
		d.Log.InfoContext(ctx, "retired stale devices", "count", n)
	}
	return err
}
