package events_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
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
		a := s.Challenge(t.Context(), core.EventEndpoint{URL: r.URL}, s.secrets, d, challenge,
			func(netip.Addr) error { return nil })
		if a.Delivered() != (c.want == "") || a.Error != c.want || a.Status != c.status {
			t.Errorf("challenge whose response is %s: got %+v, want status %d and error %q", what, a, c.status, c.want)
		}
		if a.Response != "" {
			t.Errorf("kept response of a challenge: got %q, want none", a.Response)
		}
	}
}

// TestEachChallengeAsksBeforeItConnects challenges a receiver to which a connection is open already.
func TestEachChallengeAsksBeforeItConnects(t *testing.T) {
	t.Parallel()
	s := newSender(t, loopback)
	var requests atomic.Int64
	r := receiver(t, func(http.ResponseWriter, *http.Request) { requests.Add(1) })
	if a := s.send(t, r.URL); !a.Delivered() {
		t.Fatalf("send an event: got %+v, want it delivered", a)
	}
	d := core.NewEventDelivery(core.NewID(), core.NewID(), core.Event{Type: core.EventChallenge, Timestamp: began})
	address := strings.Replace(r.URL, "127.0.0.1", "[::ffff:127.0.0.1]", 1)
	for _, url := range []string{r.URL, r.URL, address} {
		var asked []netip.Addr
		a := s.Challenge(t.Context(), core.EventEndpoint{URL: url}, s.secrets, d, "x", func(to netip.Addr) error {
			asked = append(asked, to.Unmap())
			return errors.New("not now")
		})
		if a.Status != 0 || a.Error != "it cannot be reached" {
			t.Errorf("challenge that may not connect: got %+v, want that it cannot be reached", a)
		}
		if diff := cmp.Diff([]string{"127.0.0.1"}, texts(asked)); diff != "" {
			t.Errorf("addresses that a challenge to %s asks about (-want +got):\n%s", url, diff)
		}
	}
	check.Equal(t, "requests", requests.Load(), 1)
}

func texts(addresses []netip.Addr) (list []string) {
	for _, a := range addresses {
		list = append(list, a.String())
	}
	return list
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
