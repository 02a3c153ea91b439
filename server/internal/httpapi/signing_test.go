package httpapi

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func hexMAC(secret, text string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

// signings signs a body in each supported way.
var signings = map[core.WebhookSigning]func(secret, body string, at time.Time) http.Header{
	core.SigningStandard: func(secret, body string, at time.Time) http.Header {
		h, err := webhook.Sign(webhook.Message{ID: "e", Timestamp: at, Body: []byte(body)}, secret)
		if err != nil {
			panic(err)
		}
		return h
	},
	core.SigningGitHub: func(secret, body string, _ time.Time) http.Header {
		return http.Header{"X-Hub-Signature-256": {"sha256=" + hexMAC(secret, body)}}
	},
	core.SigningGitLab: func(secret, _ string, _ time.Time) http.Header {
		return http.Header{"X-Gitlab-Token": {secret}}
	},
	core.SigningStripe: func(secret, body string, at time.Time) http.Header {
		t := strconv.FormatInt(at.Unix(), 10)
		other, good := hexMAC("other", t+"."+body), hexMAC(secret, t+"."+body)
		return http.Header{"Stripe-Signature": {"t=" + t + ",v1=" + other + ",v1=" + good + ",v0=6ffbb5"}}
	},
	core.SigningSentry: func(secret, body string, _ time.Time) http.Header {
		return http.Header{"Sentry-Hook-Signature": {hexMAC(secret, body)}}
	},
	core.SigningBearer: func(secret, _ string, _ time.Time) http.Header {
		return http.Header{"Authorization": {"Bearer " + secret}}
	},
}

// TestGitHubsExample verifies GitHub's own example:
// https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
func TestGitHubsExample(t *testing.T) {
	const sent = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
	if err := verifyHex(sent, []string{"It's a Secret to Everybody"}, []byte("Hello, World!")); err != nil {
		t.Errorf("verify GitHub's example: %v", err)
	}
}

func TestSigning(t *testing.T) {
	secret, old := webhook.NewSecret(), webhook.NewSecret()
	const body = `{"title":"x"}`
	w := newWorld(t)
	a := newServer(w.config)
	verify := func(signing core.WebhookSigning, h http.Header, secrets []string, body string) bool {
		c := &call{request: &http.Request{Header: h}, webhook: &core.Webhook{Signing: signing}, body: []byte(body)}
		return a.signature(c)(secrets) == nil
	}
	for _, signing := range slices.Sorted(maps.Keys(signings)) {
		sign := signings[signing]
		good := sign(secret, body, start)
		if !verify(signing, good, []string{secret}, body) {
			t.Errorf("%s: a good signature was refused", signing)
		}
		if !verify(signing, sign(old, body, start), []string{secret, old}, body) {
			t.Errorf("%s: a good signature with the previous secret was refused", signing)
		}
		signsBody := signing != core.SigningGitLab && signing != core.SigningBearer
		timed := signing == core.SigningStandard || signing == core.SigningStripe
		late := start.Add(-5*time.Minute - time.Second)
		early := start.Add(5*time.Minute + time.Second)
		cut := change(good, func(s string) string { return s[:len(s)*3/4] })
		empty := func() http.Header { return sign("", body, start) }
		for name, bad := range map[string]bool{
			"another body":    verify(signing, good, []string{secret}, body+" ") && signsBody,
			"another secret":  verify(signing, good, []string{old}, body),
			"no secret":       verify(signing, good, nil, body),
			"no signature":    verify(signing, http.Header{}, []string{secret}, body),
			"empty secret":    signing != core.SigningStandard && verify(signing, empty(), []string{secret}, body),
			"old":             timed && verify(signing, sign(secret, body, late), []string{secret}, body),
			"of the future":   timed && verify(signing, sign(secret, body, early), []string{secret}, body),
			"stripped":        verify(signing, change(good, func(string) string { return "" }), []string{secret}, body),
			"cut":             verify(signing, cut, []string{secret}, body),
			"unknown signing": verify("", good, []string{secret}, body),
			"no signing":      verify(core.SigningNone, good, []string{secret}, body),
		} {
			if bad {
				t.Errorf("%s: accepted with %s, want it refused", signing, name)
			}
		}
		for other := range signings {
			if other != signing && verify(other, good, []string{secret}, body) {
				t.Errorf("signature of %s: accepted as %s, want it refused", signing, other)
			}
		}
	}
}

// change returns the headers with f applied to each value.
func change(h http.Header, f func(string) string) http.Header {
	changed := http.Header{}
	for name := range h {
		changed.Set(name, f(h.Get(name)))
	}
	return changed
}

func TestForgedHeaders(t *testing.T) {
	const secret, body = "secret-secret", `{"title":"x"}`
	w := newWorld(t)
	a := newServer(w.config)
	mac, at := hexMAC(secret, body), strconv.FormatInt(start.Unix(), 10)
	late := strconv.FormatInt(start.Add(-time.Hour).Unix(), 10)
	for name, c := range map[string]struct {
		signing core.WebhookSigning
		name    string
		values  []string
	}{
		"twice": {core.SigningGitHub, "X-Hub-Signature-256",
			[]string{"sha256=" + mac, "sha256=00"}},
		"sha1": {core.SigningGitHub, "X-Hub-Signature", []string{"sha1=" + mac}},
		"not hexadecimal": {core.SigningGitHub, "X-Hub-Signature-256",
			[]string{"sha256=" + strings.Repeat("z", 64)}},
		"nothing":           {core.SigningGitHub, "X-Hub-Signature-256", []string{"sha256="}},
		"two tokens":        {core.SigningGitLab, "X-Gitlab-Token", []string{secret, secret}},
		"a part of a token": {core.SigningGitLab, "X-Gitlab-Token", []string{secret[:5]}},
		"basic":             {core.SigningBearer, "Authorization", []string{"Basic " + secret}},
		"no scheme":         {core.SigningBearer, "Authorization", []string{secret}},
		"no bearer":         {core.SigningBearer, "Authorization", []string{"Bearer "}},
		"stripe without a time": {core.SigningStripe, "Stripe-Signature",
			[]string{"v1=" + hexMAC(secret, "."+body)}},
		"stripe's body alone": {core.SigningStripe, "Stripe-Signature", []string{"t=" + at + ",v1=" + mac}},
		"stripe's time changed": {core.SigningStripe, "Stripe-Signature",
			[]string{"t=" + at + ",v1=" + hexMAC(secret, late+"."+body)}},
		"stripe's time added": {core.SigningStripe, "Stripe-Signature",
			[]string{"t=" + late + ",t=" + at + ",v1=" + hexMAC(secret, late+"."+body)}},
		"stripe's old time": {core.SigningStripe, "Stripe-Signature",
			[]string{"t=" + late + ",v1=" + hexMAC(secret, late+"."+body)}},
		"stripe's old scheme": {core.SigningStripe, "Stripe-Signature",
			[]string{"t=" + at + ",v0=" + hexMAC(secret, at+"."+body)}},
		"stripe's time is far": {core.SigningStripe, "Stripe-Signature",
			[]string{"t=9223372036854775807,v1=" + hexMAC(secret, "9223372036854775807."+body)}},
		"stripe's time is negative": {core.SigningStripe, "Stripe-Signature",
			[]string{"t=-9223372036854775808,v1=" + hexMAC(secret, "-9223372036854775808."+body)}},
	} {
		call := &call{request: &http.Request{Header: http.Header{c.name: c.values}},
			webhook: &core.Webhook{Signing: c.signing}, body: []byte(body)}
		if err := a.signature(call)([]string{secret}); err == nil {
			t.Errorf("%s: accepted, want it refused", name)
		}
	}
}

func TestPayloadHeaders(t *testing.T) {
	got := payloadHeaders(map[string]string{
		"X-GitHub-Event": "push", "X-Event-Key": "repo:push", "X-Shopify-Topic": "orders/paid",
		"Sentry-Hook-Resource": "issue", "Webhook-Id": "i", "Content-Type": "application/json",
		"X-Foo": "bar", "X-Stage": "production", "X-Zip": "1200-001",
		// credentials
		"X-Hub-Signature-256": "x", "X-Gitlab-Token": "x", "Authorization": "x", "Cookie": "x", "X-Auth-Event": "x",
		"Stripe-Signature": "x", "Webhook-Signature": "x", "X-Api-Key": "x", "X-Session": "x",
		// the connection
		"X-Forwarded-For": "x", "X-Real-IP": "x", "CF-Connecting-IP": "x", "X-Client-Ip": "x", "Via": "x",
		"Content-Length": "2", "X-Forwarded-Proto": "x", "Accept-Encoding": "x", "Connection": "x",
		// too long, not UTF-8
		"X-Long-Event": strings.Repeat("x", 1001), "X-Bad-Event": "\xff",
	})
	want := map[string]string{
		"x-github-event": "push", "x-event-key": "repo:push", "x-shopify-topic": "orders/paid",
		"sentry-hook-resource": "issue", "webhook-id": "i", "content-type": "application/json",
		"x-foo": "bar", "x-stage": "production", "x-zip": "1200-001",
	}
	check.Equal(t, "kept headers", got, want)
}
