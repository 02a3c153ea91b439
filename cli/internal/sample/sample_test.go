package sample

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/webhook"
)

func TestEveryKindIsWhole(t *testing.T) {
	for _, sender := range []sininho.WebhookSender{
		sininho.SenderPlain, sininho.SenderGitHub, sininho.SenderGitLab, sininho.SenderAlertmanager, sininho.SenderGrafana, sininho.SenderStripe, sininho.SenderSentry,
	} {
		kinds := Kinds(sender)
		if len(kinds) == 0 {
			t.Errorf("%s has no sample", sender)
		}
		for _, kind := range kinds {
			event, err := New(sender, kind, "evt_1", time.Now())
			if err != nil || !json.Valid(event.Body) || bytes.ContainsRune(event.Body, '@') || event.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%s %s: %s, %v", sender, kind, event.Body, err)
			}
		}
		if first, known := firstKinds[sender]; known && kinds[0] != first {
			t.Errorf("%s begins with %s", sender, kinds[0])
		}
	}
	if _, err := New(sininho.SenderGitHub, "nada", "evt_1", time.Now()); err == nil {
		t.Error("there is a sample nada")
	}
}

// The examples in the documentation of GitHub and Standard Webhooks.
func TestSignMakesTheReferenceSignatures(t *testing.T) {
	event := Event{Header: http.Header{}, Body: []byte("Hello, World!")}
	if err := event.Sign(sininho.SigningGitHub, "It's a Secret to Everybody", "", time.Now()); err != nil {
		t.Fatal(err)
	}
	if got := event.Header.Get("X-Hub-Signature-256"); got != "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17" {
		t.Error(got)
	}
	secret := webhook.NewSecret()
	if err := event.Sign(sininho.SigningStandard, secret, "evt_1", time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := webhook.Verify(event.Header, event.Body, []string{secret}); err != nil {
		t.Error(err)
	}
	if err := event.Sign(sininho.SigningStandard, "x", "evt_1", time.Now()); err == nil {
		t.Error("signed with no secret")
	}
	if err := event.Sign("later", "x", "evt_1", time.Now()); err == nil {
		t.Error("signed in a way that is not known")
	}
}
