package faults

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/cluster"
)

// TestNodeWithStreamsIsKilled kills a node with streams, which resume at another one.
func TestNodeWithStreamsIsKilled(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	first, second := i.Start(), i.Start()
	base := i.Balancer(first, second)
	for range 6 {
		i.listen(base)
	}
	p := i.publisher(second)
	for k := range 60 {
		if k == 20 {
			first.Kill()
		}
		p.publish(t.Context(), fmt.Sprint("streams-", k))
	}
	i.finish(0)
	resumed := 0
	for _, l := range i.listeners {
		resumed += int(l.connected.Load()) - 1
	}
	if resumed != 3 {
		t.Errorf("streams that resumed: got %d, want the 3 of the node that was killed", resumed)
	}
}

// TestSlowReader opens a stream, reads nothing, and publishes more than is kept for it.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	long(t)
	i := newInstallation(t)
	n := i.Start()
	i.listen("http://" + n.Addr)
	slow := i.openStream(n)
	p := i.publisher(n)
	p.body = strings.Repeat("x", 20_000)
	const clients, each = 8, 40
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			for k := range each {
				p.publish(t.Context(), fmt.Sprintf("slow-%d-%d", c, k))
			}
		})
	}
	all.Wait()
	i.checkUntouched()
	done := make(chan string)
	go func() { // ends only when the node has cut the stream
		b, _ := io.ReadAll(slow)
		done <- string(b)
	}()
	select {
	case all := <-done:
		if got := strings.Count(all, "event: notification"); got == 0 || got >= clients*each {
			t.Errorf("events that a slow reader received before it was cut: got %d, want some of %d", got, clients*each)
		}
	case <-time.After(time.Minute):
		t.Error("stream of a slow reader: got it open after a minute, want it cut")
	}
	i.finish(0)
}

// openStream opens a stream of the channel on a bare connection, and reads its header.
func (i *installation) openStream(n *cluster.Node) net.Conn {
	i.t.Helper()
	conn, err := net.Dial("tcp", n.Addr)
	if err != nil {
		i.t.Fatalf("dial a node: %v", err)
	}
	i.t.Cleanup(func() { _ = conn.Close() })
	if err := conn.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil { //nolint:forcetypeassert // it is
		i.t.Fatalf("set the size of a buffer: %v", err)
	}
	const request = "GET /api/v1/channels/demo/novidades/notifications/stream HTTP/1.1\r\nHost: %s\r\n\r\n"
	if _, err := fmt.Fprintf(conn, request, n.Addr); err != nil {
		i.t.Fatalf("open a stream: %v", err)
	}
	head := ""
	eventually.True(i.t, "the first block of the stream", func() bool {
		b := make([]byte, 1)
		if _, err := conn.Read(b); err != nil {
			i.t.Fatalf("read the first block of a stream: %v", err)
		}
		head += string(b)
		return strings.Contains(head, "retry: ")
	})
	return conn
}

// TestStreamOlderThanKept resumes streams at ids within and before what is replayed.
func TestStreamOlderThanKept(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	n := i.Start()
	p := i.publisher(n)
	p.publish(t.Context(), "first")
	const kept = 50_000 // positions
	i.Exec("select setval('stream_positions', (select max(position) from notifications) + $1)", kept)
	p.publish(t.Context(), "last")
	first := i.Count("select min(position) from notifications")
	for id, want := range map[int]bool{first: true, first + 1: false} {
		if block := i.firstBlock(n, strconv.Itoa(id)); strings.Contains(block, "event: reset") != want {
			t.Errorf("stream that resumes at %d, with the last at %d: got %q, want a reset: %t", id, first+kept+1,
				block, want)
		}
	}
}

// firstBlock opens a stream that resumes at an id, and returns its first block.
func (i *installation) firstBlock(n *cluster.Node, lastEventID string) string {
	i.t.Helper()
	req, err := http.NewRequestWithContext(i.t.Context(), http.MethodGet,
		"http://"+n.Addr+"/api/v1/channels/demo/novidades/notifications/stream", nil)
	if err != nil {
		i.t.Fatalf("new request: %v", err)
	}
	req.Header.Set("Last-Event-ID", lastEventID)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		i.t.Fatalf("open a stream: %v", err)
	}
	defer res.Body.Close()
	var block strings.Builder
	for lines := bufio.NewScanner(res.Body); lines.Scan() && lines.Text() != ""; {
		block.WriteString(lines.Text() + "\n")
	}
	return block.String()
}
