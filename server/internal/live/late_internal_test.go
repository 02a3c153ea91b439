package live

import (
	"bytes"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// TestAFloodOfOneChannelDoesNotHoldUpAnother distributes 1,000 changes of one channel and one of another while nothing
// is written.
func TestAFloodOfOneChannelDoesNotHoldUpAnother(t *testing.T) {
	t.Parallel()
	crowded := core.NewID()
	source, encoded := &feedSource{}, 0
	h := &Hub{Source: source, Log: slog.New(slog.DiscardHandler), Encode: func(n core.Notification) []byte {
		encoded++
		return encodeTitle(n)
	}}
	if err := h.Start(t.Context()); err != nil {
		t.Fatalf("start the hub: %v", err)
	}
	crowd := []*stream{{}, {}, {}}
	reader := &stream{channelIDs: []core.ID{otherChannel}}
	for _, s := range crowd {
		s.channelIDs = []core.ID{crowded}
		h.subscribe(s)
	}
	h.subscribe(reader)
	source.add(crowded, titles(1000)...)
	source.add(otherChannel, "mine")
	h.distributeChanges(t.Context())
	check.Equal(t, "events that wait for the reader of the other channel", len(reader.queue), 1)
	for _, s := range crowd {
		check.Equal(t, "events that wait for a stream of the crowded channel", len(s.queue), burst)
		check.Equal(t, "a stream of the crowded channel is cut", s.isCut, false)
	}
	check.Equal(t, "events that were made", encoded, burst+2) // with the one that showed that the crowd is late
}

// TestAFloodWaitsForAStreamThatBegins distributes more changes than a queue holds before the stream is handed on. One
// whose beginning waits for its client is not waited for.
func TestAFloodWaitsForAStreamThatBegins(t *testing.T) {
	t.Parallel()
	for name, paced := range map[string]bool{"by itself": false, "as fast as its client reads": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := &feedSource{}
			h := startHub(t, source)
			h.Encode = encodeTitle
			s := &stream{channelIDs: []core.ID{otherChannel}}
			h.subscribe(s)
			s.onCut(func() {})
			if paced {
				s.setPaced()
			}
			source.add(otherChannel, titles(2*buffered)...)
			h.distributeChanges(t.Context())
			for l := s.late; l != nil && len(l.streams) > 0 && l.distributed < 2*buffered; {
				if _, err := h.distributeLate(t.Context(), l); err != nil {
					t.Fatalf("distribute what is late: %v", err)
				}
				if !h.ready(l) {
					break
				}
			}
			check.Equal(t, "the stream is cut", s.isCut, paced)
		})
	}
}

func titles(n int) (titles []string) {
	for i := range n {
		titles = append(titles, fmt.Sprint(i))
	}
	return titles
}

// TestAShardWritesAPieceToAStreamInATurn has a stream with much to write, and another with one event.
func TestAShardWritesAPieceToAStreamInATurn(t *testing.T) {
	t.Parallel()
	h := startHub(t, &source{})
	d := h.shards[0]
	long := frame{1, bytes.Repeat([]byte("x"), 5*piece/2)}
	busy, busyClient := h.shardStream(t)
	other, otherClient := h.shardStream(t)
	busy.offer(long)
	busy.offer(frame{2, []byte("end")})
	other.offer(frame{3, []byte("other")})
	for _, s := range []*stream{busy, other} {
		if !d.add(s) {
			t.Fatal("add a stream to a shard: got a closed shard, want an open one")
		}
	}
	d.serve()
	expectBytes(t, otherClient, "other")
	check.Equal(t, "bytes that are left after a turn", busy.queued, len(long.bytes)+len("end")-piece)
	for len(busy.queue) > 0 {
		check.Equal(t, "streams that are due", len(d.due), 1)
		d.serve()
	}
	expectBytes(t, busyClient, string(long.bytes)+"end")
	check.Equal(t, "streams that are due when all is written", len(d.due), 0)
}

// shardStream returns a stream for a shard, and the connection of its client.
func (h *Hub) shardStream(t *testing.T) (*stream, net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	defer l.Close() // only one connection comes
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	conn, err := l.Accept()
	if err != nil {
		t.Fatalf("accept: %v", err)
	}
	t.Cleanup(func() { _ = client.Close(); _ = conn.Close() })
	raw, err := conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatalf("get the socket: %v", err)
	}
	return &stream{socket: h.newSocket(conn, raw, nil, nil)}, client
}

func expectBytes(t *testing.T, conn net.Conn, want string) {
	t.Helper()
	got := make([]byte, len(want))
	for n := 0; n < len(got); {
		more, err := conn.Read(got[n:])
		if err != nil {
			t.Fatalf("read: %v", err)
		}
		n += more
	}
	check.Equal(t, "what the client read is what was queued", string(got) == want, true)
}

// TestACrowdReceivesAFloodInOrder publishes batches of 1,000 to many streams, and a notification of another channel
// after each. Streams fall late and catch up, and new ones begin meanwhile. All receive everything once, in order.
func TestACrowdReceivesAFloodInOrder(t *testing.T) {
	t.Parallel()
	const streams, batches, batch = 60, 5, 1000
	eachTransport(t, func(t *testing.T, transport func(*service)) {
		s := newService(t, transport)
		reader := s.connect("/other")
		var reading sync.WaitGroup
		join := func() {
			for range streams / batches {
				c := s.dial("GET /channel HTTP/1.1\r\nHost: x\r\n\r\n")
				c.header()
				var first int
				if _, err := fmt.Sscanf(c.block(), "retry: %d\nid: %d\n", new(int), &first); err != nil {
					t.Fatalf("first block: %v", err)
				}
				reading.Go(func() { c.expectFlood(first, batches*(batch+1), batch+1) })
			}
		}
		for i := range batches {
			join()
			s.publish(titles(batch)...)
			s.source.add(otherChannel, "mine")
			s.Wake()
			reader.expectTitles((i+1)*(batch+1), "mine")
		}
		reading.Wait()
	})
}

// expectFlood reads the events from a position to the last one. At every so many positions is another channel's.
func (c *client) expectFlood(after, last, other int) {
	for position := after + 1; position < last; position++ {
		if position%other == 0 {
			continue
		}
		want := fmt.Sprintf("id: %d\n", position)
		var got []string
		for {
			line, err := c.ReadString('\n')
			if err != nil {
				c.t.Errorf("read the event at %d: %v", position, err)
				return
			}
			if line == "\n" {
				break
			}
			got = append(got, line)
		}
		if !slices.Contains(got, want) {
			c.t.Errorf("event: got %q, want the one at %d", strings.Join(got, ""), position)
			return
		}
	}
}
