package core

import (
	"encoding/base64"
	"strings"
)

// WebhookSigning is how what is posted to a webhook proves who sent it.
type WebhookSigning string

// The ways of signing.
const (
	SigningStandard WebhookSigning = "standard" // Standard Webhooks
	SigningGitHub   WebhookSigning = "github"
	SigningGitLab   WebhookSigning = "gitlab"
	SigningStripe   WebhookSigning = "stripe"
	SigningSentry   WebhookSigning = "sentry"
	SigningBearer   WebhookSigning = "bearer" // the secret itself, for senders that cannot sign
	SigningNone     WebhookSigning = "none"   // by the owner's choice
)

// WebhookSender is whose payloads are posted to a webhook.
type WebhookSender string

// The senders that are known.
const (
	SenderPlain        WebhookSender = "plain" // anyone who posts the members of a notification
	SenderGitHub       WebhookSender = "github"
	SenderGitLab       WebhookSender = "gitlab"
	SenderAlertmanager WebhookSender = "alertmanager"
	SenderGrafana      WebhookSender = "grafana"
	SenderStripe       WebhookSender = "stripe"
	SenderSentry       WebhookSender = "sentry"
)

// signing is how the sender signs, if its webhook says nothing else.
func (s WebhookSender) signing() WebhookSigning {
	switch s {
	case SenderGitHub, SenderGitLab, SenderStripe, SenderSentry:
		return WebhookSigning(s)
	case SenderAlertmanager, SenderGrafana:
		return SigningBearer
	default:
		return SigningStandard
	}
}

// signing is what the input says, or what its sender does.
func (in WebhookInput) signing() WebhookSigning {
	switch {
	case in.Signing != "":
		return in.Signing
	case in.Signed != nil && !*in.Signed:
		return SigningNone
	default:
		return in.sender().signing()
	}
}

func (in WebhookInput) sender() WebhookSender {
	if in.Sender == "" {
		return SenderPlain
	}
	return in.Sender
}

// contradictions finds what cannot go together.
func (f *faults) contradictions(in WebhookInput) {
	if in.Signing != "" && in.Signed != nil && *in.Signed == (in.Signing == SigningNone) {
		f.add("#/signed", "exclusive", Text{"contradicts signing", "contradiz signing"})
	}
	if in.Secret != "" && in.signing() == SigningNone {
		f.add("#/secret", "exclusive", Text{"is for webhooks that are signed", "é para webhooks com assinatura"})
	}
}

// A key of Standard Webhooks has so many bytes.
const minKey, maxKey = 24, 64

// secret wants a secret that was given to be one that the sender can use.
func (f *faults) secret(secret string, signing WebhookSigning) {
	switch signing {
	case SigningStandard:
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) < minKey || len(key) > maxKey {
			f.add("#/secret", "secret", Text{"is not whsec_ and the base64 of 24 to 64 bytes", "não é whsec_ e o base64 de 24 a 64 bytes"})
		}
	case SigningBearer, SigningGitLab: // it stands in a header
		if strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' }) {
			f.add("#/secret", "secret", Text{"holds what is no visible ASCII character", "contém o que não é um carácter ASCII visível"})
		}
	default:
		f.line("#/secret", secret)
	}
}
