package sininhotest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/webhook"
)

// verified says whether what was posted is signed as the webhook wants it. Times of Stripe
// are not looked at.
func (h *hook) verified(header http.Header, body []byte) bool {
	if h.Signing == sininho.SigningStandard {
		_, err := webhook.Verify(header, body, h.secrets)
		return err == nil
	}
	for _, secret := range h.secrets {
		if signedWith(secret, h.Signing, header, body) {
			return true
		}
	}
	return h.Signing == sininho.SigningNone
}

func signedWith(secret string, signing sininho.WebhookSigning, header http.Header, body []byte) bool {
	switch signing {
	case sininho.SigningBearer:
		return header.Get("Authorization") == "Bearer "+secret
	case sininho.SigningGitLab:
		return header.Get("X-Gitlab-Token") == secret
	case sininho.SigningGitHub:
		return header.Get("X-Hub-Signature-256") == "sha256="+hexMAC(secret, body)
	case sininho.SigningSentry:
		return header.Get("Sentry-Hook-Signature") == hexMAC(secret, body)
	case sininho.SigningStripe:
		at, sum, _ := strings.Cut(strings.TrimPrefix(header.Get("Stripe-Signature"), "t="), ",v1=")
		return sum == hexMAC(secret, []byte(at+"."+string(body)))
	}
	return false
}

func hexMAC(secret string, text []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(text)
	return hex.EncodeToString(mac.Sum(nil))
}
