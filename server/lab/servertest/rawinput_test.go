package servertest_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/dev"
	"github.com/sininho/sininho/server/lab/servertest"
)

// TestRawBytes sends bytes that no client library would send. Whatever they are, the server neither fails nor hangs,
// and what it responds is HTTP. `make test-input` sends 50,000.
func TestRawBytes(t *testing.T) {
	t.Parallel()
	faults := &faultLog{}
	r := newRawClient(t, newFixtureOn(t, servertest.Start(t, faults.option(), servertest.Passkeys())))
	r.send(2_000)
	r.pipelines(20)
	faults.check(t)
}

// rawClient sends raw bytes to a server.
type rawClient struct {
	f      *fixture
	addr   string
	cookie string
	key    string
	seed   uint64
	sent   atomic.Int64
	next   int // number of the next request

	failures atomic.Int64

	withoutWebApp bool // the server was built without it, and says so with a 503
}

func newRawClient(t *testing.T, f *fixture) *rawClient {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.URL, nil)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	f.owner.Sign(req)
	res, err := prober.Do(req)
	if err != nil {
		t.Fatalf("fetch the web app: %v", err)
	}
	_ = res.Body.Close()
	return &rawClient{f: f, addr: req.URL.Host, cookie: req.Header.Get("Cookie"), key: f.newKey("publish").Secret,
		seed: seedOf(t), withoutWebApp: res.StatusCode == http.StatusServiceUnavailable}
}

const (
	rawClients  = 8
	patience    = 50 * time.Millisecond // for a response, before the client says that it has nothing more to send
	longestWait = 25 * time.Second      // more than any time limit of the server
)

// send sends n requests. Each depends only on the seed and its number.
func (r *rawClient) send(n int) {
	r.f.t.Helper()
	numbers := make(chan int)
	var all sync.WaitGroup
	for range rawClients {
		all.Go(func() {
			for i := range numbers {
				dice := rand.New(rand.NewPCG(r.seed, uint64(i)))
				r.exchange(i, r.request(dice))
			}
		})
	}
	for range n {
		if r.failures.Load() >= mostFailures {
			break
		}
		numbers <- r.next
		r.next++
	}
	close(numbers)
	all.Wait()
}

// exchange sends bytes on a connection of their own and judges what comes back.
func (r *rawClient) exchange(i int, request []byte) {
	r.f.t.Helper()
	r.sent.Add(1)
	received, halfClosed, err := r.receive(request)
	if err == nil {
		err = r.judge(request, received, halfClosed)
	}
	if err != nil {
		r.failures.Add(1)
		r.f.t.Errorf("raw request %d, seed %d: %v\n  received: %.500q\n  printf %s | nc %s", i, r.seed, err, received,
			strings.ReplaceAll(quote(string(request[:min(len(request), 4000)])), "%", "%%"),
			strings.ReplaceAll(r.addr, ":", " "))
	}
}

// receive sends a request and returns all that the server sends until it closes the connection. A server that waits
// for more is told that there is nothing.
func (r *rawClient) receive(request []byte) (received []byte, halfClosed bool, err error) {
	conn, err := (&net.Dialer{}).DialContext(r.f.t.Context(), "tcp", r.addr)
	if err != nil {
		return nil, false, err
	}
	defer conn.Close()                         // all has been read
	go func() { _, _ = conn.Write(request) }() // the server may respond, and close, before it has read all
	first := make([]byte, 1)
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	n, err := conn.Read(first)
	halfClosed = isTimeout(err)
	_ = conn.(*net.TCPConn).CloseWrite()
	_ = conn.SetReadDeadline(time.Now().Add(longestWait))
	rest, err := io.ReadAll(conn)
	if isTimeout(err) {
		return rest, halfClosed, fmt.Errorf("the server hangs: %w", err)
	}
	received = append(first[:n], rest...)
	halfClosed = halfClosed || bytes.HasPrefix(received, []byte("HTTP/1.1 100")) // the response comes later
	return received, halfClosed, nil                                             // a reset is a way to close
}

func isTimeout(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return ok && timeout.Timeout()
}

// judge returns what is wrong with the responses to a request.
func (r *rawClient) judge(request, received []byte, halfClosed bool) error {
	method, _, _ := bytes.Cut(request, []byte(" "))
	reader := bufio.NewReader(bytes.NewReader(received))
	for {
		if _, err := reader.Peek(1); err != nil {
			return nil // the server has closed the connection without a response
		}
		res, err := http.ReadResponse(reader, &http.Request{Method: string(method)})
		if err != nil {
			return fmt.Errorf("no HTTP response: %w", err)
		}
		if err := r.judgeStatus(res, halfClosed); err != nil {
			return err
		}
		if res.StatusCode < http.StatusOK {
			continue
		}
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		method = nil // of what else the server made of the bytes, nothing is known, and so not where its response ends
		if res.StatusCode != http.StatusOK || res.ContentLength < 0 {
			return nil
		}
	}
}

// judgeStatus refuses server errors, except those that HTTP demands.
func (r *rawClient) judgeStatus(res *http.Response, halfClosed bool) error {
	switch res.StatusCode {
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported: // RFC 9112, 6.1, and RFC 9110, 15.6.6
		if res.Header.Get("X-Request-Id") == "" { // from net/http
			return nil
		}
	case http.StatusServiceUnavailable:
		appearsToHaveLeft := halfClosed
		if appearsToHaveLeft || r.withoutWebApp && res.Header.Get("X-Request-Id") == "" {
			return nil
		}
	}
	if res.StatusCode >= http.StatusInternalServerError {
		return fmt.Errorf("status %s", res.Status)
	}
	return nil
}

// pipelines sends several requests at once on one connection, and expects as many responses in the same order.
func (r *rawClient) pipelines(n int) {
	r.f.t.Helper()
	for i := range n {
		var request bytes.Buffer
		for j := range 20 {
			path := []string{"/api/v1/channels", "/api/v1/subscribers/me", "/api/v1/nowhere", "/api/v1/auth"}[j%4]
			last := map[bool]string{true: "Connection: close\r\n"}[j == 19]
			fmt.Fprintf(&request, "GET %s HTTP/1.1\r\nHost: %s\r\nX-Request-Id: pipe-%d-%d\r\n%s\r\n", path, r.addr, i, j, last)
		}
		r.sent.Add(20)
		conn, err := (&net.Dialer{}).DialContext(r.f.t.Context(), "tcp", r.addr)
		if err != nil {
			r.f.t.Fatalf("connect: %v", err)
		}
		_ = conn.SetDeadline(time.Now().Add(longestWait))
		_, _ = conn.Write(request.Bytes())
		reader := bufio.NewReader(conn)
		for j := range 20 {
			res, err := http.ReadResponse(reader, nil)
			if err != nil {
				r.f.t.Fatalf("response %d of a pipeline: %v", j, err)
			}
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
			if got, want := res.Header.Get("X-Request-Id"), fmt.Sprintf("pipe-%d-%d", i, j); got != want ||
				res.StatusCode >= 500 {
				r.f.t.Errorf("response %d of a pipeline: got %s of %q, want that of %q", j, res.Status, got, want)
			}
		}
		_ = conn.Close()
	}
}

// faultLog keeps the lines of a server's log that report a fault of the server.
type faultLog struct {
	mu    sync.Mutex
	rest  []byte // of a line that is not complete
	lines []string
}

// Write implements io.Writer.
func (l *faultLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, b...)
	for {
		line, rest, ok := bytes.Cut(l.rest, []byte("\n"))
		if !ok {
			return len(b), nil
		}
		for _, fault := range []string{"level=ERROR", "panic", "DATA RACE", "fatal error"} {
			if bytes.Contains(line, []byte(fault)) && len(l.lines) < mostFailures {
				l.lines = append(l.lines, string(line))
				break
			}
		}
		l.rest = slices.Clone(rest)
	}
}

func (l *faultLog) check(t *testing.T) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range l.lines {
		t.Errorf("log of the server: %.2000s", line)
	}
}

// option makes a server write its log, with everything in it, to l.
func (l *faultLog) option() servertest.Option {
	return func(c *dev.Config) {
		c.Log = slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
}
