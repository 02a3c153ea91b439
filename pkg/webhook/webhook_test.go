package webhook_test

import (
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/webhook"
)

// The vector that the reference libraries of Standard Webhooks test themselves with.
const (
	vectorSecret    = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	vectorID        = "msg_p5jXN8AQM9LWM0D4loKWxJek"
	vectorSeconds   = 1614265330
	vectorBody      = `{"test": 2432232314}`
	vectorSignature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
)

// otherSignature is well formed and by nobody.
const otherSignature = "v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc="

func vectorHeader() http.Header {
	h := http.Header{}
	h.Set("webhook-id", vectorID)
	h.Set("webhook-timestamp", "1614265330")
	h.Set("webhook-signature", vectorSignature)
	return h
}

func at(offset time.Duration) webhook.VerifyOption {
	return webhook.WithClock(func() time.Time { return time.Unix(vectorSeconds, 0).Add(offset) })
}

func TestSignMakesTheReferenceSignature(t *testing.T) {
	header, err := webhook.Sign(webhook.Message{
		ID: vectorID, Timestamp: time.Unix(vectorSeconds, 0), Body: []byte(vectorBody),
	}, vectorSecret)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range vectorHeader() {
		if got := header.Get(name); got != want[0] {
			t.Errorf("%s = %q, want %q", name, got, want[0])
		}
	}
}

func TestVerify(t *testing.T) {
	set := func(name, value string) func(http.Header) {
		return func(h http.Header) { h.Set(name, value) }
	}
	tests := []struct {
		name    string
		change  func(http.Header)
		body    string
		secrets []string
		offset  time.Duration
		want    error
	}{
		{name: "reference vector"},
		{name: "secret without prefix", secrets: []string{strings.TrimPrefix(vectorSecret, "whsec_")}},
		{name: "second secret while rotating", secrets: []string{webhook.NewSecret(), vectorSecret}},
		{name: "matching signature after others", change: set("webhook-signature",
			"v1a,hnO3f9T8 "+otherSignature+" v1,%% "+vectorSignature)},
		{name: "at the edge, old", offset: 5 * time.Minute},
		{name: "at the edge, new", offset: -5 * time.Minute},
		{name: "too old", offset: 5*time.Minute + time.Second, want: webhook.ErrTooOld},
		{name: "too new", offset: -5*time.Minute - time.Second, want: webhook.ErrTooNew},
		{name: "changed body", body: `{"test": 2432232315}`, want: webhook.ErrSignature},
		{name: "changed id", change: set("webhook-id", "msg_other"), want: webhook.ErrSignature},
		{name: "changed time", change: set("webhook-timestamp", "1614265331"), want: webhook.ErrSignature},
		{name: "other signature", change: set("webhook-signature", otherSignature), want: webhook.ErrSignature},
		{name: "truncated signature", change: set("webhook-signature", vectorSignature[:20]), want: webhook.ErrSignature},
		{name: "unversioned signature", change: set("webhook-signature", vectorSignature[3:]), want: webhook.ErrSignature},
		{name: "other version", change: set("webhook-signature", "v2"+vectorSignature[2:]), want: webhook.ErrSignature},
		{name: "other secret", secrets: []string{webhook.NewSecret()}, want: webhook.ErrSignature},
		{name: "no id", change: set("webhook-id", ""), want: webhook.ErrHeader},
		{name: "id with a full stop", change: set("webhook-id", "msg.1"), want: webhook.ErrHeader},
		{name: "long id", change: set("webhook-id", strings.Repeat("a", 256)), want: webhook.ErrHeader},
		{name: "no time", change: set("webhook-timestamp", ""), want: webhook.ErrHeader},
		{name: "time in words", change: set("webhook-timestamp", "now"), want: webhook.ErrHeader},
		{name: "negative time", change: set("webhook-timestamp", "-1"), want: webhook.ErrHeader},
		{name: "no signature", change: set("webhook-signature", ""), want: webhook.ErrHeader},
		{name: "flood of signatures", change: set("webhook-signature", strings.Repeat(otherSignature+" ", 17)), want: webhook.ErrHeader},
		{name: "no secret", secrets: []string{}, want: webhook.ErrSecret},
		{name: "empty secret", secrets: []string{"whsec_"}, want: webhook.ErrSecret},
		{name: "short secret", secrets: []string{"whsec_c2hvcnQ="}, want: webhook.ErrSecret},
		{name: "secret that is no base64", secrets: []string{"whsec_%%%"}, want: webhook.ErrSecret},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			header, body, secrets := vectorHeader(), vectorBody, []string{vectorSecret}
			if tt.change != nil {
				tt.change(header)
			}
			if tt.body != "" {
				body = tt.body
			}
			if tt.secrets != nil {
				secrets = tt.secrets
			}
			message, err := webhook.Verify(header, []byte(body), secrets, at(tt.offset))
			if !errors.Is(err, tt.want) {
				t.Fatalf("Verify = %v, want %v", err, tt.want)
			}
			if err == nil && (message.ID != vectorID || message.Timestamp.Unix() != vectorSeconds || string(message.Body) != body) {
				t.Errorf("message = %+v", message)
			}
		})
	}
}

func TestSignWithSeveralSecretsVerifiesWithEach(t *testing.T) {
	secrets := []string{webhook.NewSecret(), webhook.NewSecret()}
	m := webhook.Message{ID: "evt_1", Timestamp: time.Now(), Body: []byte{0, 0xff, '.'}}
	header, err := webhook.Sign(m, secrets...)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range secrets {
		if _, err := webhook.Verify(header, m.Body, []string{secret}); err != nil {
			t.Error(err)
		}
	}
}

func TestSignRefuses(t *testing.T) {
	if _, err := webhook.Sign(webhook.Message{ID: "a"}); !errors.Is(err, webhook.ErrSecret) {
		t.Errorf("without a secret: %v", err)
	}
	for _, id := range []string{"", "a.b", "a b", "a\n", "ção"} {
		if _, err := webhook.Sign(webhook.Message{ID: id}, vectorSecret); !errors.Is(err, webhook.ErrHeader) {
			t.Errorf("id %q: %v", id, err)
		}
	}
}

func TestErrorsHoldNoSecret(t *testing.T) {
	for _, secret := range []string{"whsec_c2VncmVkbw==", "whsec_segredo!"} {
		err := webhook.CheckSecret(secret)
		if err == nil || strings.Contains(err.Error(), secret[6:]) {
			t.Errorf("error %v", err)
		}
	}
}

func TestNewSecret(t *testing.T) {
	a, b := webhook.NewSecret(), webhook.NewSecret()
	if a == b {
		t.Fatal("the same secret twice")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(a, webhook.SecretPrefix))
	if err != nil || len(key) != 32 || webhook.CheckSecret(a) != nil {
		t.Errorf("key of %d bytes, %v", len(key), err)
	}
}
