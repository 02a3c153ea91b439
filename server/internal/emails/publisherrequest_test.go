package emails

import (
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/mailtest"
)

// TestPublisherRequest expects the email to have the operators' answer and the page where the person goes on, and none
// for a person without an address or a request that waits.
func TestPublisherRequest(t *testing.T) {
	t.Parallel()
	asked := core.PublisherRequest{ID: core.ID{1}, Asker: core.Subscriber{ID: core.ID{2}, Email: "ana@example.com"},
		Slug: "escola", Name: "Win at evil.example", Reason: "evil.example"}
	e := Email{ID: core.ID{5}, Kind: ToAsker, About: core.ID{1}}
	for status, want := range map[core.PublisherRequestStatus]struct{ name, link, answer string }{
		core.PublisherApproved: {"approved", "https://sininho.example/new", ""},
		core.PublisherRefused:  {"refused", "https://sininho.example/studio", "Escreva-nos do endereço da escola"},
	} {
		for _, in := range []core.Language{core.Portuguese, core.BrazilianPortuguese, core.English} {
			asked.Status, asked.Answer = status, want.answer
			sender, out := newSender(t, facts{asked: &asked, locale: string(in)}, nil)
			if err := sender.send(t.Context(), e); err != nil || len(out.sent) != 1 {
				t.Fatalf("send the email: got %d and error %v, want 1", len(out.sent), err)
			}
			m := out.sent[0]
			if m.To != "ana@example.com" || !strings.Contains(m.Text, want.link) ||
				!strings.Contains(m.Text, want.answer) || strings.Contains(m.Text+m.HTML, "evil") {
				t.Errorf("email in %s: got %+v, want it with %s, %q and no words of the person", in, m, want.link,
					want.answer)
			}
			mailtest.Golden(t, want.name+"."+string(in), m)
		}
	}
	waits, nowhere := asked, asked
	waits.Status, nowhere.Asker.Email = core.PublisherPending, ""
	for what, of := range map[string]*core.PublisherRequest{
		"that waits": &waits, "of a person without an address": &nowhere, "that is gone": nil,
	} {
		sender, out := newSender(t, facts{asked: of}, nil)
		if err := sender.send(t.Context(), e); err != nil || len(out.sent) != 0 {
			t.Errorf("email about a request %s: got %d and error %v, want none", what, len(out.sent), err)
		}
	}
}
