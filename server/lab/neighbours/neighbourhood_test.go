package neighbours

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/servertest"
	"github.com/sininho/sininho/server/lab/standin/pushservice"
)

type object map[string]any

// neighbourhood is a server with default limits, on which a reader and a hostile account live.
type neighbourhood struct {
	*servertest.Server
	t    *testing.T
	db   *pgxpool.Pool
	push *pushservice.Service // the push service that both use
}

// The networks that people come from.
const (
	readersNetwork = "192.0.2.1"
	hostileNetwork = "198.51.100.1"
)

func newNeighbourhood(t *testing.T) *neighbourhood {
	t.Helper()
	n := &neighbourhood{t: t, push: startPushService(t)}
	n.Server, _ = servertest.StartApart(t, io.Discard, servertest.Limited(),
		servertest.With("TRUSTED_PROXIES", "127.0.0.1"),
		servertest.With("PUSH", "fcm,webpush"),
		servertest.With("WEB_PUSH_NETWORKS", "127.0.0.0/8"),
		servertest.With("EVENT_ENDPOINTS_LOOPBACK", "true"))
	var err error
	if n.db, err = pgxpool.New(t.Context(), n.DatabaseURL); err != nil {
		t.Fatalf("connect to the database: %v", err)
	}
	t.Cleanup(n.db.Close)
	return n
}

func startPushService(t *testing.T) *pushservice.Service {
	t.Helper()
	s, err := pushservice.Start(t.Context())
	if err != nil {
		t.Fatalf("start a push service: %v", err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// exec changes the database where the API would take too long to get there.
func (n *neighbourhood) exec(sql string, args ...any) {
	n.t.Helper()
	if _, err := n.db.Exec(n.t.Context(), sql, args...); err != nil {
		n.t.Fatalf("%s: %v", sql, err)
	}
}

// caller is somebody who calls the server from a network, with a session or an API key.
type caller struct {
	n       *neighbourhood
	network string
	person  *servertest.Subscriber // nil: none
	key     string                 // "": none
}

// request returns a request to the API. It ends when ctx does.
func (c caller) request(ctx context.Context, method, path string, body any) (*http.Request, error) {
	address := path
	if strings.HasPrefix(path, "/") {
		address = c.n.URL + "/api/v1" + path
	}
	var in io.Reader
	switch body := body.(type) {
	case nil:
	case []byte:
		in = bytes.NewReader(body)
	default:
		b, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		in = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(ctx, method, address, in)
	if err != nil {
		return nil, err
	}
	r.Header.Set("X-Forwarded-For", c.network)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	switch {
	case c.key != "":
		r.Header.Set("Authorization", "Bearer "+c.key)
	case c.person != nil:
		c.person.Sign(r)
	}
	return r, nil
}

// send sends a request, reads the response to its end, and returns the status.
func (c caller) send(ctx context.Context, method, path string, body, out any) (status int, err error) {
	r, err := c.request(ctx, method, path, body)
	if err != nil {
		return 0, err
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close() // it has been read to its end
	got, err := io.ReadAll(res.Body)
	if err == nil && out != nil {
		err = json.Unmarshal(got, out)
	}
	return res.StatusCode, err
}

// do sends a request that must succeed.
func (c caller) do(method, path string, body, out any) {
	c.n.t.Helper()
	status, err := c.send(c.n.t.Context(), method, path, body, out)
	if err != nil || status >= http.StatusMultipleChoices {
		c.n.t.Fatalf("%s %s: got %d and error %v, want success", method, path, status, err)
	}
}

// hostile is an ordinary account that means harm: it has a publisher with a channel, which it follows.
type hostile struct {
	caller
	channel string // its address
	api     caller // with the publisher's API key
}

const hostilePublisher = "mallory"

func (n *neighbourhood) hostile() *hostile {
	n.t.Helper()
	h := &hostile{caller: caller{n: n, network: hostileNetwork, person: n.SignIn(n.t, "mallory@example.com")}}
	h.do(http.MethodPost, "/publishers", object{"slug": hostilePublisher, "name": "Mallory"}, nil)
	h.channel = h.newChannel("canal")
	var key struct{ Secret string }
	h.do(http.MethodPost, "/publishers/"+hostilePublisher+"/api-keys",
		object{"name": "k", "scopes": []string{"publish", "read", "channels"}}, &key)
	h.api = caller{n: n, network: hostileNetwork, key: key.Secret}
	h.person.Follow(h.channel)
	return h
}

// newChannel creates a channel of the hostile publisher, and returns its address.
func (h *hostile) newChannel(slug string) string {
	h.n.t.Helper()
	var categories struct{ Data []struct{ ID string } }
	h.do(http.MethodGet, "/categories", nil, &categories)
	h.do(http.MethodPost, "/channels", object{"publisherSlug": hostilePublisher, "slug": slug, "name": "Canal",
		"categoryId": categories.Data[0].ID}, nil)
	return hostilePublisher + "/" + slug
}

// register adds devices of the hostile account that have accepted a push before, as the worst account would have them:
// past every limit for new devices.
func (h *hostile) register(subscriptions []pushservice.Subscription) {
	h.n.t.Helper()
	decode := func(text string) []byte {
		b, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			h.n.t.Fatalf("decode base64: %v", err)
		}
		return b
	}
	for i, s := range subscriptions {
		h.n.exec(`
			insert into devices (id, subscriber_id, installation_id, kind, address, p256dh, auth, service, rings_since,
				platform, name)
			select gen_random_uuid(), id, $1, 'webpush', $2, $3, $4, $5, now(), 'web', 'Browser' from subscribers
			where email = 'mallory@example.com'`, fmt.Sprintf("hostile-%d-%s", i, s.Auth), s.Endpoint, decode(s.P256dh),
			decode(s.Auth), core.PushOrigin(s.Endpoint))
	}
}

// subscribe returns subscriptions of the hostile account's browsers at a push service.
func (h *hostile) subscribe(at *pushservice.Service, browsers int) (all []pushservice.Subscription) {
	h.n.t.Helper()
	for range browsers {
		s, err := at.Subscribe("")
		if err != nil {
			h.n.t.Fatalf("subscribe: %v", err)
		}
		all = append(all, s)
	}
	return all
}

// publish publishes many notifications to the hostile channel in as few requests as possible.
func (h *hostile) publish(ctx context.Context, notifications int, body string) {
	each := min(500, 1<<20/(len(body)+100)) // a request may have 2 MiB
	for first := 0; first < notifications && ctx.Err() == nil; first += each {
		var all []object
		for i := first; i < min(first+each, notifications); i++ {
			all = append(all, object{"title": fmt.Sprintf("Hostile %d", i), "body": body})
		}
		status, err := h.api.send(ctx, http.MethodPost, "/channels/"+h.channel+"/notifications/batch",
			object{"notifications": all}, nil)
		if err != nil && ctx.Err() == nil || status == http.StatusUnprocessableEntity {
			h.n.t.Errorf("publish a batch: got %d and error %v", status, err)
		}
	}
}
