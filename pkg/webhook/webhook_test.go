package webhook_test

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/webhook"
)

// The test vector of the reference libraries of Standard Webhooks.
const (
	vectorSecret    = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	vectorID        = "msg_p5jXN8AQM9LWM0D4loKWxJek"
	vectorSeconds   = 1614265330
	vectorBody      = `{"test": 2432232314}`
	vectorSignature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
)

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

// vectors are the test cases shared by all Sininho implementations; sdk-ts reads the same file.
type vectors struct {
	Valid vector
	Cases []vector
}

// vector is one webhook. In a case, a nil field has the value of the valid vector.
type vector struct {
	Name                     string
	ID, Timestamp, Signature *string
	Body                     *string
	Secrets                  []string
	Offset                   int    // added to the clock, in seconds
	Want                     string // empty if it verifies
}

var faults = map[string]error{
	"": nil, "secret": webhook.ErrSecret, "header": webhook.ErrHeader, "too_old": webhook.ErrTooOld,
	"too_new": webhook.ErrTooNew, "signature": webhook.ErrSignature,
}

func readVectors(t *testing.T) vectors {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var all vectors
	if err := json.Unmarshal(text, &all); err != nil || len(all.Cases) == 0 {
		t.Fatalf("%d cases, %v", len(all.Cases), err)
	}
	return all
}

func TestVerify(t *testing.T) {
	all := readVectors(t)
	for _, v := range all.Cases {
		t.Run(v.Name, func(t *testing.T) {
			header := http.Header{}
			header.Set("webhook-id", *cmp.Or(v.ID, all.Valid.ID))
			header.Set("webhook-timestamp", *cmp.Or(v.Timestamp, all.Valid.Timestamp))
			header.Set("webhook-signature", *cmp.Or(v.Signature, all.Valid.Signature))
			body, secrets := *cmp.Or(v.Body, all.Valid.Body), all.Valid.Secrets
			if v.Secrets != nil {
				secrets = v.Secrets
			}
			want, known := faults[v.Want]
			if !known {
				t.Fatalf("there is no fault %q", v.Want)
			}
			message, err := webhook.Verify(header, []byte(body), secrets, at(time.Duration(v.Offset)*time.Second))
			if !errors.Is(err, want) {
				t.Fatalf("Verify = %v, want %v", err, want)
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
