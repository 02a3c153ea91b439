package live

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/check"
)

// TestStreamsNeedNoGoroutine opens many streams over HTTP/1.1. The handlers return, and the streams go on.
func TestStreamsNeedNoGoroutine(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	eachTransport(t, func(t *testing.T, transport func(*service)) {
		s := newService(t, transport)
		clients := []*client{s.connect("/channel")}
		before := runtime.NumGoroutine()
		for i := range 200 {
			clients = append(clients, s.connect([]string{"/channel", "/feed"}[i%2]))
		}
		eventually.True(t, "the goroutines of the handlers to end", func() bool {
			return runtime.NumGoroutine() <= before+2
		})
		check.Equal(t, "open streams", s.open.Load(), 201)
		s.publish("one", "two")
		for _, c := range clients {
			c.expectTitles(1, "one", "two")
		}
		s.stop()
		for _, c := range clients {
			c.expectEnd("after the shutdown")
		}
		check.Equal(t, "open streams after the shutdown", s.open.Load(), 0)
	})
}

// TestStreamsOverTLSSayThatTheyEnd expects TLS to be closed in order, without which clients like curl report an error.
func TestStreamsOverTLSSayThatTheyEnd(t *testing.T) {
	t.Parallel()
	s := newService(t, overTLS)
	c := s.connect("/channel")
	s.stop()
	record, err := io.ReadAll(c.tcp)
	if err != nil {
		t.Fatalf("read what is below TLS: %v", err)
	}
	// Go reports no error without it. An alert is encrypted: two bytes, their type and a tag of 16.
	check.Equal(t, "header of the last record", fmt.Sprintf("% x of %d bytes", record[:min(5, len(record))], len(record)),
		"17 03 03 00 13 of 24 bytes")
}

func TestHeaderOfAStream(t *testing.T) {
	t.Parallel()
	s := newService(t, nil)
	for proto, want := range map[string]string{"HTTP/1.1": "HTTP/1.1 200 OK", "HTTP/1.0": "HTTP/1.0 200 OK"} {
		c := s.dial("GET /channel " + proto + "\r\nHost: x\r\n\r\n")
		status, h := c.header()
		check.Equal(t, proto+": status", status, want)
		for name, want := range map[string]string{
			"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
			"X-Request-Id": "r1", "Transfer-Encoding": "",
		} {
			check.Equal(t, proto+": header "+name, h.Get(name), want)
		}
		if _, err := http.ParseTime(h.Get("Date")); err != nil {
			t.Errorf("%s: header Date: %v", proto, err)
		}
		if got := c.block(); !strings.HasPrefix(got, "retry: ") {
			t.Errorf("%s: first block: got %q, want the delay before reconnecting", proto, got)
		}
	}
}

// TestStreamsOnTLSOfTheirOwn expects the same stream over HTTP/2, and over HTTP/1.1 on a listener of another package,
// also when nothing is written for longer than a write may take.
func TestStreamsOnTLSOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, http2 := range []bool{true, false} {
		s := newService(t, func(s *service) {
			s.http.EnableHTTP2 = http2
			s.http.StartTLS()
			s.pace.heartbeat, s.pace.write = 2*time.Second, time.Second
		})
		s.publish("one", "two")
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.http.URL+"/feed", nil)
		if err != nil {
			t.Fatalf("new request: %v", err)
		}
		req.Header.Set("Last-Event-ID", "0")
		res, err := s.http.Client().Do(req)
		if err != nil {
			t.Fatalf("request: %v", err)
		}
		check.Equal(t, "HTTP version", res.ProtoMajor, map[bool]int{true: 2, false: 1}[http2])
		check.Equal(t, "content type", res.Header.Get("Content-Type"), "text/event-stream")
		c := &client{bufio.NewReader(res.Body), t, nil, nil}
		c.block()
		c.expectTitles(1, "one", "two")
		check.Equal(t, "heartbeat", c.block(), ":\n")
		s.stop()
		if _, err := io.Copy(io.Discard, c); err != nil {
			t.Errorf("stream after the shutdown: got %v, want its end", err)
		}
		_ = res.Body.Close()
		eventually.True(t, "the stream to end on the server too", func() bool { return s.open.Load() == 0 })
	}
}

// opaque hides that its connections are sockets.
type opaque struct{ net.Listener }

func (l opaque) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return struct{ net.Conn }{conn}, err
}

func TestStreamsOnConnectionsOfAnUnknownKind(t *testing.T) {
	t.Parallel()
	s := newService(t, func(s *service) { s.http.Listener = opaque{s.http.Listener} })
	one, two := s.connect("/channel"), s.connect("/channel")
	_ = one.conn.Close()
	eventually.True(t, "the client that left to be noticed", func() bool { return s.open.Load() == 1 })
	s.publish("one")
	two.expectTitles(1, "one")
	s.stop()
	two.expectEnd("after the shutdown")
}

// TestClientsThatLeaveAreNoticed expects streams to end without a write, and with what a client sends ignored.
func TestClientsThatLeaveAreNoticed(t *testing.T) {
	t.Parallel()
	eachTransport(t, clientsLeave)
}

func clientsLeave(t *testing.T, transport func(*service)) {
	s := newService(t, transport)
	stays := s.connect("/channel")
	var leaving []*client
	for range 20 {
		leaving = append(leaving, s.connect("/feed"))
	}
	for i, c := range leaving {
		if i%2 == 0 {
			_ = c.tcp.SetLinger(0) // a reset instead of an orderly end
		}
		_ = c.conn.Close()
	}
	if !s.secure {
		if _, err := stays.conn.Write(bytes.Repeat([]byte("noise"), 1000)); err != nil {
			t.Fatalf("write to the stream: %v", err)
		}
	}
	eventually.True(t, "the clients that left to be noticed", func() bool { return s.open.Load() == 1 })
	s.publish("one")
	stays.expectTitles(1, "one")
	s.mu.Lock()
	defer s.mu.Unlock()
	check.Equal(t, "readers that the hub keeps", len(s.readers), 0)
	check.Equal(t, "credentials that the hub keeps", len(s.credentials), 0)
}

// TestClientsThatSayGoodbyeAreNoticed closes TLS and leaves the TCP connection open.
func TestClientsThatSayGoodbyeAreNoticed(t *testing.T) {
	t.Parallel()
	s := newService(t, overTLS)
	c := s.connect("/channel")
	if err := c.conn.(*tls.Conn).CloseWrite(); err != nil {
		t.Fatalf("close TLS: %v", err)
	}
	c.expectEnd("of a client that has said goodbye")
	eventually.True(t, "the stream to end", func() bool { return s.open.Load() == 0 })
}

func TestHeartbeats(t *testing.T) {
	t.Parallel()
	eachTransport(t, func(t *testing.T, transport func(*service)) {
		s := newService(t, func(s *service) { s.pace.heartbeat = 20 * time.Millisecond; transport(s) })
		c := s.connect("/channel")
		for range 3 {
			check.Equal(t, "heartbeat", c.block(), ":\n")
		}
	})
}

func TestAStreamEndsWhenItsCredentialExpires(t *testing.T) {
	t.Parallel()
	for _, ordinary := range []bool{false, true} {
		s := newService(t, func(s *service) { s.http.EnableHTTP2 = ordinary })
		at := time.Now().Add(100 * time.Millisecond)
		s.q.ExpiresAt = &at
		res, err := s.http.Client().Get(s.http.URL + "/feed")
		if err != nil {
			t.Fatalf("request: %v", err)
		}
		if _, err := io.Copy(io.Discard, res.Body); err != nil {
			t.Errorf("stream of a credential that expires: got %v, want its end", err)
		}
		_ = res.Body.Close()
		if time.Now().Before(at) {
			t.Error("stream of a credential that expires: got its end before that")
		}
	}
}

// TestALookUpEndsTheStreamOfAnEndedSession expects that the sign-out of a session is noticed without its signal.
func TestALookUpEndsTheStreamOfAnEndedSession(t *testing.T) {
	t.Parallel()
	s := newService(t, func(s *service) { s.pace.lookUp = 10 * time.Millisecond })
	feed, channel := s.connect("/feed"), s.connect("/channel")
	s.source.ended.Store(true)
	feed.expectEnd("of an ended session")
	s.publish("one")
	channel.expectTitles(1, "one")
}

// TestASlowReaderDoesNotHoldUpOthers expects a reader that never reads to be cut at the write's time limit, while
// another one gets everything.
func TestASlowReaderDoesNotHoldUpOthers(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	eachTransport(t, func(t *testing.T, transport func(*service)) {
		s := newService(t, func(s *service) { s.pace.write = time.Second; transport(s) })
		slow := s.dial("GET /channel HTTP/1.1\r\nHost: x\r\n\r\n", tinyReadBuffer)
		slow.header()
		slow.block()
		fast := s.connect("/channel")
		var titles []string
		for i := range 60 {
			titles = append(titles, fmt.Sprintf("%d %s", i, strings.Repeat("x", 30_000)))
		}
		s.publish(titles...)
		fast.expectTitles(1, titles...)
		eventually.True(t, "the slow reader to be cut", func() bool { return s.open.Load() == 1 })
		s.publish("after")
		fast.expectTitles(61, "after")
	})
}

// TestASlowReaderIsCutWhenTooMuchIsQueued expects a reader to be cut before the write's time limit.
func TestASlowReaderIsCutWhenTooMuchIsQueued(t *testing.T) {
	t.Parallel()
	s := newService(t, nil)
	slow, fast := s.dial("GET /channel HTTP/1.1\r\nHost: x\r\n\r\n", tinyReadBuffer), s.connect("/channel")
	slow.header()
	slow.block()
	long := strings.Repeat("x", 100_000)
	published := 0
	for s.open.Load() == 2 {
		s.publish(long)
		published++
		fast.expectTitles(published, long)
	}
	if _, err := io.Copy(io.Discard, slow); err != nil {
		t.Logf("stream of the slow reader ended with %v", err)
	}
	if got := published * len(long); got <= bufferedBytes || got > 2*bufferedBytes {
		t.Errorf("bytes until the slow reader was cut: got %d, want about %d", got, bufferedBytes)
	}
}

// TestFramesStayWholeForReadersOfAnySpeed publishes frames of random sizes to readers with small buffers that pause at
// random, and that come back where they were cut.
func TestFramesStayWholeForReadersOfAnySpeed(t *testing.T) {
	t.Parallel()
	eachTransport(t, framesStayWhole)
}

func framesStayWhole(t *testing.T, transport func(*service)) {
	const frames = 150
	s := newService(t, func(s *service) { s.pace.sendBuffer = 4 << 10; transport(s) })
	random := rand.New(rand.NewPCG(1, 2))
	var titles []string
	for i := range frames {
		titles = append(titles, fmt.Sprintf("%d %s", i, strings.Repeat("x", random.IntN(1<<random.IntN(16)))))
	}
	var readers sync.WaitGroup
	for seed := range uint64(4) {
		first := s.connect("/channel")
		readers.Go(func() { s.readAll(first, titles, rand.New(rand.NewPCG(seed, 0))) })
	}
	for rest := titles; len(rest) > 0; {
		n := min(len(rest), 1+random.IntN(20))
		s.publish(rest[:n]...)
		rest = rest[n:]
		runtime.Gosched()
	}
	readers.Wait()
}

// readAll reads all titles in order, and reconnects at random points.
func (s *service) readAll(c *client, titles []string, random *rand.Rand) {
	for at := 0; at < len(titles); {
		for range 1 + random.IntN(50) {
			if at == len(titles) {
				break
			}
			want := fmt.Sprintf("id: %d\nevent: notification\ndata: %q\n", at+1, titles[at])
			got, err := c.ReadString('\n')
			for err == nil && !strings.HasSuffix(got, "\n\n") {
				var line string
				line, err = c.ReadString('\n')
				got += line
			}
			if err != nil {
				break // it was cut as a slow reader
			}
			if got != want+"\n" {
				s.t.Errorf("block %d: got %.100q, want %.100q", at+1, got, want)
				return
			}
			at++
		}
		_ = c.conn.Close()
		c = s.dial(fmt.Sprintf("GET /channel HTTP/1.1\r\nHost: x\r\nLast-Event-ID: %d\r\n\r\n", at),
			tinyReadBuffer)
		c.header()
		c.block()
	}
}

// TestShutdownEndsAStreamThatIsBeginning stops the hub while a client does not read its replay.
func TestShutdownEndsAStreamThatIsBeginning(t *testing.T) {
	t.Parallel()
	s := newService(t, func(s *service) { s.pace.sendBuffer = 4 << 10 })
	for range 100 {
		s.publish(strings.Repeat("x", 100_000))
	}
	s.dial("GET /channel HTTP/1.1\r\nHost: x\r\nLast-Event-ID: 0\r\n\r\n")
	eventually.True(t, "the stream to begin", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.channels) == 1
	})
	s.stop()
	eventually.True(t, "the stream to end", func() bool { return s.open.Load() == 0 })
}
