package waitlist

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/postgres"
)

// joinArgs is the job that adds a person to the list. The request only queues it, and so takes the same time for every
// address, known or not.
type joinArgs struct {
	Input Input     `json:"input"`
	At    time.Time `json:"at"`
}

// Kind implements river.JobArgs.
func (joinArgs) Kind() string { return "waitlist_join" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (joinArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: queueJoins} }

const (
	queueJoins  = "waitlist_joins"
	joinWorkers = 2
)

// Joining contributes the jobs that add people to the list, on a node that sends emails.
func Joining(db *postgres.DB, secretKey []byte) (jobs.Part, error) {
	tokens, err := newTokens(secretKey)
	worker := &joinWorker{db: db, tokens: tokens}
	return jobs.Part{
		Register: func(workers *river.Workers) { river.AddWorker(workers, worker) },
		Queues:   map[string]river.QueueConfig{queueJoins: {MaxWorkers: joinWorkers}},
	}, err
}

// RescueOnly contributes the joins on a node without a mail server.
func RescueOnly() jobs.Part {
	return jobs.Part{Register: func(workers *river.Workers) { jobs.RescueOnly[joinArgs](workers, 0) }}
}

type joinWorker struct {
	river.WorkerDefaults[joinArgs]
	db     *postgres.DB
	tokens tokens
}

// Work implements river.Worker. A repeated job changes nothing and sends no second email.
func (w *joinWorker) Work(ctx context.Context, job *river.Job[joinArgs]) error {
	s := &store{reader: reader{w.db}, jobs: jobs.FromContext(ctx)}
	return s.join(ctx, w.tokens.newEntry(job.Args.Input), job.Args.At)
}
