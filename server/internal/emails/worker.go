package emails

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"golang.org/x/time/rate"

	"github.com/sininho/sininho/server/internal/mail"
)

// Queue is the River queue of all jobs that send an email.
const Queue = "emails"

// JobTimeout is how long a job that sends an email may run.
const JobTimeout = time.Minute

const (
	workers   = 4
	attempts  = 60 // with the waits between them two days
	firstWait = 10 * time.Second
	longWait  = time.Hour
	doublings = 9 // of firstWait, until longWait
	// usedUpWait is how long an email waits that does not fit the budget.
	usedUpWait = 15 * time.Minute
	warnEvery  = time.Minute // about emails that are tried again
)

// Queues is the queue of emails, for a node that sends them.
func Queues() map[string]river.QueueConfig {
	return map[string]river.QueueConfig{Queue: {MaxWorkers: workers}}
}

// InsertOpts are the options of every job that sends an email.
func InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: Queue, MaxAttempts: attempts} }

// Worker is a River worker for jobs that send an email each.
type Worker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	// send sends the email of a job. It fails with mail.ErrRefused when there is no use in trying again.
	send   func(ctx context.Context, args T) error
	log    *slog.Logger
	warned rate.Sometimes
}

// NewWorker returns a Worker.
func NewWorker[T river.JobArgs](send func(ctx context.Context, args T) error, log *slog.Logger) *Worker[T] {
	return &Worker[T]{send: send, log: log, warned: rate.Sometimes{Interval: warnEvery}}
}

// Timeout implements river.Worker.
func (*Worker[T]) Timeout(*river.Job[T]) time.Duration { return JobTimeout }

// NextRetry implements river.Worker. Mail servers that are down, or that delay unknown senders, need more time than the
// other jobs' retries give.
func (*Worker[T]) NextRetry(job *river.Job[T]) time.Time {
	wait := longWait
	if failures := len(job.Errors); failures < doublings {
		wait = min(wait, firstWait<<failures)
	}
	return time.Now().Add(wait)
}

// Work sends the email. It waits while the budget is used up, and gives up an email that the mail server refuses, or
// that has failed too often.
func (w *Worker[T]) Work(ctx context.Context, job *river.Job[T]) error {
	err := w.send(ctx, job.Args)
	refused := errors.Is(err, mail.ErrRefused)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrLater):
		w.warned.Do(func() {
			w.log.WarnContext(ctx, "emails wait until more may be sent", "kind", job.Args.Kind(), "error", err)
		})
		return river.JobSnooze(usedUpWait)
	case refused, job.Attempt >= job.MaxAttempts:
		w.log.WarnContext(ctx, "email not sent, no further attempts", "kind", job.Args.Kind(), "job", job.ID,
			"attempts", job.Attempt, "error", err)
	case ctx.Err() == nil:
		w.warned.Do(func() {
			w.log.WarnContext(ctx, "email not sent, it is tried again", "kind", job.Args.Kind(), "job", job.ID,
				"attempts", job.Attempt, "error", err)
		})
	}
	if refused {
		return river.JobCancel(err)
	}
	return err
}
