package sininho_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/webhook"
)

// post posts an event, signed with a secret, and returns the status and body of the response.
func post(t *testing.T, r *sininho.Receiver, secret, id, body string) (int, string) {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/hooks", strings.NewReader(body))
	header, err := webhook.Sign(webhook.Message{ID: id, Timestamp: time.Now(), Body: []byte(body)}, secret)
	if err != nil {
		t.Fatalf("sign: %v", err)
	}
	req.Header = header
	w := httptest.NewRecorder()
	r.ServeHTTP(w, req)
	return w.Code, w.Body.String()
}

const finished = `{"type": "notification.finished", "timestamp": "2026-03-01T12:00:00Z", "data": {"channel": "metro/avisos"}}`

func TestReceiverHandlesEachEventOnce(t *testing.T) {
	t.Parallel()
	secret := webhook.NewSecret()
	var events []string
	fails := true
	r := &sininho.Receiver{Secrets: []string{secret}, Handle: func(_ context.Context, e *sininho.EndpointEvent) error {
		if fails {
			fails = false
			return errors.New("the database is away")
		}
		events = append(events, e.ID+" "+e.Data.Channel)
		return nil
	}}
	for _, want := range []int{500, 204, 204} {
		status, _ := post(t, r, secret, "msg_1", finished)
		equal(t, "status", status, want)
	}
	status, _ := post(t, r, secret, "msg_2", strings.Replace(finished, "notification.finished", "something.new", 1))
	equal(t, "status of an unknown type", status, 204)
	equal(t, "events", strings.Join(events, ", "), "msg_1 metro/avisos, msg_2 metro/avisos")
}

func TestReceiverRespondsToChallenges(t *testing.T) {
	t.Parallel()
	secret := webhook.NewSecret()
	r := &sininho.Receiver{Secrets: []string{secret}, Handle: func(context.Context, *sininho.EndpointEvent) error {
		t.Error("a challenge was handled as an event")
		return nil
	}}
	const challenge = `{"type": "challenge", "timestamp": "2026-03-01T12:00:00Z", "data": {"challenge": "3kTMd8yWqvXb2RzLpN5cHs"}}`
	status, body := post(t, r, secret, "msg_1", challenge)
	if status != http.StatusOK || !strings.HasPrefix(body, "v1,") {
		t.Errorf("challenge: got %d, %q; want a signature", status, body)
	}
}

func TestReceiverRefuses(t *testing.T) {
	t.Parallel()
	secret := webhook.NewSecret()
	r := &sininho.Receiver{Secrets: []string{secret}, Handle: func(context.Context, *sininho.EndpointEvent) error {
		t.Error("a request that was to be refused was handled")
		return nil
	}}
	for name, c := range map[string]struct {
		secret, body string
		want         int
	}{
		"another secret": {webhook.NewSecret(), finished, 401},
		"no event":       {secret, `{}`, 400},
		"no JSON":        {secret, `{`, 400},
		"no challenge":   {secret, `{"type": "challenge", "timestamp": "2026-03-01T12:00:00Z", "data": {}}`, 400},
		"too large":      {secret, strings.Repeat(" ", 2<<20), 400},
	} {
		status, _ := post(t, r, c.secret, "msg_1", c.body)
		equal(t, "status of "+name, status, c.want)
	}
}

// TestReceiverHandlesAtOnceOnlyOne sends an event again while it is being handled.
func TestReceiverHandlesAtOnceOnlyOne(t *testing.T) {
	t.Parallel()
	secret := webhook.NewSecret()
	begun, end := make(chan struct{}), make(chan struct{})
	r := &sininho.Receiver{Secrets: []string{secret}, Handle: func(context.Context, *sininho.EndpointEvent) error {
		close(begun)
		<-end
		return nil
	}}
	first := make(chan int)
	go func() {
		status, _ := post(t, r, secret, "msg_1", finished)
		first <- status
	}()
	<-begun
	status, _ := post(t, r, secret, "msg_1", finished)
	equal(t, "status meanwhile", status, 503)
	close(end)
	equal(t, "status of the first", <-first, 204)
	status, _ = post(t, r, secret, "msg_1", finished)
	equal(t, "status afterwards", status, 204)
}

// TestReceiverForgets expects the latest 10,000 events to be known, and earlier ones to be handled again.
func TestReceiverForgets(t *testing.T) {
	t.Parallel()
	secret := webhook.NewSecret()
	handled := 0
	r := &sininho.Receiver{Secrets: []string{secret}, Handle: func(context.Context, *sininho.EndpointEvent) error {
		handled++
		return nil
	}}
	for n := range 10_001 {
		post(t, r, secret, "msg_"+strconv.Itoa(n), finished)
	}
	post(t, r, secret, "msg_1", finished)
	equal(t, "handled after the earliest that is known", handled, 10_001)
	post(t, r, secret, "msg_0", finished)
	equal(t, "handled after one that is forgotten", handled, 10_002)
}
