package simulation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"syscall"
	"time"

	"github.com/sininho/sininho/server/lab/simulation/history"
)

// client sends requests of one caller, and records them.
type client struct {
	r             *run
	process       string
	authorization string
	cookie        string
	http          *http.Client
}

// requestTimeout is shorter than that of the SDKs, so that a caller that gets no response does something else soon.
const requestTimeout = 4 * time.Second

func (r *run) client(process string) *client {
	transport := &http.Transport{MaxIdleConnsPerHost: 4}
	r.t.Cleanup(transport.CloseIdleConnections)
	return &client{r: r, process: process, http: &http.Client{Timeout: requestTimeout, Transport: transport}}
}

// request is a request of an operation.
type request struct {
	method, path string
	key          string // Idempotency-Key
	body         any
	read         bool // changes nothing
}

// result is what is known after a request.
type result struct {
	as   history.Type
	body []byte
	history.Value
	id      string
	refused bool // the node does not listen
}

// do sends a request of an operation to a node and records both ends. read takes what matters from a good response.
func (c *client) do(node int, e history.Event, q request, read func(*result)) result {
	e.Process, e.Node = c.process, nodeName(node)
	e = c.r.history.Invoke(e)
	got := c.send(node, q)
	if got.as == history.OK && read != nil {
		read(&got)
	}
	c.r.history.Complete(e, got.as, got.Value, got.id)
	return got
}

func (c *client) send(node int, q request) (got result) {
	var in io.Reader
	if q.body != nil {
		b, err := json.Marshal(q.body)
		if err != nil {
			panic(err) // only texts and times
		}
		in = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(context.Background(), q.method, c.r.url(node)+q.path, in)
	if err != nil {
		panic(err) // its parts are ours
	}
	for name, value := range map[string]string{"Authorization": c.authorization, "Cookie": c.cookie,
		"Idempotency-Key": q.key} {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	if q.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := c.http.Do(req)
	if err != nil {
		got.as, got.Problem, got.refused = history.Info, err.Error(), errors.Is(err, syscall.ECONNREFUSED)
		if got.refused || q.read {
			got.as = history.Fail
		}
		return got
	}
	defer res.Body.Close()
	got.body, err = io.ReadAll(res.Body)
	got.Status, got.Replayed = res.StatusCode, res.Header.Get("Idempotency-Replayed") == "true"
	switch {
	case err != nil: // cut in the middle
		got.as, got.Status, got.Problem = history.Info, 0, err.Error()
	case got.Status < 300:
		got.as = history.OK
	case got.Status < 500:
		got.as, got.Problem = history.Fail, string(got.body)
	default:
		got.as, got.Problem = history.Info, string(got.body)
		if res.Header.Get("Retry-After") == "" {
			got.Problem = history.NoRetryAfter
		}
	}
	if q.read && got.as == history.Info {
		got.as = history.Fail
	}
	return got
}

// persist sends a request at one node after another until it is known what became of it, or a few times.
func (c *client) persist(node int, e history.Event, q request, read func(*result)) (got result) {
	const most = 5
	for try := range most {
		got = c.do((node+try)%nodeCount, e, q, read)
		inFlight := got.Status == http.StatusConflict
		if got.as == history.OK || got.as == history.Fail && !got.refused && !inFlight || c.r.over() {
			return got
		}
		c.r.sleep(20 * time.Millisecond)
	}
	return got
}

// decode decodes the body of a good response.
func (c *client) decode(got *result, into any) {
	if err := json.Unmarshal(got.body, into); err != nil {
		c.r.t.Errorf("response to %s: got %s, want JSON: %v", c.process, got.body, err)
	}
}
