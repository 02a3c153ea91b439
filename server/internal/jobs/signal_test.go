package jobs_test

import (
	"context"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/jobstest"
	"github.com/sininho/sininho/server/lab/pgtest"
)

// soon is less than the time between two polls of a queue.
const soon = 5 * time.Second

type numbered struct {
	N int `json:"n"`
}

func (numbered) Kind() string { return "numbered" }

func (numbered) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: "numbers"} }

type worker struct {
	river.WorkerDefaults[numbered]
	worked chan int
}

func (w *worker) Work(_ context.Context, job *river.Job[numbered]) error {
	w.worked <- job.Args.N
	return nil
}

func start(t *testing.T, db *postgres.DB) (*jobs.Client, chan int) {
	t.Helper()
	w := &worker{worked: make(chan int)}
	client := jobstest.Start(t, db, jobs.Part{
		Register: func(workers *river.Workers) { river.AddWorker(workers, w) },
		Queues:   map[string]river.QueueConfig{"numbers": {MaxWorkers: 100, FetchPollInterval: time.Hour}},
	})
	return client, w.worked
}

func await(t *testing.T, worked chan int, n int) {
	t.Helper()
	for i := range n {
		select {
		case <-worked:
		case <-time.After(soon):
			t.Fatalf("jobs: got %d, want %d without a poll", i, n)
		}
	}
}

// TestEveryJobIsSignalled expects jobs that follow each other too fast for River's own signals to be worked before the
// next poll.
func TestEveryJobIsSignalled(t *testing.T) {
	t.Parallel()
	db := pgtest.DB(t)
	client, worked := start(t, db)
	for n := range 20 {
		for range 2 {
			err := db.InTx(t.Context(), func(ctx context.Context, tx postgres.Tx) error {
				return client.Insert(ctx, tx, []river.InsertManyParams{{Args: numbered{n}}})
			})
			if err != nil {
				t.Fatalf("insert a job: %v", err)
			}
		}
		await(t, worked, 2)
	}
}
