package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// flock is many open event streams of one server.
type flock struct {
	conns    []net.Conn
	opened   sync.WaitGroup
	received atomic.Int64
	wanted   atomic.Int64 // when that many events were received, all is done
	all      chan struct{}
	failed   chan error
}

// openFlock opens streams and returns when all have begun. request returns the method and path of each, and any headers
// on lines of their own.
func openFlock(ctx context.Context, baseURL string, n int, request func(i int) string) (*flock, error) {
	f := &flock{all: make(chan struct{}, 1), failed: make(chan error, n)}
	host := strings.TrimPrefix(baseURL, "http://")
	for i := range n {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
		if err != nil {
			f.close()
			return nil, err
		}
		f.conns = append(f.conns, conn)
		line, headers, _ := strings.Cut(request(i), "\n")
		if _, err := fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: %s\r\n%s\r\n", line, host, headers); err != nil {
			f.close()
			return nil, err
		}
		f.opened.Add(1)
		go f.read(conn)
	}
	begun := make(chan struct{})
	go func() { f.opened.Wait(); close(begun) }()
	select {
	case <-begun:
		return f, nil
	case err := <-f.failed:
		f.close()
		return nil, fmt.Errorf("open streams: %w", err)
	case <-time.After(receiptTimeout):
		f.close()
		return nil, fmt.Errorf("open streams: not all have begun after %s", receiptTimeout)
	}
}

func (f *flock) close() {
	for _, c := range f.conns {
		_ = c.Close()
	}
}

var (
	streamBegins = []byte("\nretry: ") // the first line of the first block of either server
	eventData    = []byte("\ndata: ")
)

// read counts the events of one stream. Its buffer keeps the end of what was read, because a read may end within what
// is looked for.
func (f *flock) read(conn net.Conn) {
	var buffer [2048]byte
	kept, begun := 0, false
	for {
		n, err := conn.Read(buffer[kept:])
		if err != nil {
			f.failed <- err
			return
		}
		text := buffer[:kept+n]
		if !begun && bytes.Contains(text, streamBegins) {
			begun = true
			f.opened.Done()
		}
		if n := bytes.Count(text, eventData); n > 0 {
			f.count(int64(n))
		}
		kept = copy(buffer[:], text[max(0, len(text)-len(eventData)+1):])
	}
}

func (f *flock) count(n int64) {
	got, wanted := f.received.Add(n), f.wanted.Load()
	if got >= wanted && got-n < wanted {
		f.all <- struct{}{}
	}
}

// until publishes and returns after what time every stream has received one event more.
func (f *flock) until(publish func() error) (time.Duration, error) {
	f.wanted.Add(int64(len(f.conns)))
	began := time.Now()
	if err := publish(); err != nil {
		return 0, err
	}
	select {
	case <-f.all:
		return time.Since(began), nil
	case err := <-f.failed:
		return 0, fmt.Errorf("a stream has ended: %w", err)
	case <-time.After(receiptTimeout):
		return 0, fmt.Errorf("%d of %d events after %s", f.received.Load(), f.wanted.Load(), receiptTimeout)
	}
}
