package core

import (
	"encoding/base64"
	"strings"
)

// WebhookSigning is the method by which a sender proves its identity to a webhook.
type WebhookSigning string

// The signing methods.
const (
	SigningStandard WebhookSigning = "standard" // Standard Webhooks
	SigningGitHub   WebhookSigning = "github"
	SigningGitLab   WebhookSigning = "gitlab"
	SigningStripe   WebhookSigning = "stripe"
	SigningSentry   WebhookSigning = "sentry"
	SigningBearer   WebhookSigning = "bearer" // sends the secret itself, for senders that cannot sign
	SigningNone     WebhookSigning = "none"   // only if the owner chooses it
)

// WebhookSender is the kind of sender whose payloads a webhook receives.
type WebhookSender string

// The known senders.
const (
	SenderPlain        WebhookSender = "plain" // anything that posts the fields of a notification
	SenderGitHub       WebhookSender = "github"
	SenderGitLab       WebhookSender = "gitlab"
	SenderAlertmanager WebhookSender = "alertmanager"
	SenderGrafana      WebhookSender = "grafana"
	SenderStripe       WebhookSender = "stripe"
	SenderSentry       WebhookSender = "sentry"
	SenderSlack        WebhookSender = "slack"   // what posts to an incoming webhook of Slack
	SenderDiscord      WebhookSender = "discord" // what posts to a webhook of Discord
	SenderGitea        WebhookSender = "gitea"   // and Forgejo
	SenderUptimeKuma   WebhookSender = "uptimekuma"
	SenderSonarr       WebhookSender = "sonarr"
	SenderRadarr       WebhookSender = "radarr"
	SenderJenkins      WebhookSender = "jenkins"
)

// Senders has all of them, in the order in which they are listed.
var Senders = []WebhookSender{SenderPlain, SenderGitHub, SenderGitLab, SenderAlertmanager, SenderGrafana, SenderStripe,
	SenderSentry, SenderSlack, SenderDiscord, SenderGitea, SenderUptimeKuma, SenderSonarr, SenderRadarr, SenderJenkins}

// signing returns the method of webhooks that choose none. The programs for Slack and Discord, and Jenkins, have only
// an address.
func (s WebhookSender) signing() WebhookSigning {
	switch s {
	case SenderGitHub, SenderGitLab, SenderStripe, SenderSentry:
		return WebhookSigning(s)
	case SenderGitea:
		return SigningGitHub
	case SenderAlertmanager, SenderGrafana, SenderUptimeKuma, SenderSonarr, SenderRadarr:
		return SigningBearer
	case SenderSlack, SenderDiscord, SenderJenkins:
		return SigningNone
	default:
		return SigningStandard
	}
}

// signing returns the chosen method, or the sender's if none is chosen.
func (in WebhookInput) signing() WebhookSigning {
	switch {
	case in.Signing != "":
		return in.Signing
	case in.Signed != nil && !*in.Signed:
		return SigningNone
	case in.Signed != nil && in.sender().signing() == SigningNone:
		return SigningStandard
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

// contradictions rejects fields that exclude each other.
func (f *faults) contradictions(in WebhookInput) {
	if in.Signing != "" && in.Signed != nil && *in.Signed == (in.Signing == SigningNone) {
		f.Add("#/signed", "exclusive", Text{EN: "contradicts signing", PT: "contradiz signing"})
	}
	if in.Secret != "" && in.signing() == SigningNone {
		f.Add("#/secret", "exclusive",
			Text{EN: "only signed webhooks have a secret", PT: "só webhooks com assinatura têm segredo"})
	}
}

// The length of a Standard Webhooks key in bytes.
const minKey, maxKey = 24, 64

// secret rejects a secret that the signing method cannot use.
func (f *faults) secret(secret string, signing WebhookSigning) {
	switch signing {
	case SigningStandard:
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) < minKey || len(key) > maxKey {
			f.Add("#/secret", "secret", Text{EN: "must be whsec_ followed by 24 to 64 bytes in base64",
				PT: "tem de ser whsec_ seguido de 24 a 64 bytes em base64"})
		}
	case SigningBearer, SigningGitLab: // the secret is sent in a header
		if strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' }) {
			f.Add("#/secret", "secret", Text{EN: "must have only visible ASCII characters",
				PT: "só pode ter caracteres ASCII visíveis"})
		}
	default:
		f.Line("#/secret", secret)
	}
}
