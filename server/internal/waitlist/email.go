package waitlist

import (
	"context"
	"log/slog"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/mail"
	"github.com/sininho/sininho/server/internal/postgres"
)

// EmailKind is the purpose of an email.
type EmailKind string

// The kinds of email.
const (
	Confirmation EmailKind = "confirm"
	Position     EmailKind = "position"
	Invitation   EmailKind = "invitation"
	Account      EmailKind = "account" // to a person who has an account already
)

// Email is an email to send. It holds no address and no text, which are looked up when it is sent.
type Email struct {
	ID      core.ID   `json:"id"`
	Kind    EmailKind `json:"kind"`
	EntryID core.ID   `json:"entryId,omitzero"`
	// SubscriberID is set instead of EntryID when the email goes to a person with an account and no entry.
	SubscriberID core.ID `json:"subscriberId,omitzero"`
}

// EmailConfig is what Emails works with. Every field is required.
type EmailConfig struct {
	DB          *postgres.DB
	Subscribers Subscribers
	Sender      Sender
	SecretKey   []byte // as in Config
	PublicURL   string
	Log         *slog.Logger
}

// Sender sends emails.
type Sender interface {
	// Send hands a message to the mail server. It fails with mail.ErrRefused when there is no use in trying again. No
	// error contains the address.
	Send(ctx context.Context, m mail.Message) error
}

// Emails writes emails and sends them.
type Emails struct {
	entry       func(ctx context.Context, id core.ID) (e Entry, waiting int64, err error)
	subscribers Subscribers
	sender      Sender
	tokens      tokens
	links       links
	log         *slog.Logger
}

// NewEmails returns what sends the emails of the list.
func NewEmails(c EmailConfig) (*Emails, error) {
	tokens, err := newTokens(c.SecretKey)
	if err != nil {
		return nil, err
	}
	entries := &reader{c.DB}
	return &Emails{entry: entries.byID, subscribers: c.Subscribers, sender: c.Sender,
		tokens: tokens, links: links{c.PublicURL}, log: c.Log}, nil
}

// send writes and sends an email, unless what it would say is no longer true.
func (s *Emails) send(ctx context.Context, email Email) error {
	m, err := s.write(ctx, email)
	if core.IsCode(err, core.CodeNotFound) {
		return nil // the person has left meanwhile
	}
	if err != nil || m.To == "" {
		return err
	}
	return s.sender.Send(ctx, m)
}

func (s *Emails) write(ctx context.Context, email Email) (mail.Message, error) {
	if email.SubscriberID != (core.ID{}) {
		subscriber, err := s.subscribers.Subscriber(ctx, email.SubscriberID)
		if err != nil {
			return mail.Message{}, err
		}
		return s.account(subscriber.Locale).Message(email.ID, subscriber.Email)
	}
	e, waiting, err := s.entry(ctx, email.EntryID)
	if err != nil || e.email() != email.Kind {
		return mail.Message{}, err
	}
	return s.draft(e, waiting).Message(email.ID, e.Email)
}
