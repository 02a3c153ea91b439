package waitlist

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/mail"
	"github.com/sininho/sininho/server/lab/mailtest"
)

// mailbox keeps what is sent.
type mailbox struct{ sent []mail.Message }

func (m *mailbox) Send(_ context.Context, message mail.Message) error {
	m.sent = append(m.sent, message)
	return nil
}

// accounts has an account with every id except 9.
type accounts struct{}

func (accounts) Subscriber(_ context.Context, id core.ID) (core.Subscriber, error) {
	if id == (core.ID{9}) {
		return core.Subscriber{}, core.NotFound()
	}
	return core.Subscriber{ID: id, Email: "ana@example.com", Locale: "en-GB"}, nil
}

// newEmails returns what sends the emails to one entry, or to none.
func newEmails(t *testing.T, e *Entry) (*Emails, *mailbox) {
	t.Helper()
	box := &mailbox{}
	find := func(context.Context, core.ID) (Entry, int64, error) {
		if e == nil {
			return Entry{}, 0, core.NotFound()
		}
		return *e, 340, nil
	}
	return &Emails{entry: find, subscribers: accounts{}, sender: box, tokens: mustTokens(t, make([]byte, 32)),
		links: links{"https://sininho.example"}, log: slog.New(slog.DiscardHandler)}, box
}

// mustSend sends an email and returns the message.
func mustSend(t *testing.T, emails *Emails, box *mailbox, email Email) mail.Message {
	t.Helper()
	if err := emails.send(t.Context(), email); err != nil {
		t.Fatalf("send the email %s: %v", email.Kind, err)
	}
	if len(box.sent) != 1 {
		t.Fatalf("messages sent for the email %s: got %d, want 1", email.Kind, len(box.sent))
	}
	return box.sent[0]
}

func TestEmails(t *testing.T) {
	confirmed := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	const site = "https://sininho.example"
	for name, entry := range map[string]Entry{
		"confirmation": {Status: Unconfirmed},
		"position":     {Status: Waiting, Position: 12, ConfirmedAt: &confirmed},
		"invitation":   {Status: Invited, ConfirmedAt: &confirmed},
		"account":      {Status: Joined, ConfirmedAt: &confirmed},
	} {
		for _, in := range []core.Language{core.Portuguese, core.BrazilianPortuguese, core.English} {
			t.Run(name+" in "+string(in), func(t *testing.T) {
				e := entry
				e.ID, e.Email, e.Locale = core.ID{1}, "ana@example.com", string(in)
				e.Name, e.ReferralCode = "Ana <b>", "k7p2m9xq"
				emails, box := newEmails(t, &e)
				m := mustSend(t, emails, box, Email{ID: core.ID{5}, Kind: e.email(), EntryID: e.ID})
				if m.To != e.Email || m.ID != (core.ID{5}) {
					t.Errorf("message: got id %s to %s, want %s to %s", m.ID, m.To, core.ID{5}, e.Email)
				}
				if strings.Contains(m.Subject+m.Text+m.HTML, "Ana") { // a name may be the words of a stranger
					t.Errorf("message: got %+v, want no name", m)
				}
				expectLinks(t, m, e, site+"/waitlist/"+emails.tokens.entry(e.ID)+"?leave=true")
				mailtest.Golden(t, name+"."+string(in), m)
			})
		}
	}
}

// expectLinks expects the links to leave and to share in the emails to those that may do so.
func expectLinks(t *testing.T, m mail.Message, e Entry, leave string) {
	t.Helper()
	if e.Status == Joined {
		leave = ""
	}
	if m.Unsubscribe != leave {
		t.Errorf("link to unsubscribe: got %q, want %q", m.Unsubscribe, leave)
	}
	if !strings.Contains(m.Text, leave) {
		t.Errorf("text: got %s, want the link to leave, %q", m.Text, leave)
	}
	if got, want := strings.Contains(m.Text, "?ref=k7p2m9xq"), e.Status == Waiting; got != want {
		t.Errorf("text has a link to share: got %t, want %t: %s", got, want, m.Text)
	}
}

func TestAnEmailToAnAccountIsInItsLanguage(t *testing.T) {
	emails, box := newEmails(t, nil)
	m := mustSend(t, emails, box, Email{Kind: Account, SubscriberID: core.ID{2}})
	if want := "You already have an account on Sininho"; m.Subject != want {
		t.Errorf("subject: got %q, want %q", m.Subject, want)
	}
	if m.Unsubscribe != "" {
		t.Errorf("link to unsubscribe: got %q, want none", m.Unsubscribe)
	}
}

func TestOutdatedEmailsAreNotSent(t *testing.T) {
	waiting := Entry{Status: Waiting, Email: "ana@example.com"}
	for name, c := range map[string]struct {
		entry *Entry
		email Email
	}{
		"a person who has left":      {nil, Email{Kind: Confirmation, EntryID: core.ID{1}}},
		"a person who has confirmed": {&waiting, Email{Kind: Confirmation, EntryID: core.ID{1}}},
		"a deleted account":          {nil, Email{Kind: Account, SubscriberID: core.ID{9}}},
	} {
		emails, box := newEmails(t, c.entry)
		if err := emails.send(t.Context(), c.email); err != nil {
			t.Errorf("send to %s: %v", name, err)
		}
		if len(box.sent) != 0 {
			t.Errorf("sent to %s: got %d messages, want none", name, len(box.sent))
		}
	}
}
