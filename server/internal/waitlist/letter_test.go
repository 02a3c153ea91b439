package waitlist

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// desk is an entry, or nobody, and takes what is sent.
type desk struct {
	entry *Entry
	sent  []Message
}

func (d *desk) EntryByID(context.Context, core.ID) (Entry, int64, error) {
	if d.entry == nil {
		return Entry{}, 0, core.NotFound()
	}
	return *d.entry, 340, nil
}

func (d *desk) Subscriber(_ context.Context, id core.ID) (core.Subscriber, error) {
	if id == (core.ID{9}) {
		return core.Subscriber{}, core.NotFound()
	}
	return core.Subscriber{ID: id, Email: "ana@example.com", Locale: "en-GB"}, nil
}

func (d *desk) Send(_ context.Context, m Message) error {
	d.sent = append(d.sent, m)
	return nil
}

func newLetters(t *testing.T, e *Entry) (*Letters, *desk) {
	tokens, err := NewTokens(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{entry: e}
	return &Letters{Store: d, Sender: d, Tokens: tokens, Links: Links{PublicURL: "https://sininho.example"}}, d
}

func TestLetters(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	id := core.ID{1}
	token, invitation := "swt_", "swi_"
	for name, c := range map[string]struct {
		entry          Entry
		subject, wants string // wants is in both the text and, escaped, the HTML
	}{
		"confirm":    {Entry{Status: Unconfirmed, Locale: "pt"}, "Confirme o seu endereço na lista de espera do Sininho", "https://sininho.example/waitlist/" + token},
		"position":   {Entry{Status: Waiting, Locale: "pt", Position: 12, ConfirmedAt: &now}, "O seu lugar na lista de espera do Sininho: 12.º", "em 12.º lugar de 340"},
		"invitation": {Entry{Status: Invited, Locale: "pt", ConfirmedAt: &now}, "O seu convite para o Sininho", "https://sininho.example/login?invitation=" + invitation},
		"unasked":    {Entry{Status: Invited, Locale: "pt"}, "O seu convite para o Sininho", "https://sininho.example/login?invitation=" + invitation},
		"account":    {Entry{Status: Joined, Locale: "pt", ConfirmedAt: &now}, "Já tem conta no Sininho", "https://sininho.example/login"},
		"English":    {Entry{Status: Waiting, Locale: "en", Position: 12, ConfirmedAt: &now}, "Your place on Sininho's waiting list: 12", "at place 12 of 340"},
	} {
		c.entry.ID, c.entry.Email, c.entry.Name, c.entry.ReferralCode = id, "ana@example.com", "Ana <b>", "k7p2m9xq"
		letters, d := newLetters(t, &c.entry)
		if err := letters.Send(t.Context(), Letter{ID: core.ID{5}, Kind: c.entry.Letter(), EntryID: id}); err != nil || len(d.sent) != 1 {
			t.Fatalf("%s: %v, %d sent", name, err, len(d.sent))
		}
		m := d.sent[0]
		if m.To != "ana@example.com" || m.ID != (core.ID{5}) || m.Subject != c.subject {
			t.Errorf("%s: %+v", name, m)
		}
		if !strings.Contains(m.Text, c.wants) || !strings.Contains(m.HTML, c.wants) || strings.Contains(m.HTML, "<b>") {
			t.Errorf("%s: %s\n%s", name, m.Text, m.HTML)
		}
		if strings.Contains(m.Text+m.HTML, "Ana") { // it may be a stranger's words
			t.Errorf("%s: %s", name, m.Text)
		}
		if leave := "https://sininho.example/waitlist/" + letters.Tokens.Entry(id) + "?leave=true"; c.entry.Status != Joined && (m.Unsubscribe != leave || !strings.Contains(m.Text, leave)) {
			t.Errorf("%s: to leave: %q", name, m.Unsubscribe)
		}
		if strings.Contains(m.Text, "?ref=k7p2m9xq") != (c.entry.Status == Waiting) {
			t.Errorf("%s: to share: %s", name, m.Text)
		}
	}
}

func TestALetterToAnAccountIsInItsLanguage(t *testing.T) {
	letters, d := newLetters(t, nil)
	if err := letters.Send(t.Context(), Letter{Kind: Account, SubscriberID: core.ID{2}}); err != nil || d.sent[0].Subject != "You already have an account at Sininho" || d.sent[0].Unsubscribe != "" {
		t.Errorf("%v %+v", err, d.sent)
	}
}

func TestWhatIsNoLongerSoIsNotSent(t *testing.T) {
	waiting := Entry{Status: Waiting, Email: "ana@example.com"}
	for name, c := range map[string]struct {
		entry  *Entry
		letter Letter
	}{
		"who has left":              {nil, Letter{Kind: Confirmation, EntryID: core.ID{1}}},
		"who has confirmed already": {&waiting, Letter{Kind: Confirmation, EntryID: core.ID{1}}},
		"whose account is deleted":  {nil, Letter{Kind: Account, SubscriberID: core.ID{9}}},
	} {
		letters, d := newLetters(t, c.entry)
		if err := letters.Send(t.Context(), c.letter); err != nil || len(d.sent) != 0 {
			t.Errorf("%s: %v, %v", name, err, d.sent)
		}
	}
}
