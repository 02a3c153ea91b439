package live

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// feedSource is a source whose changes are added by the test.
type feedSource struct {
	source
	mu   sync.Mutex
	list []core.Change
}

func (s *feedSource) next(after int64, limit int, include func(core.Notification) bool) (changes []core.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.list[after:] {
		if len(changes) == limit {
			break
		}
		if include(c.Notification) {
			changes = append(changes, c)
		}
	}
	return changes
}

func (s *feedSource) Changes(_ context.Context, after int64, limit, _ int, ids []core.ID) ([]core.Change, error) {
	return s.next(after, limit, func(n core.Notification) bool { return slices.Contains(ids, n.Channel.ID) }), nil
}

func (s *feedSource) Positions(_ context.Context, after int64, limit int) (positions []core.ChangePosition, err error) {
	for _, c := range s.next(after, limit, func(core.Notification) bool { return true }) {
		positions = append(positions, core.ChangePosition{Position: c.Position, NotificationID: c.Notification.ID,
			ChannelID: c.Notification.Channel.ID})
	}
	return positions, nil
}

func (s *feedSource) ChangesOf(_ context.Context, after int64, ids []core.ID) ([]core.Change, error) {
	return s.next(after, len(ids), func(n core.Notification) bool { return slices.Contains(ids, n.ID) }), nil
}

func (s *feedSource) StreamPosition(context.Context) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int64(len(s.list)), nil
}

// service is a hub behind an HTTP server, with one channel that everyone follows and another one.
type service struct {
	*Hub
	t      *testing.T
	source *feedSource
	http   *httptest.Server
	secure bool // over TLS, set by overTLS
	q      core.StreamRequest
	open   atomic.Int64
	stop   func()
}

// newService starts a service. change may modify it and its HTTP server before that.
func newService(t *testing.T, change func(*service)) *service {
	t.Helper()
	s := &service{t: t, source: &feedSource{source: source{followed: core.NewID()}}}
	s.Hub = &Hub{Source: s.source, Log: slog.New(slog.DiscardHandler), Encode: encodeTitle, Listen: neverSignals,
		pace: pace{heartbeat: time.Hour, lookUp: time.Hour, sweep: 5 * time.Millisecond, write: time.Minute,
			sendBuffer: 64 << 10}}
	s.http = httptest.NewUnstartedServer(Keep(http.HandlerFunc(s.handle)))
	if change != nil {
		change(s)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatalf("start the hub: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { s.Run(ctx) })
	if s.http.TLS == nil && s.http.URL == "" {
		if s.http.EnableHTTP2 {
			s.http.StartTLS()
		} else {
			s.http.Start()
		}
	}
	s.stop = func() { cancel(); running.Wait() }
	t.Cleanup(func() { s.stop(); s.http.CloseClientConnections(); s.http.Close() })
	return s
}

// overTLS changes a service to speak HTTP/1 over TLS.
func overTLS(s *service) {
	example := httptest.NewTLSServer(nil)
	defer example.Close()
	s.secure = true
	s.http.Listener = Secure(s.http.Listener, &tls.Config{
		Certificates: example.TLS.Certificates, MinVersion: tls.VersionTLS12})
}

// eachTransport runs a test over HTTP/1 without TLS and with it.
func eachTransport(t *testing.T, test func(t *testing.T, transport func(*service))) {
	t.Helper()
	t.Run("plain", func(t *testing.T) { test(t, func(*service) {}) })
	t.Run("TLS", func(t *testing.T) { test(t, overTLS) })
}

func encodeTitle(n core.Notification) []byte {
	b, _ := json.Marshal(n.Title)
	return b
}

func neverSignals(ctx context.Context, ready func(), _ func(core.Signal)) error {
	ready()
	<-ctx.Done()
	return ctx.Err()
}

func (s *service) handle(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Request-Id", "r1")
	s.open.Add(1)
	q := s.q
	q.LastEventID = r.Header.Get("Last-Event-ID")
	q.Ended = func() { s.open.Add(-1) }
	if r.URL.Path == "/feed" {
		q.CredentialID = core.NewID()
		_ = s.ServeFeed(w, r, core.NewID(), q)
		return
	}
	if r.URL.Path == "/other" {
		_ = s.ServeChannel(w, r, otherChannel, q)
		return
	}
	_ = s.ServeChannel(w, r, s.source.followed, q)
}

var otherChannel = core.NewID() // which nobody follows

// publish publishes a notification for each title.
func (s *service) publish(titles ...string) {
	s.source.add(s.source.followed, titles...)
	s.Wake()
}

// add adds a notification of a channel for each title.
func (s *feedSource) add(channelID core.ID, titles ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, title := range titles {
		n := core.Notification{ID: core.NewID(), Channel: core.ChannelRef{ID: channelID}, Title: title}
		c := core.Change{Position: int64(len(s.list)) + 1, Kind: core.ChangePublished, Notification: n}
		s.list = append(s.list, c)
	}
}

// client is one connection with a stream.
type client struct {
	*bufio.Reader
	t    *testing.T
	conn net.Conn
	tcp  *net.TCPConn // conn, or what is below TLS
}

// dial opens a connection and sends a request.
func (s *service) dial(request string, prepare ...func(*net.TCPConn)) *client {
	s.t.Helper()
	conn, err := net.Dial("tcp", s.http.Listener.Addr().String())
	if err != nil {
		s.t.Fatalf("dial: %v", err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	tcp := conn.(*net.TCPConn)
	for _, f := range prepare {
		f(tcp)
	}
	if s.secure {
		conn = tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
	}
	if _, err := io.WriteString(conn, request); err != nil {
		s.t.Fatalf("send the request: %v", err)
	}
	return &client{bufio.NewReader(conn), s.t, conn, tcp}
}

func tinyReadBuffer(c *net.TCPConn) { _ = c.SetReadBuffer(4 << 10) }

// connect opens a stream and reads its response header and first block.
func (s *service) connect(path string) *client {
	s.t.Helper()
	c := s.dial("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n")
	c.header()
	c.block()
	return c
}

func (c *client) header() (status string, h http.Header) {
	c.t.Helper()
	res, err := http.ReadResponse(c.Reader, nil) //nolint:bodyclose // the body is read from c itself
	if err != nil {
		c.t.Fatalf("read the response header: %v", err)
	}
	return res.Proto + " " + res.Status, res.Header
}

// block reads the lines up to the next empty one.
func (c *client) block() string {
	c.t.Helper()
	var b strings.Builder
	for {
		line, err := c.ReadString('\n')
		if err != nil {
			c.t.Fatalf("read a block: %v after %q", err, b.String())
		}
		if line == "\n" {
			return b.String()
		}
		b.WriteString(line)
	}
}

func (c *client) expectTitles(first int, titles ...string) {
	c.t.Helper()
	for i, title := range titles {
		want := fmt.Sprintf("id: %d\nevent: notification\ndata: %q\n", first+i, title)
		if got := c.block(); got != want {
			c.t.Fatalf("block: got %.100q, want %.100q", got, want)
		}
	}
}

func (c *client) expectEnd(when string) {
	c.t.Helper()
	if rest, err := io.ReadAll(c); err != nil {
		c.t.Errorf("stream %s: got %q and %v, want its end", when, rest, err)
	}
}
