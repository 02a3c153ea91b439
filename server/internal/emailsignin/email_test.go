package emailsignin

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/mail"
	"github.com/sininho/sininho/server/lab/leaktest"
	"github.com/sininho/sininho/server/lab/mailtest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// sent returns the emails for a sign-in, or for one that has ended, of a person with the locale, and their code.
func sent(t *testing.T, s *core.EmailSignIn, locale string, requested core.Language) (
	messages []mail.Message, code string) {
	t.Helper()
	codes, err := core.NewEmailCodes(make([]byte, 32))
	if err != nil {
		t.Fatalf("make the key of codes: %v", err)
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	emails := &Emails{PublicURL: "https://sininho.example", Codes: codes, Now: func() time.Time { return now },
		Log: slog.New(slog.DiscardHandler),
		Find: func(_ context.Context, _ core.ID, at time.Time) (core.EmailSignIn, error) {
			if s == nil || !at.Equal(now) {
				return core.EmailSignIn{}, core.NotFound()
			}
			return *s, nil
		},
		Locale: func(context.Context, core.EmailSignIn) (string, error) { return locale, nil },
		Send:   func(_ context.Context, m mail.Message) error { messages = append(messages, m); return nil },
	}
	if err := emails.send(t.Context(), emailArgs{core.ID{1}, requested}); err != nil {
		t.Errorf("send the email: %v", err)
	}
	return messages, codes.Code(core.ID{1})
}

func TestEmail(t *testing.T) {
	for name, s := range map[string]core.EmailSignIn{
		"sign-in": {ID: core.ID{1}, Email: "ana@example.com"},
		"address": {ID: core.ID{1}, Email: "ana@example.com", SubscriberID: &core.ID{2}},
	} {
		for _, in := range []core.Language{core.Portuguese, core.BrazilianPortuguese, core.English} {
			messages, code := sent(t, &s, string(in), "")
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
		messages, _ := sent(t, &core.EmailSignIn{ID: core.ID{1}, Email: "ana@example.com"}, c.locale, c.requested)
		if len(messages) != 1 || !strings.Contains(messages[0].HTML, `<html lang="`+c.lang+`">`) {
			t.Errorf("emails with the locale %q and the request's language %q: got %v, want one in %s", c.locale,
				c.requested, messages, c.lang)
		}
	}
}

func TestEndedSignInsAreNotEmailed(t *testing.T) {
	if messages, _ := sent(t, nil, "", ""); len(messages) != 0 {
		t.Errorf("emails: got %v, want none", messages)
	}
}
