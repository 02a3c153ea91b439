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
		t.Fatalf("sign: %v", err)
	}
	for name, want := range vectorHeader() {
		if got := header.Get(name); got != want[0] {
			t.Errorf("header %s: got %q, want %q", name, got, want[0])
		}
	}
}

// vectors are the test cases shared by all Sininho implementations; sdk-ts and sdk-py read the same file.
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
		t.Fatalf("read the vectors: %v", err)
	}
	var all vectors
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatalf("parse the vectors: %v", err)
	}
	if len(all.Cases) == 0 {
		t.Fatal("cases of the vectors: got none, want some")
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
				t.Fatalf("wanted error: the vectors name %q, which faults does not have", v.Want)
			}
			message, err := webhook.Verify(header, []byte(body), secrets, at(time.Duration(v.Offset)*time.Second))
			if !errors.Is(err, want) {
				t.Fatalf("Verify: got the error %v, want %v", err, want)
			}
			if err != nil {
				return
			}
			if message.ID != vectorID {
				t.Errorf("id of the message: got %q, want %q", message.ID, vectorID)
			}
			if got := message.Timestamp.Unix(); got != vectorSeconds {
				t.Errorf("timestamp of the message: got %d, want %d", got, vectorSeconds)
			}
			if string(message.Body) != body {
				t.Errorf("body of the message: got %q, want %q", message.Body, body)
			}
		})
	}
}

func TestVerifyWithTolerance(t *testing.T) {
	tolerance := webhook.WithTolerance(time.Second)
	for offset, want := range map[time.Duration]error{
		-2 * time.Second: webhook.ErrTooNew, time.Second: nil, 2 * time.Second: webhook.ErrTooOld,
	} {
		_, err := webhook.Verify(vectorHeader(), []byte(vectorBody), []string{vectorSecret}, at(offset), tolerance)
		if !errors.Is(err, want) {
			t.Errorf("Verify %s after the signature: got the error %v, want %v", offset, err, want)
		}
	}
}

func TestSignWithSeveralSecretsVerifiesWithEach(t *testing.T) {
	secrets := []string{webhook.NewSecret(), webhook.NewSecret()}
	m := webhook.Message{ID: "evt_1", Timestamp: time.Now(), Body: []byte{0, 0xff, '.'}}
	header, err := webhook.Sign(m, secrets...)
	if err != nil {
		t.Fatalf("sign: %v", err)
	}
	for i, secret := range secrets {
		if _, err := webhook.Verify(header, m.Body, []string{secret}); err != nil {
			t.Errorf("verify with secret %d of %d: %v", i+1, len(secrets), err)
		}
	}
}

func TestSignRefuses(t *testing.T) {
	if _, err := webhook.Sign(webhook.Message{ID: "a"}); !errors.Is(err, webhook.ErrSecret) {
		t.Errorf("sign without a secret: got the error %v, want %v", err, webhook.ErrSecret)
	}
	for _, id := range []string{"", "a.b", "a b", "a\n", "ção"} {
		if _, err := webhook.Sign(webhook.Message{ID: id}, vectorSecret); !errors.Is(err, webhook.ErrHeader) {
			t.Errorf("sign with the id %q: got the error %v, want %v", id, err, webhook.ErrHeader)
		}
	}
}

func TestErrorsHoldNoSecret(t *testing.T) {
	for _, secret := range []string{"whsec_c2VncmVkbw==", "whsec_segredo!"} {
		err := webhook.CheckSecret(secret)
		if err == nil {
			t.Errorf("CheckSecret(%q): got no error, want one", secret)
		} else if strings.Contains(err.Error(), secret[6:]) {
			t.Errorf("CheckSecret(%q): the error %q contains the secret", secret, err)
		}
	}
}

func TestNewSecret(t *testing.T) {
	a, b := webhook.NewSecret(), webhook.NewSecret()
	if a == b {
		t.Fatalf("two new secrets: got %q twice", a)
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(a, "whsec_"))
	if err != nil {
		t.Fatalf("decode the new secret: %v", err)
	}
	if len(key) != 32 {
		t.Errorf("length of the key: got %d bytes, want 32", len(key))
	}
	if err := webhook.CheckSecret(a); err != nil {
		t.Errorf("CheckSecret of a new secret: %v", err)
	}
}
