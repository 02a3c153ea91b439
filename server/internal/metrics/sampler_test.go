package metrics_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/metrics"
	"github.com/sininho/sininho/server/lab/check"
)

// store keeps samples in memory, unless it is down.
type store struct {
	mu      sync.Mutex
	down    bool
	nodes   []core.NodeSample
	minutes []time.Time
}

func (s *store) AddNodeSample(_ context.Context, n core.NodeSample) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down {
		return errors.New("down")
	}
	s.nodes = append(s.nodes, n)
	return nil
}

func (s *store) SampleQueue(_ context.Context, now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.minutes = append(s.minutes, now)
	return nil
}

func TestSampler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(17 * time.Second) // the bubble begins at midnight
		s, published := &store{}, atomic.Int64{}
		count := func() core.NodeCounts { return core.NodeCounts{Published: published.Load()} }
		sampler := &metrics.Sampler{Store: s, Counts: count, Streams: func() int { return 7 }, Node: "a:1",
			Now: time.Now, Log: slog.New(slog.DiscardHandler)}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); sampler.Run(ctx) }()
		synctest.Wait()
		published.Add(2)
		time.Sleep(time.Minute)
		s.mu.Lock()
		s.down = true
		s.mu.Unlock()
		published.Add(3)
		time.Sleep(time.Minute)
		s.mu.Lock()
		s.down = false
		s.mu.Unlock()
		published.Add(4)
		stop()
		<-done

		var sampled []int64
		var seconds []int
		for _, n := range s.nodes {
			sampled = append(sampled, n.Published)
			seconds = append(seconds, n.At.Second())
			check.Equal(t, "streams", n.Streams, 7)
			check.Equal(t, "node", n.Node, "a:1")
		}
		check.Equal(t, "published, at once, in the first minute, and at the end", sampled, []int64{0, 2, 7})
		check.Equal(t, "seconds of the samples", seconds, []int{17, 0, 17})
		check.Equal(t, "samples of the queue", len(s.minutes), 3)
	})
}
