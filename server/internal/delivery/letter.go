package delivery

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/waitlist"
)

// Letters sends the waiting list's e-mails.
type Letters interface {
	// Send sends a letter. It fails with waitlist.ErrRefused when trying again is of no use.
	Send(ctx context.Context, l waitlist.Letter) error
}

// letterArgs is the job that sends one letter.
type letterArgs struct{ waitlist.Letter }

// Kind implements river.JobArgs.
func (letterArgs) Kind() string { return "letter" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (letterArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: queueLetters, MaxAttempts: letterAttempts}
}

const (
	queueLetters   = "letters"
	letterWorkers  = 4
	letterTime     = time.Minute
	letterAttempts = 60 // with the waits between them two days
	longestLetter  = time.Hour
	firstLetter    = 10 * time.Second
	letterDoubles  = 9 // before the wait is the longest
)

type letterWorker struct {
	river.WorkerDefaults[letterArgs]
	d *Dispatcher
}

// Timeout implements river.Worker.
func (*letterWorker) Timeout(*river.Job[letterArgs]) time.Duration { return letterTime }

// NextRetry implements river.Worker: a mail server that is away, or wants to see whether one comes again, takes its time.
func (*letterWorker) NextRetry(job *river.Job[letterArgs]) time.Time {
	wait := longestLetter
	if tries := len(job.Errors); tries < letterDoubles {
		wait = min(wait, firstLetter<<tries)
	}
	return time.Now().Add(wait)
}

// Work sends the letter. What is refused for good, and what has been tried too often, is given up.
func (w *letterWorker) Work(ctx context.Context, job *river.Job[letterArgs]) error {
	err := w.d.Letters.Send(ctx, job.Args.Letter)
	refused := errors.Is(err, waitlist.ErrRefused)
	if refused || err != nil && job.Attempt >= job.MaxAttempts {
		w.d.Log.WarnContext(ctx, "an e-mail was given up", "kind", job.Args.Letter.Kind, "letter", job.Args.ID, "attempts", job.Attempt, "error", err)
	}
	if refused {
		return river.JobCancel(err)
	}
	return err
}

// QueueLetters has letters sent once tx is committed.
func (d *Dispatcher) QueueLetters(ctx context.Context, tx postgres.Tx, letters []waitlist.Letter) error {
	jobs := make([]river.InsertManyParams, len(letters))
	for i, l := range letters {
		jobs[i].Args = letterArgs{l}
	}
	return d.insert(ctx, tx, jobs)
}

// NewPostman makes a dispatcher that sends letters only, for where the waiting list is served alone. Of the Config it
// needs DB, Letters, Log and Now.
func NewPostman(c Config) (*Dispatcher, error) {
	return newDispatcher(c, letterQueues(c))
}

// letterQueues are those of letters, where they can be sent.
func letterQueues(c Config) map[string]river.QueueConfig {
	if c.Letters == nil {
		return map[string]river.QueueConfig{}
	}
	return map[string]river.QueueConfig{queueLetters: {MaxWorkers: letterWorkers}}
}
