package sample

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/webhook"
)

// Sign adds the headers by which a webhook with that signing verifies the sender. It fails if the
// secret cannot be used for signing; the error never contains the secret.
func (e Event) Sign(signing sininho.WebhookSigning, secret, id string, now time.Time) error {
	switch signing {
	case sininho.SigningStandard:
		header, err := webhook.Sign(webhook.Message{ID: id, Timestamp: now, Body: e.Body}, secret)
		for name, values := range header {
			e.Header[name] = values
		}
		return err
	case sininho.SigningGitHub:
		e.Header.Set("X-Hub-Signature-256", "sha256="+hexMAC(secret, e.Body))
	case sininho.SigningGitLab:
		e.Header.Set("X-Gitlab-Token", secret)
	case sininho.SigningStripe:
		at := strconv.FormatInt(now.Unix(), 10)
		e.Header.Set("Stripe-Signature", "t="+at+",v1="+hexMAC(secret, []byte(at+"."+string(e.Body))))
	case sininho.SigningSentry:
		e.Header.Set("Sentry-Hook-Signature", hexMAC(secret, e.Body))
	case sininho.SigningBearer:
		e.Header.Set("Authorization", "Bearer "+secret)
		e.Header.Set("Webhook-Id", id)
	case sininho.SigningNone:
		e.Header.Set("Webhook-Id", id)
	default:
		return fmt.Errorf("this version does not know the signing %q", signing)
	}
	return nil
}

func hexMAC(secret string, text []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(text)
	return hex.EncodeToString(mac.Sum(nil))
}
