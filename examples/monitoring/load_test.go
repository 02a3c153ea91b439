package monitoring_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/servertest"
)

// load uses a server in all ways that the dashboard shows, until the test ends.
type load struct {
	*servertest.Server
	t         *testing.T
	rejecting atomic.Bool // the event endpoint rejects everything
}

const channel = "acme/avisos"

func startLoad(t *testing.T, s *servertest.Server) *load {
	t.Helper()
	l := &load{Server: s, t: t}
	owner := s.SignIn(t, "ana@example.com")
	l.prepare(owner)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for _, one := range []func(context.Context){l.publish, l.webhook, l.wrong, l.read, l.stream} {
		running.Go(func() {
			for ctx.Err() == nil {
				one(ctx)
				select {
				case <-ctx.Done():
				case <-time.After(20 * time.Millisecond): // a pace, not a wait
				}
			}
		})
	}
	t.Cleanup(func() { stop(); running.Wait() })
	return l
}

type object map[string]any

// prepare makes a channel with a follower who has devices, and an event endpoint.
func (l *load) prepare(owner *servertest.Subscriber) {
	var categories struct{ Data []struct{ ID string } }
	owner.Do(http.MethodGet, "/categories", nil, 200, &categories)
	owner.Do(http.MethodPost, "/publishers", object{"slug": "acme", "name": "Acme"}, 201, nil)
	owner.Do(http.MethodPost, "/channels", object{"publisherSlug": "acme", "slug": "avisos", "name": "Avisos",
		"categoryId": categories.Data[0].ID}, 201, nil)
	owner.Follow(channel)
	for _, token := range []string{"a", "b", "c"} {
		owner.Device(token)
	}
	receiver := servertest.NewReceiver(l.t, func(w http.ResponseWriter, _ *http.Request) {
		if l.rejecting.Load() {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	var endpoint struct{ ID, Secret string }
	const path = "/publishers/acme/event-endpoints"
	owner.Do(http.MethodPost, path, object{"url": receiver.URL, "name": "x",
		"events": []string{"notification.finished", "notification.dispatched"}}, 201, &endpoint)
	receiver.Know(endpoint.Secret)
	owner.Confirm(path + "/" + endpoint.ID)
	var key struct{ Secret string }
	owner.Do(http.MethodPost, "/publishers/acme/api-keys", object{"name": "x", "scopes": []string{"publish"}}, 201, &key)
	l.APIKey = key.Secret
}

func (l *load) publish(ctx context.Context) {
	client := l.Client(sininho.WithRetries(0))
	_, _ = client.Notifications.Publish(ctx, channel, sininho.PublishInput{Title: "Olá"}) // fails during an outage
}

// call calls the server and reads the response.
func (l *load) call(ctx context.Context, method, url string, body any) {
	encoded, _ := json.Marshal(body)
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(encoded))
	if err != nil {
		l.t.Errorf("new request: %v", err)
		return
	}
	req.Header.Set("Content-Type", "application/json")
	if res, err := http.DefaultClient.Do(req); err == nil {
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
	}
}

func (l *load) webhook(ctx context.Context) {
	l.call(ctx, http.MethodPost, l.DemoWebhook, object{"title": "Olá"})
}

func (l *load) wrong(ctx context.Context) { l.call(ctx, http.MethodGet, l.URL+"/api/v1/nowhere", nil) }

func (l *load) read(ctx context.Context) { l.call(ctx, http.MethodGet, l.URL+"/", nil) }

// stream reads a live stream for a moment.
func (l *load) stream(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	l.call(ctx, http.MethodGet, l.URL+"/api/v1/channels/"+channel+"/notifications/stream", nil)
}

// fault makes the push service fail from now on; without one it works again.
func (l *load) fault(fault object) {
	l.t.Helper()
	method := http.MethodPost
	if fault == nil {
		method = http.MethodDelete
	}
	l.call(l.t.Context(), method, strings.TrimSuffix(l.FCMURL, "/")+"/faults", fault)
}
