package waitlist

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/postgres"
)

// pruneArgs is the job that deletes what is kept only for a time.
type pruneArgs struct{}

// Kind implements river.JobArgs.
func (pruneArgs) Kind() string { return "waitlist_prune" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (pruneArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: queuePrune} }

const (
	queuePrune   = "waitlist"
	pruneEvery   = time.Hour
	pruneTimeout = 10 * time.Minute
)

// Pruning contributes the job that deletes what is kept only for a time. Every node has it.
func Pruning(db *postgres.DB, now func() time.Time) jobs.Part {
	insert := func() (river.JobArgs, *river.InsertOpts) { return pruneArgs{}, nil }
	return jobs.Part{
		Register: func(workers *river.Workers) { river.AddWorker(workers, &pruneWorker{db: db, now: now}) },
		Queues:   map[string]river.QueueConfig{queuePrune: {MaxWorkers: 1, FetchPollInterval: time.Minute}},
		Periodic: []*river.PeriodicJob{
			river.NewPeriodicJob(river.PeriodicInterval(pruneEvery), insert, &river.PeriodicJobOpts{RunOnStart: true}),
		},
	}
}

type pruneWorker struct {
	river.WorkerDefaults[pruneArgs]
	db  *postgres.DB
	now func() time.Time
}

// Timeout implements river.Worker.
func (*pruneWorker) Timeout(*river.Job[pruneArgs]) time.Duration { return pruneTimeout }

// Work implements river.Worker.
func (w *pruneWorker) Work(ctx context.Context, _ *river.Job[pruneArgs]) error {
	return prune(ctx, w.db, w.now())
}

// prune deletes entries whose addresses were not confirmed, and the times of emails that no longer delay another.
func prune(ctx context.Context, db *postgres.DB, now time.Time) error {
	return db.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		if err := postgres.Unlimited(ctx, tx); err != nil {
			return err
		}
		_, err := tx.NewDelete().Model((*entryRow)(nil)).
			Where("status = ?", Unconfirmed).Where("created_at < ?", now.Add(-unconfirmedKept)).Exec(ctx)
		if err != nil {
			return err
		}
		_, err = tx.NewDelete().Model((*emailTimeRow)(nil)).Where("queued_at <= ?", now.Add(-emailsApart)).Exec(ctx)
		return err
	})
}
