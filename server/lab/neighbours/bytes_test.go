package neighbours

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// longest is how long the body of a notification may be.
const longest = 20_000

// words returns a text of words that occur nowhere else.
func words(random *rand.Rand, size int) string {
	var b strings.Builder
	for b.Len() < size-10 {
		fmt.Fprintf(&b, "%07x ", random.Uint32()>>4)
	}
	return b.String()
}

// TestLongTexts publishes 450 notifications of 20,000 characters without a repeated word: the reader's search goes on
// finding what is new.
func TestLongTexts(t *testing.T) {
	beside(t, func(h *hostile) func(context.Context) {
		random := rand.New(rand.NewPCG(1, 2))
		for range 9 {
			h.publish(t.Context(), 50, words(random, longest))
		}
		return nil
	})
}

// TestStreamsThatNobodyReads opens 40 streams that ask for everything since the beginning, and reads none of it.
func TestStreamsThatNobodyReads(t *testing.T) {
	long(t)
	beside(t, func(h *hostile) func(context.Context) {
		h.publish(t.Context(), 400, strings.Repeat("a", longest))
		address := strings.TrimPrefix(h.n.URL, "http://")
		for i := range 40 {
			c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
			if err != nil {
				t.Fatalf("connect: %v", err)
			}
			t.Cleanup(func() { _ = c.Close() })
			_, err = fmt.Fprintf(c, "GET /api/v1/channels/%s/notifications/stream HTTP/1.1\r\nHost: %s\r\n"+
				"X-Forwarded-For: 198.51.100.%d\r\nLast-Event-ID: 1\r\n\r\n", h.channel, address, i+1)
			if err != nil {
				t.Fatalf("ask for a stream: %v", err)
			}
			// The response has begun; its events are never read.
			if status, err := bufio.NewReaderSize(c, 16).ReadString('\n'); !strings.Contains(status, "200") {
				t.Fatalf("stream %d: got %q and error %v, want 200", i, status, err)
			}
		}
		return nil
	})
}

// TestLargePages asks for 100 pages of long texts at the same time, again and again.
func TestLargePages(t *testing.T) {
	beside(t, func(h *hostile) func(context.Context) {
		h.publish(t.Context(), 200, strings.Repeat("a", longest))
		return func(ctx context.Context) {
			together(100, func(int) {
				_, _ = h.send(ctx, http.MethodGet, "/channels/"+h.channel+"/notifications?limit=100", nil, nil)
			})
			wait(ctx, time.Second)
		}
	})
}

// TestManySearches searches a feed of 3,000 notifications for words that all of them have, 30 times at the same time.
func TestManySearches(t *testing.T) {
	long(t)
	beside(t, func(h *hostile) func(context.Context) {
		h.publish(t.Context(), 3_000, "one two three four five six seven eight nine ten")
		return func(ctx context.Context) {
			together(30, func(i int) {
				q := strings.Join([]string{"one", "two", "three", "missing"}[i%4:], "+")
				_, _ = h.send(ctx, http.MethodGet, "/subscribers/notifications?limit=100&q="+q, nil, nil)
			})
			wait(ctx, 500*time.Millisecond)
		}
	})
}

// TestManyWrites changes one person's settings and subscription 110 times at the same time.
func TestManyWrites(t *testing.T) {
	long(t)
	beside(t, func(h *hostile) func(context.Context) {
		var c struct{ ID string }
		h.do(http.MethodGet, "/channels/"+h.channel, nil, &c)
		return func(ctx context.Context) {
			together(110, func(i int) {
				if i%2 == 0 {
					_, _ = h.send(ctx, http.MethodPatch, "/subscribers/me", object{"timezone": "Europe/Madrid"}, nil)
					return
				}
				_, _ = h.send(ctx, http.MethodPatch, "/subscribers/channels/"+c.ID, object{"bell": "none"}, nil)
			})
			wait(ctx, time.Second)
		}
	})
}

// TestManyExports exports everything about a person 30 times at the same time.
func TestManyExports(t *testing.T) {
	long(t)
	beside(t, func(h *hostile) func(context.Context) {
		h.publish(t.Context(), 1_000, strings.Repeat("a", 5_000))
		return func(ctx context.Context) {
			together(30, func(int) { _, _ = h.send(ctx, http.MethodGet, "/subscribers/me/export", nil, nil) })
			wait(ctx, time.Second)
		}
	})
}
