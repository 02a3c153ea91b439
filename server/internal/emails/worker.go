package emails

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"golang.org/x/time/rate"

	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/mail"
)

const (
	riverQueue = "emails"
	timeout    = time.Minute // of a job
	workers    = 4
	attempts   = 60 // with the waits between them two days
	firstWait  = 10 * time.Second
	longWait   = time.Hour
	doublings  = 9 // of firstWait, until longWait
	// usedUpWait is how long an email waits that does not fit the budget.
	usedUpWait = 15 * time.Minute
	warnEvery  = time.Minute // about emails that are tried again
)

// Jobs contributes the emails on a node that sends them.
func (s *Sender) Jobs() jobs.Part { return partOf(newWorker(s.send, s.Log)) }

func partOf(w *worker) jobs.Part {
	return jobs.Part{
		Register: func(all *river.Workers) { river.AddWorker(all, w) },
		Queues:   map[string]river.QueueConfig{riverQueue: {MaxWorkers: workers}},
	}
}

// RescueOnly contributes the emails on a node without a mail server.
func RescueOnly() jobs.Part {
	return jobs.Part{Register: func(all *river.Workers) { jobs.RescueOnly[Job](all, timeout) }}
}

// worker is the River worker of emails.
type worker struct {
	river.WorkerDefaults[Job]
	// send fails with mail.ErrRefused when there is no use in trying again.
	send   func(ctx context.Context, e Email) error
	log    *slog.Logger
	warned rate.Sometimes
}

func newWorker(send func(ctx context.Context, e Email) error, log *slog.Logger) *worker {
	return &worker{send: send, log: log, warned: rate.Sometimes{Interval: warnEvery}}
}

// Timeout implements river.Worker.
func (*worker) Timeout(*river.Job[Job]) time.Duration { return timeout }

// NextRetry implements river.Worker. Mail servers that are down, or that delay unknown senders, need more time than the
// other jobs' retries give.
func (*worker) NextRetry(job *river.Job[Job]) time.Time {
	wait := longWait
	if failures := len(job.Errors); failures < doublings {
		wait = min(wait, firstWait<<failures)
	}
	return time.Now().Add(wait)
}

// Work sends the email. It waits while the budget is used up, and gives up an email that the mail server refuses, or
// that has failed too often.
func (w *worker) Work(ctx context.Context, job *river.Job[Job]) error {
	err := w.send(ctx, job.Args.Email)
	kind, refused := job.Args.Email.Kind, errors.Is(err, mail.ErrRefused)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errLater):
		w.warned.Do(func() {
			w.log.WarnContext(ctx, "emails wait until more may be sent", "kind", kind, "error", err)
		})
		return river.JobSnooze(usedUpWait)
	case refused, job.Attempt >= job.MaxAttempts:
		w.log.WarnContext(ctx, "email not sent, no further attempts", "kind", kind, "job", job.ID,
			"attempts", job.Attempt, "error", err)
	case ctx.Err() == nil:
		w.warned.Do(func() {
			w.log.WarnContext(ctx, "email not sent, it is tried again", "kind", kind, "job", job.ID,
				"attempts", job.Attempt, "error", err)
		})
	}
	if refused {
		return river.JobCancel(err)
	}
	return err
}
