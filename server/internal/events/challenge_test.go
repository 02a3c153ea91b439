package events_test

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
)

func TestChallenge(t *testing.T) {
	t.Parallel()
	s := newSender(t, loopback)
	old := webhook.NewSecret()
	s.secrets.PreviousSealed, s.secrets.PreviousUntil = s.Sealer.Seal([]byte(old)), new(began.Add(time.Hour))
	const challenge = "3kTMd8yWqvXb2RzLpN5cHs"
	const unsigned = "it did not respond with the signature of the challenge"
	for what, c := range map[string]struct {
		secret, text, before, after string
		status                      int
		want                        string
	}{
		"the signature":                     {s.secret, challenge, "", "", 200, ""},
		"the signature with the old secret": {old, challenge, "", "\n", 200, ""},
		"the signature as JSON":             {s.secret, challenge, `"`, `"`, 200, ""},
		"the signature of something else":   {s.secret, "x", "", "", 200, unsigned},
		"the signature with another secret": {webhook.NewSecret(), challenge, "", "", 200, unsigned},
		"the signature and an error":        {s.secret, challenge, "", "", 500, unsigned},
		"the signature and a redirect": {
			s.secret, challenge, "", "", 302, "it responded with a redirect, which is not followed",
		},
	} {
		r := receiver(t, func(w http.ResponseWriter, r *http.Request) {
			m, err := verified(r, s.secret)
			if err != nil {
				t.Errorf("verify the challenge: %v", err)
			}
			response, err := webhook.SignChallenge(m, c.text, c.secret)
			if err != nil {
				t.Errorf("sign the challenge: %v", err)
			}
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.before+response+c.after)
		})
		d := core.NewEventDelivery(core.NewID(), core.NewID(), core.Event{Type: core.EventChallenge, Timestamp: began,
			Data: core.EventData{Publisher: "vila", Challenge: challenge}})
		a := s.Challenge(t.Context(), core.EventEndpoint{URL: r.URL}, s.secrets, d, challenge)
		if a.Delivered() != (c.want == "") || a.Error != c.want || a.Status != c.status {
			t.Errorf("challenge whose response is %s: got %+v, want status %d and error %q", what, a, c.status, c.want)
		}
		if a.Response != "" {
			t.Errorf("kept response of a challenge: got %q, want none", a.Response)
		}
	}
}

// verified returns the message of a challenge that was signed with the secret.
func verified(r *http.Request, secret string) (webhook.Message, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return webhook.Message{}, err
	}
	var event core.Event
	if err := json.Unmarshal(body, &event); err != nil {
		return webhook.Message{}, err
	}
	return webhook.Verify(r.Header, body, []string{secret}, webhook.WithClock(func() time.Time { return began }))
}
