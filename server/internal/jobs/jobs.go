// Package jobs runs River's jobs on this node. It owns the River client; the packages that have jobs contribute a
// [Part] with their workers, and insert their jobs through the [Client].
package jobs

import (
	"context"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"github.com/sininho/sininho/server/internal/postgres"
)

// Part is what one package contributes to a client.
type Part struct {
	// Register adds a worker for every kind of job of the package, if it has any. A node that works none of them
	// registers them too, by RescueOnly.
	Register func(*river.Workers)
	// Queues are the queues that this node works.
	Queues map[string]river.QueueConfig
	// Periodic are jobs that one of all nodes inserts from time to time.
	Periodic []*river.PeriodicJob
	// Middleware surrounds all jobs of the client.
	Middleware []rivertype.Middleware
}

// Timeout is how long a job may run, unless its worker says otherwise.
const Timeout = 15 * time.Second

const (
	rescueAfter = 20 * time.Second // a job whose node died is tried again after this long
	softStop    = 10 * time.Second
	maxAttempts = 30_000 // most jobs fail only when the database does, and must not be lost
	retention   = 10 * time.Minute
)

// Client inserts jobs, and works those of its queues between Start and Stop.
type Client struct {
	*river.Client[pgx.Tx]
}

// New returns a client for the jobs of all parts.
func New(db *postgres.DB, log *slog.Logger, parts ...Part) (*Client, error) {
	workers, queues := river.NewWorkers(), map[string]river.QueueConfig{}
	var periodic []*river.PeriodicJob
	var middleware []rivertype.Middleware
	for _, p := range parts {
		if p.Register != nil {
			p.Register(workers)
		}
		middleware = append(middleware, p.Middleware...)
		maps.Copy(queues, p.Queues)
		periodic = append(periodic, p.Periodic...)
	}
	client, err := river.NewClient(riverpgxv5.New(db.Pool()), &river.Config{
		Queues:                      queues,
		Workers:                     workers,
		PeriodicJobs:                periodic,
		Middleware:                  middleware,
		FetchCooldown:               5 * time.Millisecond,
		FetchPollInterval:           pollInterval(db),
		JobTimeout:                  Timeout,
		RescueStuckJobsAfter:        rescueAfter,
		MaxAttempts:                 maxAttempts,
		RetryPolicy:                 retryPolicy{},
		SoftStopTimeout:             softStop,
		CompletedJobRetentionPeriod: retention,
		PollOnly:                    db.Pooled(),
		Logger:                      slog.New(clientLog{log.With("part", "river").Handler()}),
	})
	return &Client{client}, err
}

// pollInterval is how often a queue is looked at, unless it says otherwise: seldom, for jobs that are tried again
// and for signals that are lost. There are no signals behind a pooler.
func pollInterval(db *postgres.DB) time.Duration {
	if db.Pooled() {
		return 100 * time.Millisecond
	}
	return 2 * time.Second
}

// Start begins to work jobs. They outlive ctx, until Stop.
func (c *Client) Start(ctx context.Context) error { return c.Client.Start(context.WithoutCancel(ctx)) }

// Insert inserts jobs that run once tx is committed.
func (c *Client) Insert(ctx context.Context, tx postgres.Tx, jobs []river.InsertManyParams) error {
	if len(jobs) == 0 {
		return nil
	}
	return tx.PGX(func(tx pgx.Tx) error {
		if _, err := c.InsertManyFastTx(ctx, tx, jobs); err != nil {
			return err
		}
		return signal(ctx, tx, jobs)
	})
}

// signal tells the nodes of the queues that jobs are inserted into. River itself does not do so of a job that follows
// another within milliseconds, which may be just too late for the signal of the first.
func signal(ctx context.Context, tx pgx.Tx, jobs []river.InsertManyParams) error {
	queues := map[string]bool{}
	for _, j := range jobs {
		queues[queueOf(j)] = true
	}
	_, err := tx.Exec(ctx, "select "+notify+" from unnest($1::text[]) queue", slices.Sorted(maps.Keys(queues)))
	return err
}

// notify is River's signal that there are jobs in a queue.
const notify = `pg_notify(current_schema() || '.river_insert', json_build_object('queue', queue)::text)`

func queueOf(j river.InsertManyParams) string {
	if j.InsertOpts != nil && j.InsertOpts.Queue != "" {
		return j.InsertOpts.Queue
	}
	if args, ok := j.Args.(river.JobArgsWithInsertOpts); ok && args.InsertOpts().Queue != "" {
		return args.InsertOpts().Queue
	}
	return river.QueueDefault
}

// FromContext returns the client that works a job, from the context of its worker.
func FromContext(ctx context.Context) *Client { return &Client{river.ClientFromContext[pgx.Tx](ctx)} }

// RescueOnly registers a kind of job that this node does not work. Every node must know every kind, because one of
// them rescues the jobs of a node that died, and River discards a job of a kind that the rescuer does not know. A zero
// timeout means [Timeout].
func RescueOnly[T river.JobArgs](workers *river.Workers, timeout time.Duration) {
	river.AddWorker(workers, &rescueOnly[T]{timeout: timeout})
}

type rescueOnly[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	timeout time.Duration
}

// Timeout implements river.Worker.
func (w *rescueOnly[T]) Timeout(*river.Job[T]) time.Duration { return w.timeout }

// Work implements river.Worker. It is not reached, because this node does not work the queue of the job.
func (*rescueOnly[T]) Work(_ context.Context, job *river.Job[T]) error {
	return river.JobSnooze(Backoff(len(job.Errors)))
}

// retryPolicy is for jobs that fail by no fault of theirs, for example when the database is unavailable.
type retryPolicy struct{}

// NextRetry implements river.ClientRetryPolicy.
func (retryPolicy) NextRetry(job *rivertype.JobRow) time.Time {
	return time.Now().Add(Backoff(len(job.Errors)))
}

const longestBackoff = time.Minute

// Backoff returns how long to wait after a number of failures: from one second to a minute, with jitter, so that what
// failed together does not return together.
func Backoff(failures int) time.Duration {
	d := longestBackoff
	if failures < 6 {
		d = time.Second << failures
	}
	return d/2 + rand.N(d/2) //nolint:gosec // only spreads load
}
