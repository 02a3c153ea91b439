package webhook_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/webhook"
)

func TestSignChallenge(t *testing.T) {
	t.Parallel()
	const challenge = "3kTMd8yWqvXb2RzLpN5cHs"
	secret, old := webhook.NewSecret(), webhook.NewSecret()
	m := webhook.Message{ID: "evt_1", Timestamp: time.Now(), Body: []byte(`{"type":"challenge"}`)}
	response, err := webhook.SignChallenge(m, challenge, secret, old)
	if err != nil {
		t.Fatalf("sign a challenge: %v", err)
	}
	request, err := webhook.Sign(m, secret)
	if err != nil {
		t.Fatalf("sign the request: %v", err)
	}
	if response == request.Get(webhook.HeaderSignature) {
		t.Errorf("signature of the challenge: got that of the request, want another")
	}
	header := http.Header{}
	header.Set(webhook.HeaderID, m.ID)
	header.Set(webhook.HeaderTimestamp, request.Get(webhook.HeaderTimestamp))
	header.Set(webhook.HeaderSignature, response)
	for what, known := range map[string]string{"the secret": secret, "the old secret": old} {
		if _, err := webhook.Verify(header, []byte(challenge), []string{known}); err != nil {
			t.Errorf("verify the signature of the challenge with %s: %v", what, err)
		}
	}
	for _, bad := range []string{"", `{"type":"test"}`, "a.b", "a b", "é", strings.Repeat("a", 65)} {
		if got, err := webhook.SignChallenge(m, bad, secret); !errors.Is(err, webhook.ErrChallenge) || got != "" {
			t.Errorf("sign the challenge %q: got %q and error %v, want %v", bad, got, err, webhook.ErrChallenge)
		}
	}
	if _, err := webhook.SignChallenge(m, challenge, "short"); !errors.Is(err, webhook.ErrSecret) {
		t.Errorf("sign a challenge with an unusable secret: got error %v, want %v", err, webhook.ErrSecret)
	}
}

func ExampleSignChallenge() {
	// message is what Verify returned for the request, challenge is data.challenge of its body.
	message := webhook.Message{ID: "msg_p5jXN8AQM9LWM0D4loKWxJek", Timestamp: time.Unix(1614265330, 0)}
	response, err := webhook.SignChallenge(message, "3kTMd8yWqvXb2RzLpN5cHs", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	fmt.Println(response, err)
	// Output: v1,iPkrz9JBOghl5PyTBKOeM8zL6JejOJSsT/TLk1w6EKI= <nil>
}
