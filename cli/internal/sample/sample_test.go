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

func TestEverySampleIsComplete(t *testing.T) {
	for _, sender := range []sininho.WebhookSender{
		sininho.SenderPlain, sininho.SenderGitHub, sininho.SenderGitLab, sininho.SenderAlertmanager,
		sininho.SenderGrafana, sininho.SenderStripe, sininho.SenderSentry, sininho.SenderSlack, sininho.SenderDiscord,
		sininho.SenderGitea, sininho.SenderUptimeKuma, sininho.SenderSonarr, sininho.SenderRadarr,
		sininho.SenderJenkins,
	} {
		kinds := Kinds(sender)
		if len(kinds) == 0 {
			t.Fatalf("samples of %s: got none", sender)
		}
		for _, kind := range kinds {
			event, err := New(sender, kind, "evt_1", time.Now())
			if err != nil {
				t.Errorf("sample %s of %s: %v", kind, sender, err)
				continue
			}
			if !json.Valid(event.Body) {
				t.Errorf("sample %s of %s: got %s, want JSON", kind, sender, event.Body)
			}
			if bytes.ContainsRune(event.Body, '@') {
				t.Errorf("sample %s of %s: got %s, want no placeholder", kind, sender, event.Body)
			}
			if got := event.Header.Get("Content-Type"); got != "application/json" {
				t.Errorf("content type of sample %s of %s: got %q, want application/json", kind, sender, got)
			}
		}
		if first, known := firstKinds[sender]; known && kinds[0] != first {
			t.Errorf("default kind of %s: got %s, want %s", sender, kinds[0], first)
		}
	}
	if _, err := New(sininho.SenderGitHub, "nada", "evt_1", time.Now()); err == nil {
		t.Error("unknown kind: got a sample, want an error")
	}
}

// The examples in the documentation of GitHub and Standard Webhooks.
func TestSignMakesTheReferenceSignatures(t *testing.T) {
	event := Event{Header: http.Header{}, Body: []byte("Hello, World!")}
	if err := event.Sign(sininho.SigningGitHub, "It's a Secret to Everybody", "", time.Now()); err != nil {
		t.Fatalf("sign as GitHub: %v", err)
	}
	const want = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
	if got := event.Header.Get("X-Hub-Signature-256"); got != want {
		t.Errorf("signature as GitHub: got %q, want %q", got, want)
	}
	secret := webhook.NewSecret()
	if err := event.Sign(sininho.SigningStandard, secret, "evt_1", time.Now()); err != nil {
		t.Fatalf("sign as Standard Webhooks: %v", err)
	}
	if _, err := webhook.Verify(event.Header, event.Body, []string{secret}); err != nil {
		t.Errorf("verify the signature as Standard Webhooks: %v", err)
	}
	if err := event.Sign(sininho.SigningStandard, "x", "evt_1", time.Now()); err == nil {
		t.Error("sign with a malformed secret: got no error")
	}
	if err := event.Sign("later", "x", "evt_1", time.Now()); err == nil {
		t.Error("sign with an unknown signing: got no error")
	}
}

// TestEverySignedBodyDiffers: the server publishes a body once if its signature does not cover the event's id.
func TestEverySignedBodyDiffers(t *testing.T) {
	for _, sender := range []sininho.WebhookSender{sininho.SenderGitHub, sininho.SenderSentry, sininho.SenderGitea} {
		for _, kind := range Kinds(sender) {
			now := time.Now()
			one, err := New(sender, kind, "evt_1", now)
			if err != nil {
				t.Fatalf("sample %s of %s: %v", kind, sender, err)
			}
			if two, err := New(sender, kind, "evt_2", now); err != nil || bytes.Equal(one.Body, two.Body) {
				t.Errorf("two samples %s of %s: got equal bodies (error %v), want different ones", kind, sender, err)
			}
		}
	}
}
