package live

import (
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/sininho/sininho/internal/eventually"
)

// TestSlowReadersShareWhatIsQueued has 300 readers that stop reading, then read a little, and stop again, while large
// events are published. What is queued for them is in memory once.
func TestSlowReadersShareWhatIsQueued(t *testing.T) {
	const readers, each, bound = 300, 30_000, 64 << 20
	eachTransport(t, func(t *testing.T, transport func(*service)) {
		s := newService(t, transport)
		var slow []*client
		for range readers {
			c := s.dial("GET /channel HTTP/1.1\r\nHost: x\r\n\r\n", smallReadBuffer)
			c.header()
			c.block()
			slow = append(slow, c)
		}
		fast := s.connect("/channel")
		before, published := heap(), 0
		publish := func(titles int) {
			for range titles {
				published++
				title := fmt.Sprintf("%d %s", published, strings.Repeat("x", each))
				s.publish(title)
				fast.expectTitles(published, title)
			}
		}
		publish(bufferedBytes * 3 / 4 / each)
		var reading sync.WaitGroup
		for _, c := range slow {
			reading.Go(func() {
				if _, err := io.CopyN(io.Discard, c, 10*each); err != nil {
					t.Errorf("read a little: %v", err)
				}
			})
		}
		reading.Wait()
		publish(bufferedBytes / 8 / each)
		if got := heap() - before; got > bound {
			t.Errorf("memory for %d readers that are behind: got %d MiB, want at most %d", readers, got>>20, bound>>20)
		} else {
			t.Logf("memory for %d readers that are behind: %d MiB", readers, got>>20)
		}
		if got := s.open.Load(); got != readers+1 {
			t.Errorf("streams of readers that are less than the bound behind: got %d, want %d", got, readers+1)
		}
		publish(bufferedBytes / each)
		eventually.True(t, "all slow readers to be cut", func() bool { return s.open.Load() == 1 })
	})
}

// smallReadBuffer is far less than what is queued, and not so small that reading takes long.
func smallReadBuffer(c *net.TCPConn) { _ = c.SetReadBuffer(64 << 10) }

// heap returns the bytes that are in use.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse)
}
