package webhook_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/webhook"
)

const (
	fuzzSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAAA"
	fuzzKey    = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAAA"
)

// reference returns the signature of a message, by another implementation of the specification.
func reference(id, seconds string, body []byte) string {
	key, err := base64.StdEncoding.DecodeString(fuzzKey)
	if err != nil {
		panic(err) // the key is fixed
	}
	h := hmac.New(sha256.New, key)
	fmt.Fprintf(h, "%s.%s.%s", id, seconds, body)
	return "v1," + base64.StdEncoding.EncodeToString(h.Sum(nil))
}

// FuzzVerify expects exactly those messages to be verified that have the signature of the specification among at most
// 16, whatever else is in their headers, and a signed message never to be verified with another body, id or time.
func FuzzVerify(f *testing.F) {
	f.Add("msg_1", "1614265330", "%s", []byte(`{"test": 2432232314}`), []byte("{}"))
	f.Fuzz(func(t *testing.T, id, seconds, signatures string, body, other []byte) {
		now := time.Unix(1614265330, 0)
		want := reference(id, seconds, body)
		signatures = strings.ReplaceAll(signatures, "%s", want)
		header := http.Header{}
		header.Set(webhook.HeaderID, id)
		header.Set(webhook.HeaderTimestamp, seconds)
		header.Set(webhook.HeaderSignature, signatures)
		clock := webhook.WithClock(func() time.Time { return now })
		m, err := webhook.Verify(header, body, []string{fuzzSecret}, clock)
		fields := strings.Fields(signatures)
		signed := len(fields) <= 16 && slices.Contains(fields, want)
		if err == nil && !signed {
			t.Errorf("verify a message with the signatures %q: got no error, want one, without %s", signatures, want)
		}
		if errors.Is(err, webhook.ErrSignature) && signed {
			t.Errorf("verify a message with its signature: got %v", err)
		}
		if err != nil {
			return
		}
		if m.ID != id || !bytes.Equal(m.Body, body) || m.Timestamp.Sub(now).Abs() > webhook.DefaultTolerance {
			t.Errorf("verified message: got %+v", m)
		}
		if !bytes.Equal(body, other) {
			if _, err := webhook.Verify(header, other, []string{fuzzSecret}, clock); err == nil {
				t.Errorf("verify another body, %q: got no error", other)
			}
		}
		for name, changed := range map[string]string{
			webhook.HeaderID: id + "x", webhook.HeaderTimestamp: "0" + seconds,
		} {
			altered := header.Clone()
			altered.Set(name, changed)
			if _, err := webhook.Verify(altered, body, []string{fuzzSecret}, clock); err == nil {
				t.Errorf("verify with another %s: got no error", name)
			}
		}
	})
}

// FuzzSign expects every message that can be signed to be verified, with each of two secrets.
func FuzzSign(f *testing.F) {
	f.Add("msg_1", int64(1614265330), []byte("{}"))
	f.Fuzz(func(t *testing.T, id string, seconds int64, body []byte) {
		m := webhook.Message{ID: id, Timestamp: time.Unix(seconds, 0), Body: body}
		old := webhook.NewSecret()
		header, err := webhook.Sign(m, fuzzSecret, old)
		if err != nil {
			if !errors.Is(err, webhook.ErrHeader) {
				t.Errorf("sign the id %q: got error %v, want %v", id, err, webhook.ErrHeader)
			}
			return
		}
		for _, secret := range []string{fuzzSecret, old} {
			clock := webhook.WithClock(func() time.Time { return m.Timestamp })
			_, err := webhook.Verify(header, body, []string{secret}, clock)
			if (err == nil) != (seconds > 0) {
				t.Errorf("verify a signed message of the time %d: got error %v", seconds, err)
			}
		}
	})
}
