package emailsignin

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/leaktest"
	"github.com/sininho/sininho/server/internal/mail"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// sent returns the emails for a sign-in, or for one that has ended.
func sent(t *testing.T, s *core.EmailSignIn) (messages []mail.Message, code string) {
	t.Helper()
	codes, err := core.NewEmailCodes(core.NewSecretKey())
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
		Send: func(_ context.Context, m mail.Message) error { messages = append(messages, m); return nil },
	}
	if err := emails.send(t.Context(), emailArgs{core.ID{1}}); err != nil {
		t.Errorf("send the email: %v", err)
	}
	return messages, codes.Code(core.ID{1})
}

func TestEmail(t *testing.T) {
	for subject, s := range map[string]core.EmailSignIn{
		" é o seu código do Sininho":          {ID: core.ID{1}, Email: "ana@example.com"},
		" confirma o seu endereço no Sininho": {ID: core.ID{1}, Email: "ana@example.com", SubscriberID: &core.ID{2}},
	} {
		messages, code := sent(t, &s)
		if len(messages) != 1 || messages[0].To != "ana@example.com" {
			t.Fatalf("emails: got %v, want one to ana@example.com", messages)
		}
		shown := code[:4] + " " + code[4:]
		if got, want := messages[0].Subject, shown+subject; got != want {
			t.Errorf("subject: got %q, want %q", got, want)
		}
		for form, body := range map[string]string{"text": messages[0].Text, "HTML": messages[0].HTML} {
			for _, want := range []string{shown, "https://sininho.example/login/code#" + code, "durante 15 minutos"} {
				if !strings.Contains(body, want) {
					t.Errorf("%s: got %s, want it to contain %q", form, body, want)
				}
			}
		}
	}
}

func TestEndedSignInsAreNotEmailed(t *testing.T) {
	if messages, _ := sent(t, nil); len(messages) != 0 {
		t.Errorf("emails: got %v, want none", messages)
	}
}
