package servertest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/webhook"
)

// Receiver is the server behind event endpoints. It signs the challenges of those whose secrets it knows, and hands
// everything else to a handler.
type Receiver struct {
	*httptest.Server

	mu      sync.Mutex
	secrets []string
}

// NewReceiver starts a receiver; without a handler it responds with 200.
func NewReceiver(t *testing.T, handle http.HandlerFunc) *Receiver {
	t.Helper()
	r := &Receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Errorf("read an event: %v", err)
		}
		if response := r.signChallenge(req.Header, body); response != "" {
			_, _ = io.WriteString(w, response)
			return
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
		if handle != nil {
			handle(w, req)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// Know gives the receiver the secret of an endpoint.
func (r *Receiver) Know(secret string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.secrets = append(r.secrets, secret)
}

// signChallenge returns "" for anything but a challenge that was signed with a secret that the receiver knows.
func (r *Receiver) signChallenge(header http.Header, body []byte) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	message, err := webhook.Verify(header, body, r.secrets)
	if err != nil {
		return ""
	}
	event, err := sininho.ParseEvent(body)
	if err != nil || event.Type != sininho.EndpointChallenge {
		return ""
	}
	response, err := webhook.SignChallenge(message, event.Data.Challenge, r.secrets...)
	if err != nil {
		return ""
	}
	return response
}

// Confirm confirms an event endpoint, of which path is the path, through the receiver that has its secret.
func (p *Subscriber) Confirm(path string) {
	p.t.Helper()
	var got struct {
		Confirmed bool
		Status    int
		Error     string
	}
	p.Do(http.MethodPost, path+"/challenge", nil, http.StatusOK, &got)
	if !got.Confirmed {
		p.t.Fatalf("challenge of the event endpoint: got %+v, want it confirmed", got)
	}
}
