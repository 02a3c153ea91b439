package emails

import (
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/mail"
	"github.com/sininho/sininho/server/lab/mailtest"
)

const (
	site  = "https://sininho.example"
	entry = site + "/waitlist/swt_DOTWBUTJxZKgOweDMbx6WQfQT7zONOVhbldUC5ku1Vr"
)

// mustSend sends an email and returns the message.
func mustSend(t *testing.T, sender *Sender, out *outbox, email Email) mail.Message {
	t.Helper()
	if err := sender.send(t.Context(), email); err != nil {
		t.Fatalf("send the email %s: %v", email.Kind, err)
	}
	if len(out.sent) != 1 {
		t.Fatalf("messages sent for the email %s: got %d, want 1", email.Kind, len(out.sent))
	}
	return out.sent[0]
}

func TestEmailsToTheWaitlist(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]Kind{"confirmation": Confirmation, "position": Position,
		"invitation": Invitation, "account": Joined} {
		for _, in := range []core.Language{core.Portuguese, core.BrazilianPortuguese, core.English} {
			t.Run(name+" in "+string(in), func(t *testing.T) {
				place := &Place{Kind: kind, To: "ana@example.com", Locale: string(in), Position: 12, Waiting: 340,
					URL: entry, ReferralURL: site + "/?ref=k7p2m9xq", LeaveURL: entry + "?leave=true"}
				if kind == Invitation {
					place.URL = site + "/login?invitation=swi_Mygx4TJ660Y2YrlCLp99sFzxPbA3OptOJL1jbd70WKY"
				}
				sender, out := newSender(t, facts{}, place)
				m := mustSend(t, sender, out, Email{ID: core.ID{5}, Kind: kind, About: core.ID{1}})
				if m.To != place.To || m.ID != (core.ID{5}) {
					t.Errorf("message: got id %s to %s, want %s to %s", m.ID, m.To, core.ID{5}, place.To)
				}
				expectLinks(t, m, kind, place.LeaveURL)
				mailtest.Golden(t, name+"."+string(in), m)
			})
		}
	}
}

// expectLinks expects the links to leave and to share in the emails to those that may do so.
func expectLinks(t *testing.T, m mail.Message, kind Kind, leave string) {
	t.Helper()
	if kind == Joined {
		leave = ""
	}
	if m.Unsubscribe != leave {
		t.Errorf("link to unsubscribe: got %q, want %q", m.Unsubscribe, leave)
	}
	if !strings.Contains(m.Text, leave) {
		t.Errorf("text: got %s, want the link to leave, %q", m.Text, leave)
	}
	if got, want := strings.Contains(m.Text, "?ref=k7p2m9xq"), kind == Position; got != want {
		t.Errorf("text has a link to share: got %t, want %t: %s", got, want, m.Text)
	}
}

func TestAnEmailToAnAccountIsInItsLanguage(t *testing.T) {
	t.Parallel()
	sender, out := newSender(t, facts{}, nil)
	m := mustSend(t, sender, out, Email{Kind: Account, About: core.ID{2}})
	if want := "You already have an account on Sininho"; m.Subject != want {
		t.Errorf("subject: got %q, want %q", m.Subject, want)
	}
	if m.Unsubscribe != "" {
		t.Errorf("link to unsubscribe: got %q, want none", m.Unsubscribe)
	}
}

func TestOutdatedEmailsAreNotSent(t *testing.T) {
	t.Parallel()
	waiting := Place{Kind: Position, To: "ana@example.com"}
	for name, c := range map[string]struct {
		place *Place
		email Email
	}{
		"a person who has left":      {nil, Email{Kind: Confirmation, About: core.ID{1}}},
		"a person who has confirmed": {&waiting, Email{Kind: Confirmation, About: core.ID{1}}},
		"a deleted account":          {nil, Email{Kind: Account, About: core.ID{9}}},
	} {
		sender, out := newSender(t, facts{}, c.place)
		if err := sender.send(t.Context(), c.email); err != nil {
			t.Errorf("send to %s: %v", name, err)
		}
		if len(out.sent) != 0 {
			t.Errorf("sent to %s: got %d messages, want none", name, len(out.sent))
		}
	}
}
