package waitlist

import (
	"context"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/emails"
	"github.com/sininho/sininho/server/internal/jobs"
)

// emailArgs is the job that sends one email.
type emailArgs struct{ Email }

// Kind implements river.JobArgs.
func (emailArgs) Kind() string { return "waitlist_email" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (emailArgs) InsertOpts() river.InsertOpts { return emails.InsertOpts() }

// Jobs contributes the emails of the waiting list on a node that sends them.
func (s *Emails) Jobs() jobs.Part {
	send := func(ctx context.Context, args emailArgs) error { return s.send(ctx, args.Email) }
	return emails.Jobs(send, s.log)
}

// RescueOnly contributes the emails and the joins on a node without a mail server.
func RescueOnly() jobs.Part {
	return jobs.Part{Register: func(workers *river.Workers) {
		jobs.RescueOnly[emailArgs](workers, emails.JobTimeout)
		jobs.RescueOnly[joinArgs](workers, 0)
	}}
}

// emailJobs returns the jobs that send emails.
func emailJobs(emails []Email) []river.InsertManyParams {
	params := make([]river.InsertManyParams, len(emails))
	for i, e := range emails {
		params[i].Args = emailArgs{e}
	}
	return params
}
