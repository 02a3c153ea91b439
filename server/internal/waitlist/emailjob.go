package waitlist

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/mail"
)

// emailArgs is the job that sends one email. Its kind and its queue have the names of an earlier version, whose jobs
// may still be queued.
type emailArgs struct{ Email }

// Kind implements river.JobArgs.
func (emailArgs) Kind() string { return "letter" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (emailArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: queueEmails, MaxAttempts: emailAttempts}
}

const (
	queueEmails   = "letters"
	emailWorkers  = 4
	emailTimeout  = time.Minute
	emailAttempts = 60 // with the waits between them two days
	firstWait     = 10 * time.Second
	longestWait   = time.Hour
	doublings     = 9 // of firstWait, until longestWait
)

// Jobs contributes the emails of the waiting list on a node that sends them.
func (s *Emails) Jobs() jobs.Part {
	return jobs.Part{
		Register: func(workers *river.Workers) { river.AddWorker(workers, &emailWorker{emails: s}) },
		Queues:   map[string]river.QueueConfig{queueEmails: {MaxWorkers: emailWorkers}},
	}
}

// RescueOnly contributes the emails on a node without a mail server.
func RescueOnly() jobs.Part {
	return jobs.Part{Register: func(workers *river.Workers) { jobs.RescueOnly[emailArgs](workers, emailTimeout) }}
}

type emailWorker struct {
	river.WorkerDefaults[emailArgs]
	emails *Emails
}

// Timeout implements river.Worker.
func (*emailWorker) Timeout(*river.Job[emailArgs]) time.Duration { return emailTimeout }

// NextRetry implements river.Worker. Mail servers that are down, or that delay unknown senders, need more time than the
// other jobs' retries give.
func (*emailWorker) NextRetry(job *river.Job[emailArgs]) time.Time {
	wait := longestWait
	if failures := len(job.Errors); failures < doublings {
		wait = min(wait, firstWait<<failures)
	}
	return time.Now().Add(wait)
}

// Work sends the email. It gives up an email that the mail server refuses, or that has failed too often.
func (w *emailWorker) Work(ctx context.Context, job *river.Job[emailArgs]) error {
	err := w.emails.send(ctx, job.Args.Email)
	refused := errors.Is(err, mail.ErrRefused)
	if refused || err != nil && job.Attempt >= job.MaxAttempts {
		w.emails.log.WarnContext(ctx, "email not sent, no further attempts", "kind", job.Args.Email.Kind, "email",
			job.Args.ID, "attempts", job.Attempt, "error", err)
	}
	if refused {
		return river.JobCancel(err)
	}
	return err
}

// emailJobs returns the jobs that send emails.
func emailJobs(emails []Email) []river.InsertManyParams {
	params := make([]river.InsertManyParams, len(emails))
	for i, e := range emails {
		params[i].Args = emailArgs{e}
	}
	return params
}
