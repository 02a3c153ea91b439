package neighbours

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"
)

// TestManyStreamsOfOneChannel opens 4,000 streams of one channel, as many as visitors of 40 providers may, and
// publishes short notifications to it as fast as its publisher may.
func TestManyStreamsOfOneChannel(t *testing.T) {
	long(t)
	beside(t, func(h *hostile) func(context.Context) {
		for address := range 40 {
			visitor := caller{n: h.n, network: fmt.Sprintf("198.%d.100.2", address+60)} // of a provider each
			for range 100 {
				visitor.openStream(h.channel)
			}
		}
		return func(ctx context.Context) {
			h.publish(ctx, 3_000, "short")
			wait(ctx, time.Second)
		}
	})
}

// openStream opens a stream of a channel, and reads it until the test ends.
func (c caller) openStream(channel string) {
	c.n.t.Helper()
	r, err := c.request(c.n.t.Context(), http.MethodGet, "/channels/"+channel+"/notifications/stream", nil)
	if err != nil {
		c.n.t.Fatalf("make a request: %v", err)
	}
	res, err := http.DefaultClient.Do(r) //nolint:bodyclose // a goroutine closes it
	if err != nil || res.StatusCode != http.StatusOK {
		c.n.t.Fatalf("open a stream: got %v and error %v, want 200", res, err)
	}
	go func() {
		defer res.Body.Close() // it is read until it ends
		_, _ = io.Copy(io.Discard, res.Body)
	}()
}
