package httpapi

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
)

// errSignature is never sent to the caller: the reason would help only a forger.
var errSignature = errors.New("missing, expired or invalid signature")

// verifier returns a function that verifies the call's signature, and counts the call as a publish of the webhook's
// publisher only then: bad signatures must not use up the quota.
func (a *server) verifier(c *call) core.WebhookVerifier {
	verify := a.signature(c)
	return func(secrets []string) error {
		if err := verify(secrets); err != nil {
			a.refusals.add(c.request.Context(), c.client, refusedSignature)
			return err
		}
		a.limiter.trust(c.signer)
		return a.limitWebhookPublish(c)
	}
}

// signature returns a function that verifies the call's signature, only by the method of the webhook.
func (a *server) signature(c *call) core.WebhookVerifier {
	return func(secrets []string) error {
		h := c.request.Header
		body := c.body
		now := a.Now()
		switch c.webhook.Signing {
		case core.SigningStandard:
			_, err := webhook.Verify(h, body, secrets, webhook.WithClock(a.Now))
			return err
		case core.SigningGitHub:
			sent, _ := strings.CutPrefix(singleValue(h, "X-Hub-Signature-256"), "sha256=")
			return verifyHex(sent, secrets, body)
		case core.SigningSentry:
			return verifyHex(singleValue(h, "Sentry-Hook-Signature"), secrets, body)
		case core.SigningStripe:
			return verifyStripe(singleValue(h, "Stripe-Signature"), secrets, body, now)
		case core.SigningGitLab:
			return verifyToken(singleValue(h, "X-Gitlab-Token"), secrets)
		case core.SigningBearer:
			return verifyToken(sentToken(h["Authorization"]), secrets)
		default:
			return errSignature
		}
	}
}

// sentToken returns the secret of a Bearer header, or the password of a Basic one: some senders have fields for a name
// and a password only.
func sentToken(header []string) string {
	if token, ok := bearer(header); ok {
		return token
	}
	if !isBasic(header) {
		return ""
	}
	user, password, _ := (&http.Request{Header: http.Header{"Authorization": header}}).BasicAuth()
	return cmp.Or(password, user)
}

// singleValue returns a header's value, or "" unless it is sent exactly once.
func singleValue(h http.Header, name string) string {
	if values := h.Values(name); len(values) == 1 {
		return values[0]
	}
	return ""
}

// verifyToken verifies a secret sent as plain text. It compares hashes, so that the time does not reveal the length.
func verifyToken(token string, secrets []string) error {
	good := 0
	sent := sha256.Sum256([]byte(token))
	for _, secret := range secrets {
		known := sha256.Sum256([]byte(secret))
		good |= subtle.ConstantTimeCompare(sent[:], known[:])
	}
	if token == "" || good == 0 {
		return errSignature
	}
	return nil
}

// verifyHex verifies a hexadecimal HMAC of the body.
func verifyHex(sent string, secrets []string, body []byte) error {
	sum, err := hex.DecodeString(sent)
	if err != nil || !signedBy(secrets, [][]byte{sum}, body) {
		return errSignature
	}
	return nil
}

const maxStripeSignatures = 16

// verifyStripe verifies a header such as `t=1686089970,v1=5257a8…,v1=…`. The signed content is the time, a full stop
// and the body.
func verifyStripe(header string, secrets []string, body []byte, now time.Time) error {
	var at string
	var sums [][]byte
	for part := range strings.SplitSeq(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			at = value
		case "v1":
			if sum, err := hex.DecodeString(value); err == nil && len(sums) < maxStripeSignatures {
				sums = append(sums, sum)
			}
		}
	}
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > webhook.DefaultTolerance {
		return errSignature
	}
	if !signedBy(secrets, sums, []byte(at), []byte("."), body) {
		return errSignature
	}
	return nil
}

// signedBy reports whether one of sums is the HMAC of parts with one of secrets.
func signedBy(secrets []string, sums [][]byte, parts ...[]byte) bool {
	good := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		for _, part := range parts {
			mac.Write(part)
		}
		want := mac.Sum(nil)
		for _, sum := range sums {
			good = hmac.Equal(want, sum) || good
		}
	}
	return good
}
