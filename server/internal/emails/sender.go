package emails

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/mail"
)

// Sender writes emails and sends them. Every field is required.
type Sender struct {
	Server      Server
	Facts       Facts
	Waitlist    Waitlist
	Counter     Counter
	Budget      core.EmailBudget
	Codes       core.EmailCodes
	Invitations core.ChannelInvitationSecrets
	PublicURL   string
	// Picture returns where this server serves a picture in a small size, or "" if it does not.
	Picture func(picture string) string
	Now     func() time.Time
	Log     *slog.Logger
}

// Server takes emails.
type Server interface {
	// Send hands a message to the mail server. It fails with mail.ErrRefused when there is no use in trying again. No
	// error contains the address.
	Send(ctx context.Context, m mail.Message) error
}

// Facts are what emails are about. All fail with CodeNotFound when there is no such thing any more.
type Facts interface {
	// EmailSignIn returns a sign-in whose code is valid at a time.
	EmailSignIn(ctx context.Context, id core.ID, now time.Time) (core.EmailSignIn, error)
	// EmailSignInLocale returns the locale of the person of a sign-in, or "" when they have no account.
	EmailSignInLocale(ctx context.Context, s core.EmailSignIn) (string, error)
	// MembershipInvitation returns an invitation at a time.
	MembershipInvitation(ctx context.Context, id core.ID, now time.Time) (core.ReceivedInvitation, error)
	// ChannelInvitation returns an invitation to a private channel that is open at a time.
	ChannelInvitation(ctx context.Context, id core.ID, now time.Time) (core.ReceivedChannelInvitation, error)
	// PublisherRequest returns a request for a publisher.
	PublisherRequest(ctx context.Context, id core.ID) (core.PublisherRequest, error)
	// InvitationLocale returns the locale of an invited person or, when they have no account, of the person who invited
	// them.
	InvitationLocale(ctx context.Context, email string, inviter core.ID) (string, error)
	// Subscriber returns a person with an account.
	Subscriber(ctx context.Context, id core.ID) (core.Subscriber, error)
}

// description says how a kind of email is sent.
type description struct {
	// write writes an email. The draft is to nobody when it would say what is no longer true.
	write func(s *Sender, ctx context.Context, e Email) (draft, error)
	// counted emails were taken from the budget when they were asked for.
	counted bool
}

var kinds = map[Kind]description{
	Code:         {write: (*Sender).code, counted: true},
	Membership:   {write: (*Sender).membership},
	ToChannel:    {write: (*Sender).toChannel},
	ToAsker:      {write: (*Sender).toAsker},
	Confirmation: {write: (*Sender).place},
	Position:     {write: (*Sender).place},
	Invitation:   {write: (*Sender).place},
	Joined:       {write: (*Sender).place},
	Account:      {write: (*Sender).account},
}

// send writes and sends an email, unless what it would say is no longer true.
func (s *Sender) send(ctx context.Context, e Email) error {
	kind, ok := kinds[e.Kind]
	if !ok {
		return fmt.Errorf("%w: no email is of the kind %q", mail.ErrRefused, e.Kind)
	}
	d, err := kind.write(s, ctx, e)
	if core.IsCode(err, core.CodeNotFound) {
		return nil
	}
	if err != nil || d.To == "" {
		return err
	}
	if d.Face == (face{}) {
		d.Face = s.appFace()
	}
	m, err := d.message(e.ID)
	if err != nil {
		return err
	}
	if kind.counted {
		return s.Server.Send(ctx, m)
	}
	return s.sendWithinBudget(ctx, m)
}
