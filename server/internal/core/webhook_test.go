package core_test

import (
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func (w *world) rotate(id core.ID, in core.WebhookRotation) (core.Webhook, string, error) {
	rotated, secret, _, err := w.webhooks.Rotate(w.t.Context(), w.owner, "metro", "avisos", id, in, noKey)
	return rotated, secret, err
}

func (w *world) checkSecrets(what, address string, want ...string) {
	w.t.Helper()
	found, err := w.webhooks.Find(w.t.Context(), address)
	core.Succeed(w.t, "find the webhook: "+what, err)
	check.Equal(w.t, "valid secrets: "+what, found.Secrets, want)
}

func TestRotateWebhook(t *testing.T) {
	w := newWorld(t)
	made, first := w.webhook(core.WebhookInput{})
	w.checkSecrets("a new webhook", made.Address, first)
	_, second, err := w.rotate(made.ID, core.WebhookRotation{What: core.RotateSecret})
	core.Succeed(t, "rotate the secret", err)
	if second == "" || second == first {
		t.Fatalf("rotated secret: got %q, want another than %q", second, first)
	}
	w.checkSecrets("after a rotation", made.Address, second, first)
	moved, secret, err := w.rotate(made.ID, core.WebhookRotation{What: core.RotateAddress})
	core.Succeed(t, "rotate the address", err)
	check.Equal(t, "secret returned with a new address", secret, "")
	if moved.Address == made.Address {
		t.Errorf("rotated address: got %q again, want another", moved.Address)
	}
	_, err = w.webhooks.Find(t.Context(), made.Address)
	core.CheckCode(t, "find by the old address", err, core.CodeNotFound)
	w.now = now.Add(24*time.Hour - 1)
	w.checkSecrets("just before the old secret expires", moved.Address, second, first)
	w.now = now.Add(24 * time.Hour)
	w.checkSecrets("after the old secret expired", moved.Address, second)

	open, secret := w.webhook(core.WebhookInput{Signing: core.SigningNone})
	check.Equal(t, "an unsigned webhook", []any{open.Signed(), secret}, []any{false, ""})
	_, _, err = w.rotate(open.ID, core.WebhookRotation{What: core.RotateSecret})
	check.Equal(t, "faults of a rotation of no secret", codes(fieldsOf(err)), "unsigned")
}

func TestGivenSecretsAreNotReturned(t *testing.T) {
	w := newWorld(t)
	made, secret := w.webhook(core.WebhookInput{Sender: core.SenderStripe, Secret: "whsec_theirs"})
	check.Equal(t, "secret returned by Create", secret, "")
	_, secret, err := w.rotate(made.ID, core.WebhookRotation{What: core.RotateSecret, Secret: "whsec_new"})
	core.Succeed(t, "rotate to a given secret", err)
	check.Equal(t, "secret returned by Rotate", secret, "")
	w.checkSecrets("after the rotation", made.Address, "whsec_new", "whsec_theirs")
	kept, err := w.Webhook(t.Context(), w.channel.ID, made.ID)
	core.Succeed(t, "read the stored webhook", err)
	check.Equal(t, "who knows the secret", []any{kept.SecretKnownTo, kept.SecretReplacedAt == nil},
		[]any{w.owner.SubscriberID, true})
	if strings.Contains(string(kept.SecretSealed), "new") {
		t.Errorf("the stored secret %q contains the plain text", kept.SecretSealed)
	}
	_, _, err = w.rotate(made.ID, core.WebhookRotation{What: core.RotateAddress, Secret: "whsec_new"})
	check.Equal(t, "faults of an address with a secret", codes(fieldsOf(err)), "exclusive")
	_, _, err = w.rotate(made.ID, core.WebhookRotation{What: core.RotateSecret, Secret: "\x00"})
	core.CheckCode(t, "rotate to an invalid secret", err, core.CodeInvalid)
}

func TestWebhookInput(t *testing.T) {
	yes, no := true, false
	key := "whsec_" + strings.Repeat("A", 32)
	for name, test := range map[string]struct {
		in      core.WebhookInput
		signing core.WebhookSigning
		sender  core.WebhookSender
		fault   string // the first one
	}{
		"nothing":    {core.WebhookInput{}, core.SigningStandard, core.SenderPlain, ""},
		"signed":     {core.WebhookInput{Signed: &yes}, core.SigningStandard, core.SenderPlain, ""},
		"not signed": {core.WebhookInput{Signed: &no, Sender: core.SenderGitHub}, core.SigningNone, core.SenderGitHub, ""},
		"github":     {core.WebhookInput{Sender: core.SenderGitHub}, core.SigningGitHub, core.SenderGitHub, ""},
		"gitlab":     {core.WebhookInput{Sender: core.SenderGitLab, Signed: &yes}, core.SigningGitLab, core.SenderGitLab, ""},
		"stripe": {
			core.WebhookInput{Sender: core.SenderStripe, Secret: "whsec_" + "not base64"}, core.SigningStripe, core.SenderStripe, "",
		},
		"sentry":       {core.WebhookInput{Sender: core.SenderSentry}, core.SigningSentry, core.SenderSentry, ""},
		"alertmanager": {core.WebhookInput{Sender: core.SenderAlertmanager}, core.SigningBearer, core.SenderAlertmanager, ""},
		"grafana":      {core.WebhookInput{Sender: core.SenderGrafana}, core.SigningBearer, core.SenderGrafana, ""},
		"gitea":        {core.WebhookInput{Sender: core.SenderGitea}, core.SigningGitHub, core.SenderGitea, ""},
		"uptimekuma":   {core.WebhookInput{Sender: core.SenderUptimeKuma}, core.SigningBearer, core.SenderUptimeKuma, ""},
		"slack":        {core.WebhookInput{Sender: core.SenderSlack}, core.SigningNone, core.SenderSlack, ""},
		"discord":      {core.WebhookInput{Sender: core.SenderDiscord, Signed: &no}, core.SigningNone, core.SenderDiscord, ""},
		"signed slack": {core.WebhookInput{Sender: core.SenderSlack, Signed: &yes}, core.SigningStandard, core.SenderSlack, ""},
		"slack with a secret": {
			core.WebhookInput{Sender: core.SenderSlack, Secret: "12345678"}, core.SigningNone, core.SenderSlack, "#/secret exclusive",
		},
		"another signing": {
			core.WebhookInput{Sender: core.SenderGrafana, Signing: core.SigningStandard, Secret: key},
			core.SigningStandard,
			core.SenderGrafana, "",
		},
		"none both ways": {core.WebhookInput{Signed: &no, Signing: core.SigningNone}, core.SigningNone, core.SenderPlain, ""},
		"unsigned with a signing": {
			core.WebhookInput{Signed: &no, Signing: core.SigningGitHub}, core.SigningGitHub, core.SenderPlain, "#/signed exclusive",
		},
		"signed with none": {
			core.WebhookInput{Signed: &yes, Signing: core.SigningNone}, core.SigningNone, core.SenderPlain, "#/signed exclusive",
		},
		"unsigned with a secret": {
			core.WebhookInput{Signing: core.SigningNone, Secret: "12345678"}, core.SigningNone, core.SenderPlain, "#/secret exclusive",
		},
		"not a key":   {core.WebhookInput{Secret: "12345678"}, core.SigningStandard, core.SenderPlain, "#/secret secret"},
		"a short key": {core.WebhookInput{Secret: key[:30]}, core.SigningStandard, core.SenderPlain, "#/secret secret"},
		"not a header value": {
			core.WebhookInput{Signing: core.SigningBearer, Secret: "1234 678"}, core.SigningBearer, core.SenderPlain, "#/secret secret",
		},
		"a line break": {
			core.WebhookInput{Sender: core.SenderGitLab, Secret: "1234\n678"}, core.SigningGitLab, core.SenderGitLab, "#/secret secret",
		},
		"a blank secret": {
			core.WebhookInput{Sender: core.SenderGitHub, Secret: "        "}, core.SigningGitHub, core.SenderGitHub, "#/secret blank",
		},
		"an invalid template": {
			core.WebhookInput{Template: &core.WebhookTemplate{Title: "bad"}}, core.SigningStandard, core.SenderPlain,
			"#/template/title template",
		},
	} {
		test.in.Name = "w"
		fault := ""
		if faults := test.in.Validate(testRules, now); len(faults) > 0 {
			fault = faults[0].Pointer + " " + faults[0].Code
		}
		check.Equal(t, "first fault: "+name, fault, test.fault)
		if fault == "" {
			made, _ := newWorld(t).webhook(test.in)
			check.Equal(t, "signing: "+name, made.Signing, test.signing)
			check.Equal(t, "sender: "+name, made.Sender, test.sender)
		}
	}
}
