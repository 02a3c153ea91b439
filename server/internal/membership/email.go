package membership

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/mail"
)

// Emails writes the emails of membership invitations and sends them. Every field is required.
type Emails struct {
	// Find returns an invitation at a time. It fails with CodeNotFound when there is none.
	Find func(ctx context.Context, id core.ID, now time.Time) (core.ReceivedInvitation, error)
	// Locale returns the locale of an invited person or, when they have no account, of the person who invited them.
	Locale func(ctx context.Context, inv core.ReceivedInvitation) (string, error)
	// Send hands a message to the mail server. It fails with mail.ErrRefused when there is no use in trying again.
	Send      func(ctx context.Context, m mail.Message) error
	PublicURL string
	Now       func() time.Time
	Log       *slog.Logger
}

// emailArgs is the job that sends one email. It holds no address and no text, which are looked up when it is sent.
type emailArgs struct {
	ID           core.ID `json:"id"`
	InvitationID core.ID `json:"invitationId"`
}

// Kind implements river.JobArgs.
func (emailArgs) Kind() string { return "membership_invitation_email" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (emailArgs) InsertOpts() river.InsertOpts { return emails.InsertOpts() }

// Jobs contributes the emails on a node that sends them.
func (e *Emails) Jobs() jobs.Part { return emails.Jobs(e.send, e.Log) }

// RescueOnly contributes the emails on a node without a mail server.
func RescueOnly() jobs.Part { return emails.RescueOnly[emailArgs]() }

// send writes and sends an email, unless the invitation has ended or its publisher is suspended.
func (e *Emails) send(ctx context.Context, args emailArgs) error {
	inv, err := e.Find(ctx, args.InvitationID, e.Now())
	if core.IsCode(err, core.CodeNotFound) {
		return nil
	}
	if err != nil || inv.State != core.InvitationPending || inv.Publisher.Suspension != nil {
		return err
	}
	locale, err := e.Locale(ctx, inv)
	if err != nil {
		return err
	}
	m, err := draft(inv, e.PublicURL, core.LanguageOf(locale)).Message(args.ID, inv.Email)
	if err != nil {
		return err
	}
	return e.Send(ctx, m)
}

// draft writes the email. It names the publisher by its slug, which cannot be a sentence or an address of another site.
func draft(inv core.ReceivedInvitation, publicURL string, in core.Language) emails.Draft {
	d := languages.In(in).invitation(inv.Publisher.Slug, inv.Role, inv.ExpiresAt.UTC())
	d.Language, d.URL = in, core.InvitationsPage(publicURL)
	return d
}
