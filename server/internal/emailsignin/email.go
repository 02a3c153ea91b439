package emailsignin

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/mail"
)

// Emails writes the emails with codes and sends them. Every field is required.
type Emails struct {
	// Find returns a sign-in whose code is valid at a time. It fails with CodeNotFound when there is none.
	Find func(ctx context.Context, id core.ID, now time.Time) (core.EmailSignIn, error)
	// Locale returns the locale of the person of a sign-in, or "" when they have no account.
	Locale func(ctx context.Context, s core.EmailSignIn) (string, error)
	// Send hands a message to the mail server. It fails with mail.ErrRefused when there is no use in trying again.
	Send      func(ctx context.Context, m mail.Message) error
	Codes     core.EmailCodes
	PublicURL string
	Now       func() time.Time
	Log       *slog.Logger
}

// emailArgs is the job that sends one email. It holds no address and no code.
type emailArgs struct {
	ID core.ID `json:"id"` // of the sign-in
	// Language is that of the request, for a person without an account.
	Language core.Language `json:"language,omitempty"`
}

// Kind implements river.JobArgs.
func (emailArgs) Kind() string { return "email_sign_in" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (emailArgs) InsertOpts() river.InsertOpts { return emails.InsertOpts() }

// Jobs contributes the emails on a node that sends them.
func (e *Emails) Jobs() jobs.Part { return emails.Jobs(e.send, e.Log) }

// RescueOnly contributes the emails on a node without a mail server.
func RescueOnly() jobs.Part { return emails.RescueOnly[emailArgs]() }

// send writes and sends an email, unless its code is no longer valid.
func (e *Emails) send(ctx context.Context, args emailArgs) error {
	s, err := e.Find(ctx, args.ID, e.Now())
	if core.IsCode(err, core.CodeNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	locale, err := e.Locale(ctx, s)
	if err != nil {
		return err
	}
	language := core.LanguageOf(cmp.Or(locale, string(args.Language)))
	m, err := draft(s, e.Codes.Code(s.ID), e.PublicURL, language).Message(s.ID, s.Email)
	if err != nil {
		return err
	}
	return e.Send(ctx, m)
}

// draft writes the email. The code of the link is in its fragment, which browsers send to no server.
func draft(s core.EmailSignIn, code, publicURL string, in core.Language) emails.Draft {
	shown := code[:4] + " " + code[4:]
	write := languages.In(in).signIn
	if s.SubscriberID != nil {
		write = languages.In(in).addAddress
	}
	d := write(shown)
	d.Language, d.Code, d.URL = in, shown, core.EmailCodePage(publicURL)+"#"+code
	return d
}
