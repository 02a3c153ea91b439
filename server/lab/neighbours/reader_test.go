package neighbours

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/servertest"
)

// onePixel is a GIF.
var onePixel = []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00," +
	"\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;")

// patience is how long a reader waits for anything.
const patience = 15 * time.Second

// readersChannel is what the reader follows. Its publisher is somebody else's, and has an event endpoint.
const readersChannel = "demo/novidades"

// reader is an ordinary person with a browser that is open and one that is pushed to.
type reader struct {
	caller
	publisher caller // of readersChannel
	visitor   caller // somebody without an account, in the reader's network
	pictures  string // address of the publisher's server
	rounds    int

	arrivals arrivals
}

// arrivals are when the reader's notifications arrived, by the way and the title or id.
type arrivals struct {
	mu sync.Mutex
	at map[string]time.Time
}

func (a *arrivals) add(way, what string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.at == nil {
		a.at = map[string]time.Time{}
	}
	if _, known := a.at[way+what]; !known {
		a.at[way+what] = time.Now()
	}
}

// wait returns how long after a time something arrived.
func (a *arrivals) wait(ctx context.Context, way, what string, since time.Time) (time.Duration, error) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		a.mu.Lock()
		at, ok := a.at[way+what]
		a.mu.Unlock()
		if ok {
			return at.Sub(since), nil
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-tick.C:
		}
	}
}

func (n *neighbourhood) reader() *reader {
	n.t.Helper()
	r := &reader{
		caller:    caller{n: n, network: readersNetwork, person: n.SignIn(n.t, "ana@example.com")},
		publisher: caller{n: n, network: "192.0.2.2", key: n.APIKey},
		visitor:   caller{n: n, network: readersNetwork},
	}
	r.person.Follow(readersChannel)
	pictures := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(onePixel)
	}))
	n.t.Cleanup(pictures.Close)
	r.pictures = pictures.URL
	r.registerDevice()
	r.addEventEndpoint()
	n.t.Cleanup(r.listen())
	return r
}

func (r *reader) registerDevice() {
	r.n.t.Helper()
	s, err := r.n.push.Subscribe("")
	if err != nil {
		r.n.t.Fatalf("subscribe: %v", err)
	}
	r.do(http.MethodPost, "/subscribers/devices", object{"installationId": "installation-ana", "kind": "webpush",
		"endpoint": s.Endpoint, "keys": object{"p256dh": s.P256dh, "auth": s.Auth}, "platform": "web",
		"name": "Browser"}, nil)
	// The push service keeps every push: only the reader's count.
	id := s.Endpoint[strings.LastIndex(s.Endpoint, "/")+1:]
	ctx, stop := context.WithCancel(r.n.t.Context())
	r.n.t.Cleanup(stop)
	go func() {
		var seq int64
		for ctx.Err() == nil {
			for _, p := range r.n.push.Sent(seq) {
				seq = p.Seq
				var m struct{ Notification struct{ Title string } }
				if p.Endpoint == id && json.Unmarshal(p.Message, &m) == nil {
					r.arrivals.add("push", m.Notification.Title)
				}
			}
			wait(ctx, 2*time.Millisecond)
		}
	}()
}

// wait waits, unless ctx ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func (r *reader) addEventEndpoint() {
	r.n.t.Helper()
	owner := caller{n: r.n, network: "192.0.2.2", person: r.n.SignIn(r.n.t, "bia@example.com")}
	r.n.exec(`insert into publisher_members (publisher_id, subscriber_id, role)
		select p.id, s.id, 'owner' from publishers p, subscribers s where p.slug = 'demo' and s.email = 'bia@example.com'`)
	receiver := servertest.NewReceiver(r.n.t, func(_ http.ResponseWriter, req *http.Request) {
		var e struct {
			Data struct{ NotificationID string }
		}
		if err := json.NewDecoder(req.Body).Decode(&e); err == nil {
			r.arrivals.add("event", e.Data.NotificationID)
		}
	})
	var made struct{ ID, Secret string }
	owner.do(http.MethodPost, "/publishers/demo/event-endpoints", object{"url": receiver.URL, "name": "e",
		"events": []string{"notification.dispatched"}}, &made)
	receiver.Know(made.Secret)
	owner.do(http.MethodPost, "/publishers/demo/event-endpoints/"+made.ID+"/challenge", nil, nil)
}

// listen opens the reader's stream, again whenever it ends.
func (r *reader) listen() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var ended sync.WaitGroup
	open := make(chan struct{})
	first := sync.OnceFunc(func() { close(open) })
	ended.Go(func() {
		for ctx.Err() == nil {
			r.read(ctx, first)
			wait(ctx, 50*time.Millisecond)
		}
	})
	select {
	case <-open:
	case <-time.After(patience):
		r.n.t.Fatal("the reader's stream did not open")
	}
	return func() { cancel(); ended.Wait() }
}

func (r *reader) read(ctx context.Context, opened func()) {
	req, err := r.request(ctx, http.MethodGet, "/subscribers/notifications/stream", nil)
	if err != nil {
		return
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return
	}
	defer res.Body.Close() // it is read until it ends
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		opened()
		var n struct{ ID string }
		if data, ok := strings.CutPrefix(lines.Text(), "data:"); ok && json.Unmarshal([]byte(data), &n) == nil {
			r.arrivals.add("stream", n.ID)
		}
	}
}

// times are how long everything took that the reader did, or had done for them.
type times map[string]time.Duration

// round does everything once, and returns how long each took. What did not succeed took patience.
func (r *reader) round(t *testing.T) times {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r.rounds++
	var published times
	var publishing sync.WaitGroup
	publishing.Go(func() { published = r.published(ctx, t) })
	took := r.measure(t, map[string]func() (time.Duration, error){
		"code":     func() (time.Duration, error) { return r.code(ctx) },
		"feed":     r.ask(ctx, r.caller, http.MethodGet, "/subscribers/notifications?limit=20", nil),
		"search":   r.ask(ctx, r.caller, http.MethodGet, "/subscribers/notifications?q=ordinary", nil),
		"channels": r.ask(ctx, r.visitor, http.MethodGet, "/channels?q=novidades", nil),
		"page":     r.ask(ctx, r.visitor, http.MethodGet, r.n.URL+"/channels/"+readersChannel, nil),
		"bell":     r.ask(ctx, r.caller, http.MethodPatch, "/subscribers/me", object{"timezone": "Europe/Lisbon"}),
	})
	publishing.Wait()
	maps.Copy(took, published)
	return took
}

// measure does several things at the same time.
func (r *reader) measure(t *testing.T, things map[string]func() (time.Duration, error)) times {
	t.Helper()
	took, mu, all := times{}, sync.Mutex{}, sync.WaitGroup{}
	for what, do := range things {
		all.Go(func() {
			d, err := do()
			if err != nil {
				t.Logf("%s in round %d: %v", what, r.rounds, err)
				d = patience
			}
			mu.Lock()
			defer mu.Unlock()
			took[what] = d
		})
	}
	all.Wait()
	return took
}

// ask returns what sends a request that must succeed.
func (r *reader) ask(
	ctx context.Context, c caller, method, path string, body any,
) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		began := time.Now()
		status, err := c.send(ctx, method, path, body, nil)
		if err == nil && status >= http.StatusMultipleChoices {
			err = fmt.Errorf("%s %s: status %d", method, path, status)
		}
		return time.Since(began), err
	}
}

// published publishes to the reader's channel, and waits until it has arrived in every way.
func (r *reader) published(ctx context.Context, t *testing.T) times {
	t.Helper()
	began, title := time.Now(), fmt.Sprintf("ordinary%d", r.rounds)
	var n struct{ ID, ImageProxy string }
	status, err := r.publisher.send(ctx, http.MethodPost, "/channels/"+readersChannel+"/notifications",
		object{"title": title, "image": fmt.Sprintf("%s/%d", r.pictures, r.rounds)}, &n)
	if err == nil && status != http.StatusCreated {
		err = fmt.Errorf("status %d", status)
	}
	took := time.Since(began)
	return r.measure(t, map[string]func() (time.Duration, error){
		"publish": func() (time.Duration, error) { return took, err },
		"push":    func() (time.Duration, error) { return r.arrivals.wait(ctx, "push", title, began) },
		"stream":  func() (time.Duration, error) { return r.arrivals.wait(ctx, "stream", n.ID, began) },
		"event":   func() (time.Duration, error) { return r.arrivals.wait(ctx, "event", n.ID, began) },
		"picture": r.ask(ctx, r.visitor, http.MethodGet, n.ImageProxy, nil),
		"found":   func() (time.Duration, error) { return r.found(ctx, title, began) },
	})
}

// found returns how long after a time the reader's search has found a notification.
func (r *reader) found(ctx context.Context, title string, since time.Time) (time.Duration, error) {
	for {
		var page struct{ Data []struct{ Title string } }
		_, err := r.send(ctx, http.MethodGet, "/subscribers/notifications?limit=1&q="+title, nil, &page)
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if err == nil && len(page.Data) == 1 && page.Data[0].Title == title {
			return time.Since(since), nil
		}
		wait(ctx, 200*time.Millisecond)
	}
}

// code asks for a code to sign in with, from a network and for an address of their own, and returns how long its email
// took.
func (r *reader) code(ctx context.Context) (time.Duration, error) {
	began, email := time.Now(), fmt.Sprintf("reader%d@example.org", r.rounds)
	newcomer := caller{n: r.n, network: fmt.Sprintf("192.0.2.%d", 10+r.rounds%200)}
	status, err := newcomer.send(ctx, http.MethodPost, "/auth/email", object{"email": email}, nil)
	if err != nil || status != http.StatusNoContent {
		return 0, fmt.Errorf("ask for a code: status %d, %w", status, err)
	}
	var emails []object
	_, err = newcomer.send(ctx, http.MethodGet, r.n.MailURL+"/messages?wait=14s&to="+url.QueryEscape(email), nil, &emails)
	if err == nil && len(emails) == 0 {
		err = errors.New("no email")
	}
	return time.Since(began), err
}

// worst keeps the longest time of each.
func (t times) worst(other times) {
	for what, d := range other {
		t[what] = max(t[what], d)
	}
}
