package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/sininho/sininho/server/lab/cluster"
)

// publisher publishes to the channel, and writes every attempt into the ledger.
type publisher struct {
	i     *installation
	http  *http.Client
	addrs []string // of the nodes, which it calls by turns
	body  string   // of the notifications
	key   string   // the API key; a visitor has none
	batch bool     // it publishes each notification as a batch, whose statements are sent one after another
}

// attemptTimeout is that of the SDKs.
const attemptTimeout = 30 * time.Second

func (i *installation) publisher(nodes ...*cluster.Node) *publisher {
	p := &publisher{i: i, key: i.APIKey, body: "What broke?", http: &http.Client{
		Timeout: attemptTimeout, Transport: &http.Transport{MaxIdleConnsPerHost: 256, DialContext: dial},
	}}
	for _, n := range nodes {
		p.addrs = append(p.addrs, n.Addr)
	}
	i.t.Cleanup(p.http.CloseIdleConnections)
	return p
}

// connectEachTime has every request dial. On a connection that it has used before, the transport would repeat a request
// that was cut, and the test would not see it.
func (p *publisher) connectEachTime() { p.http.Transport.(*http.Transport).DisableKeepAlives = true }

// dial dials a connection that tells a reset from a node that has closed it.
func dial(ctx context.Context, network, addr string) (net.Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &resettable{Conn: c}, nil
}

// resettable returns the error of a failed write from reads as well. The kernel reports a reset once: when a write has
// met it, reads return io.EOF.
type resettable struct {
	net.Conn
	mu  sync.Mutex
	err error // of a write
}

func (c *resettable) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, err := c.Conn.Write(b)
	c.err = err
	return n, err
}

func (c *resettable) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if errors.Is(err, io.EOF) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.err != nil {
			err = c.err
		}
	}
	return n, err
}

// try makes one attempt.
func (p *publisher) try(ctx context.Context, addr, key string) attempt {
	a := attempt{key: key, node: addr, began: time.Now()}
	a = p.send(ctx, a)
	a.took = time.Since(a.began)
	p.i.ledger.add(a)
	return a
}

func (p *publisher) send(ctx context.Context, a attempt) attempt {
	body, path := fmt.Appendf(nil, `{"title":%q,"body":%q}`, a.key, p.body), "notifications"
	if p.batch {
		body, path = fmt.Appendf(nil, `{"notifications":[%s]}`, body), "notifications/batch"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost,
		"http://"+a.node+"/api/v1/channels/demo/novidades/"+path, bytes.NewReader(body))
	if err != nil {
		a.err = err.Error()
		return a
	}
	req.Header.Set("Authorization", "Bearer "+p.key)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", a.key)
	res, err := p.http.Do(req)
	if err != nil {
		a.err = err.Error()
		return a
	}
	defer res.Body.Close()
	response, err := io.ReadAll(res.Body)
	if err != nil { // cut in the middle: the client cannot know what it was
		a.err = err.Error()
		return a
	}
	a.status, a.retryAfter = res.StatusCode, res.Header.Get("Retry-After")
	a.replayed = res.Header.Get("Idempotency-Replayed") == "true"
	if a.acknowledged() {
		var n struct{ ID string }
		if err := json.Unmarshal(response, &n); err != nil || n.ID == "" {
			p.i.t.Errorf("response to the key %s: got %s, want a notification with its id", a.key, response)
		}
		a.id = n.ID
	}
	return a
}

// publish makes attempts with a key, at the nodes by turns, until one is acknowledged or the context ends.
func (p *publisher) publish(ctx context.Context, key string) (last attempt) {
	for turn := 0; ; turn++ {
		last = p.try(ctx, p.addrs[turn%len(p.addrs)], key)
		if last.acknowledged() || ctx.Err() != nil {
			return last
		}
		select {
		case <-ctx.Done():
			return last
		case <-time.After(50 * time.Millisecond): // shorter than any Retry-After, to be there when it heals
		}
	}
}

// load publishes with a number of clients until the returned function is called, which waits until every key that was
// begun is acknowledged. Each client pauses between its keys.
func (p *publisher) load(name string, clients int, pause time.Duration) (stop func()) {
	var wg sync.WaitGroup
	done := make(chan struct{})
	for c := range clients {
		wg.Go(func() {
			for k := 0; ; k++ {
				select {
				case <-done:
					return
				case <-time.After(pause):
				}
				q := *p // begins at another node
				q.addrs = append(p.addrs[(c+k)%len(p.addrs):len(p.addrs):len(p.addrs)], p.addrs[:(c+k)%len(p.addrs)]...)
				q.publish(p.i.t.Context(), fmt.Sprintf("%s-%d-%d", name, c, k))
			}
		})
	}
	return sync.OnceFunc(func() {
		close(done)
		wg.Wait()
	})
}

// read makes one attempt to read the channel's notifications, and writes it into the ledger of reads.
func (p *publisher) read(ctx context.Context, addr string) attempt {
	return p.get(ctx, addr, "/api/v1/channels/demo/novidades/notifications")
}

func (p *publisher) get(ctx context.Context, addr, path string) attempt {
	a := attempt{key: path, node: addr, began: time.Now()}
	defer func() {
		a.took = time.Since(a.began)
		p.i.reads.add(a)
	}()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+path, nil)
	if err != nil {
		p.i.t.Fatalf("new request: %v", err)
	}
	if p.key != "" {
		req.Header.Set("Authorization", "Bearer "+p.key)
	}
	res, err := p.http.Do(req)
	if err != nil {
		a.err = err.Error()
		return a
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		a.err = err.Error()
		return a
	}
	a.status, a.retryAfter = res.StatusCode, res.Header.Get("Retry-After")
	return a
}

// readers reads from a number of clients until the returned function is called.
func (p *publisher) readers(clients int, pause time.Duration) (stop func()) {
	var wg sync.WaitGroup
	done := make(chan struct{})
	for c := range clients {
		wg.Go(func() {
			for k := c; ; k++ {
				select {
				case <-done:
					return
				case <-time.After(pause):
					p.read(p.i.t.Context(), p.addrs[k%len(p.addrs)])
				}
			}
		})
	}
	return sync.OnceFunc(func() {
		close(done)
		wg.Wait()
	})
}

// onlyUnavailable checks that every attempt was acknowledged, refused with 503 and Retry-After, or broke off.
func (l *ledger) onlyUnavailable() (faults []string) {
	for _, a := range l.all() {
		if a.acknowledged() || a.status == 0 || a.status == http.StatusServiceUnavailable && a.retryAfter != "" {
			continue
		}
		faults = append(faults, fmt.Sprintf("key %s at %s: status %d, Retry-After %q", a.key,
			a.began.Format(time.TimeOnly), a.status, a.retryAfter))
	}
	return faults
}

// some returns the first few of many lines.
func some(lines []string) string {
	const most = 10
	if len(lines) > most {
		return strings.Join(lines[:most], "\n") + fmt.Sprintf("\nand %d more", len(lines)-most)
	}
	return strings.Join(lines, "\n")
}
