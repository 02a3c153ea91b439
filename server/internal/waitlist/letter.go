package waitlist

import (
	"context"
	"errors"

	"github.com/sininho/sininho/server/internal/core"
)

// LetterKind is what an e-mail is about.
type LetterKind string

// The kinds of letter.
const (
	Confirmation LetterKind = "confirm"
	Position     LetterKind = "position"
	Invitation   LetterKind = "invitation"
	Account      LetterKind = "account" // to who has one already
)

// Letter is an e-mail that is to be sent. It holds no address and no text: those are looked up when it is sent.
type Letter struct {
	ID      core.ID    `json:"id"`
	Kind    LetterKind `json:"kind"`
	EntryID core.ID    `json:"entryId,omitzero"`
	// SubscriberID is the person's, of letters about an account to who is not in the list.
	SubscriberID core.ID `json:"subscriberId,omitzero"`
}

// Message is a letter that is written.
type Message struct {
	ID          core.ID // the same whenever it is sent
	To          string
	Subject     string
	Text, HTML  string
	Unsubscribe string // an address to leave by; empty: there is nothing to leave
}

// ErrRefused says that a mail server has refused a message for good.
var ErrRefused = errors.New("the mail server refused the message for good")

// Sender sends e-mails.
type Sender interface {
	// Send hands a message to the mail server. ErrRefused when trying again is of no use. No error holds the address.
	Send(ctx context.Context, m Message) error
}

// Letters writes letters and sends them.
type Letters struct {
	Store interface {
		// EntryByID finds an entry, and how many wait; CodeNotFound when it has left.
		EntryByID(ctx context.Context, id core.ID) (e Entry, waiting int64, err error)
		Subscriber(ctx context.Context, id core.ID) (core.Subscriber, error)
	}
	Sender Sender
	Tokens Tokens
	Links  Links
}

// Send writes and sends a letter, unless what it would tell is no longer so.
func (l *Letters) Send(ctx context.Context, letter Letter) error {
	m, err := l.write(ctx, letter)
	if core.IsCode(err, core.CodeNotFound) {
		return nil // they have left meanwhile
	}
	if err != nil || m.To == "" {
		return err
	}
	return l.Sender.Send(ctx, m)
}

func (l *Letters) write(ctx context.Context, letter Letter) (Message, error) {
	if letter.SubscriberID != (core.ID{}) {
		s, err := l.Store.Subscriber(ctx, letter.SubscriberID)
		if err != nil {
			return Message{}, err
		}
		return l.account(s.Locale).message(letter, s.Email)
	}
	e, waiting, err := l.Store.EntryByID(ctx, letter.EntryID)
	if err != nil || e.Letter() != letter.Kind {
		return Message{}, err
	}
	return l.draft(e, waiting).message(letter, e.Email)
}
