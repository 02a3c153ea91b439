package emails

import (
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/mail"
	"github.com/sininho/sininho/server/lab/mailtest"
)

// sentCodes returns the emails for a sign-in, or for one that has ended, of a person with the locale, and their code.
func sentCodes(t *testing.T, s *core.EmailSignIn, locale string, requested core.Language) ([]mail.Message, string) {
	t.Helper()
	sender, out := newSender(t, facts{signIn: s, locale: locale}, nil)
	id := core.ID{1}
	if err := sender.send(t.Context(), Email{ID: id, Kind: Code, About: id, Language: requested}); err != nil {
		t.Errorf("send the email: %v", err)
	}
	return out.sent, sender.Codes.Code(id)
}

func TestCode(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]core.EmailSignIn{
		"sign-in": {ID: core.ID{1}, Email: "ana@example.com"},
		"address": {ID: core.ID{1}, Email: "ana@example.com", SubscriberID: &core.ID{2}},
	} {
		for _, in := range []core.Language{core.Portuguese, core.BrazilianPortuguese, core.English} {
			messages, code := sentCodes(t, &s, string(in), "")
			if len(messages) != 1 || messages[0].To != "ana@example.com" {
				t.Fatalf("emails: got %v, want one to ana@example.com", messages)
			}
			if link := "https://sininho.example/login/code#" + code; !strings.Contains(messages[0].Text, link) {
				t.Errorf("text: got %s, want it to contain %q", messages[0].Text, link)
			}
			mailtest.Golden(t, name+"."+string(in), messages[0])
		}
	}
}

// TestLanguage expects the language of the account, or else of the request that asked for the code.
func TestLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		locale    string
		requested core.Language
		lang      string
	}{
		{"", core.English, "en"},
		{"", core.BrazilianPortuguese, "pt-BR"},
		{"pt-BR", core.English, "pt-BR"},
		{"pt", core.English, "pt-PT"},
		{"en-GB", core.Portuguese, "en"},
	} {
		messages, _ := sentCodes(t, &core.EmailSignIn{ID: core.ID{1}, Email: "ana@example.com"}, c.locale, c.requested)
		if len(messages) != 1 || !strings.Contains(messages[0].HTML, `<html lang="`+c.lang+`">`) {
			t.Errorf("emails with the locale %q and the request's language %q: got %v, want one in %s", c.locale,
				c.requested, messages, c.lang)
		}
	}
}

func TestEndedSignInsAreNotEmailed(t *testing.T) {
	t.Parallel()
	if messages, _ := sentCodes(t, nil, "", ""); len(messages) != 0 {
		t.Errorf("emails: got %v, want none", messages)
	}
}

// TestCodesWereCountedBefore sends a code when no other email is sent any more: it was counted when it was asked for.
func TestCodesWereCountedBefore(t *testing.T) {
	t.Parallel()
	sender, out := newSender(t, facts{signIn: &core.EmailSignIn{ID: core.ID{1}, Email: "ana@example.com"}}, nil)
	sender.Budget = 0
	if err := sender.send(t.Context(), Email{Kind: Code, About: core.ID{1}}); err != nil || len(out.sent) != 1 {
		t.Errorf("send a code without a budget: got %d sent and error %v, want 1", len(out.sent), err)
	}
}
