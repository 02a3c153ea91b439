package production

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/pkg/sininho"
)

// load is what clients do to an installation, by one request after another: nothing is tried again.
type load struct {
	i   *installation
	key string          // the API key
	ctx context.Context // of the load; requests outlive it

	mu           sync.Mutex
	requests     int
	failures     []string
	acknowledged map[string]bool // ids of notifications
	heard        map[string]bool // ids of stream events

	stop          context.CancelFunc
	wait, streams sync.WaitGroup // of requests, and of streams, which last until the test ends
}

// newLoad returns a load without clients.
func (i *installation) newLoad(key string) *load {
	l := &load{i: i, key: key, acknowledged: map[string]bool{}, heard: map[string]bool{}}
	l.ctx, l.stop = context.WithCancel(i.t.Context())
	i.t.Cleanup(func() {
		l.finish()
		l.streams.Wait()
	})
	return l
}

// through begins to listen to a stream, to publish and to read, through a proxy.
func (l *load) through(name string, client *http.Client) {
	l.i.t.Helper()
	opened := make(chan struct{})
	l.streams.Go(func() { l.listen(client, sync.OnceFunc(func() { close(opened) })) })
	<-opened
	for n := range 2 {
		l.wait.Go(func() {
			l.repeat(5*time.Millisecond, func(k int) { l.publish(client, fmt.Sprint(name, "-", n, "-", k)) })
		})
	}
	l.wait.Go(func() { l.repeat(250*time.Millisecond, func(int) { l.read(client) }) })
}

// finish ends the load and waits for requests that are under way.
func (l *load) finish() {
	l.stop()
	l.wait.Wait()
}

// repeat calls fn, with a pause before each call, until the load ends.
func (l *load) repeat(pause time.Duration, fn func(n int)) {
	for n := 0; ; n++ {
		select {
		case <-l.ctx.Done():
			return
		case <-time.After(pause):
			fn(n)
		}
	}
}

func (l *load) publish(client *http.Client, name string) {
	body := strings.NewReader(fmt.Sprintf(`{"title":%q,"body":"Em produção."}`, name))
	var n struct{ ID string }
	if l.request(client, http.MethodPost, "/channels/"+channel+"/notifications", "production-"+name, body, &n) {
		l.mu.Lock()
		l.acknowledged[n.ID] = true
		l.mu.Unlock()
	}
}

// publishBatch publishes a batch that is larger than what proxies accept by default.
func (l *load) publishBatch(client *http.Client, name string) {
	item := fmt.Sprintf(`{"title":%q,"body":%q}`, name, strings.Repeat("a", 20_000))
	body := strings.NewReader(`{"notifications":[` + strings.Repeat(item+",", 74) + item + `]}`)
	var result struct{ Data []struct{ ID string } }
	if l.request(client, http.MethodPost, "/channels/"+channel+"/notifications/batch", "production-"+name, body, &result) {
		l.mu.Lock()
		for _, n := range result.Data {
			l.acknowledged[n.ID] = true
		}
		l.mu.Unlock()
	}
}

func (l *load) read(client *http.Client) {
	l.request(client, http.MethodGet, "/channels/"+channel+"/notifications?limit=5", "", http.NoBody, &struct{}{})
}

// request makes one request, not cancelled by the end of the load, and counts it. It returns whether it has succeeded.
func (l *load) request(client *http.Client, method, path, key string, body io.Reader, out any) bool {
	req, err := http.NewRequestWithContext(l.i.t.Context(), method, l.i.url+"/api/v1"+path, body)
	if err != nil {
		return l.count(err)
	}
	req.Header.Set("Authorization", "Bearer "+l.key)
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	req.GetBody = nil // so that Go's client does not try again either
	began := time.Now()
	res, err := client.Do(req)
	if err != nil {
		return l.count(fmt.Errorf("%w after %s", err, time.Since(began)))
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s after %s: %s", method, path, res.Status, time.Since(began), text)
	}
	if err == nil {
		err = json.Unmarshal(text, out)
	}
	return l.count(err)
}

func (l *load) count(err error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests++
	if err != nil {
		l.failures = append(l.failures, err.Error())
	}
	return err == nil
}

// listen follows the stream of the channel, which reconnects when a server is replaced.
func (l *load) listen(client *http.Client, opened func()) {
	ctx := l.i.t.Context()
	streaming := *client
	streaming.Timeout = 0
	options := sininho.StreamOptions{OnConnect: opened}
	for e, err := range l.i.sdk(&streaming, l.key).Notifications.Stream(ctx, channel, options) {
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			l.count(fmt.Errorf("stream: %w", err))
			return
		}
		if e.Notification != nil {
			l.mu.Lock()
			l.heard[e.Notification.ID] = true
			l.mu.Unlock()
		}
	}
}

// more waits for n further publishes.
func (l *load) more(n int) {
	l.i.t.Helper()
	before := l.published()
	eventually.True(l.i.t, fmt.Sprint(n, " more publishes"), func() bool { return l.published() >= before+n })
}

func (l *load) published() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.acknowledged)
}

// acknowledgedSoFar returns the ids of the acknowledged notifications.
func (l *load) acknowledgedSoFar() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Keys(l.acknowledged))
}

// missed returns how many acknowledged notifications no stream has had.
func (l *load) missed() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id := range l.acknowledged {
		if !l.heard[id] {
			n++
		}
	}
	return n
}
