package emails

import (
	"context"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// Kind is the purpose of an email.
type Kind string

// The kinds of email, and what each is about.
const (
	Code         Kind = "code"                  // a sign-in by email
	Membership   Kind = "membership_invitation" // a membership invitation
	ToChannel    Kind = "channel_invitation"    // an invitation to a private channel
	ToAsker      Kind = "publisher_request"     // an answered request for a publisher
	Confirmation Kind = "waitlist_confirmation" // an entry of the waiting list whose address is not confirmed
	Position     Kind = "waitlist_position"     // an entry that waits
	Invitation   Kind = "waitlist_invitation"   // an entry that was invited
	Joined       Kind = "waitlist_joined"       // an entry of a person who has signed in since
	Account      Kind = "waitlist_account"      // a subscriber whose address was entered in its form
)

// Email is an email to send.
type Email struct {
	ID    core.ID `json:"id"` // the same whenever it is sent again
	Kind  Kind    `json:"kind"`
	About core.ID `json:"about"`
	// Language is that of the request that called for the email, for a person without an account.
	Language core.Language `json:"language,omitempty"`
}

// Job is the River job that sends an email.
type Job struct{ Email }

// Kind implements river.JobArgs.
func (Job) Kind() string { return "email" }

// InsertOpts implements river.JobArgsWithInsertOpts. Codes are sent before all other emails, because people wait for
// them.
func (j Job) InsertOpts() river.InsertOpts {
	opts := river.InsertOpts{Queue: riverQueue, MaxAttempts: attempts, Priority: 2}
	if j.Email.Kind == Code {
		opts.Priority = 1
	}
	return opts
}

// Jobs inserts jobs that run once tx is committed.
type Jobs interface {
	Insert(ctx context.Context, tx postgres.Tx, jobs []river.InsertManyParams) error
}

// Queue queues emails that are sent once tx is committed.
func Queue(ctx context.Context, tx postgres.Tx, jobs Jobs, emails ...Email) error {
	all := make([]river.InsertManyParams, len(emails))
	for i, e := range emails {
		all[i].Args = Job{e}
	}
	return jobs.Insert(ctx, tx, all)
}
