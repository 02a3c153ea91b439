package metrics

import (
	"context"
	"log/slog"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
)

// SampleStore keeps samples.
type SampleStore interface {
	AddNodeSample(ctx context.Context, s core.NodeSample) error
	SampleQueue(ctx context.Context, now time.Time) error
}

// Sampler stores once a minute what a node did and what waits to be sent, for the operators' screens. Every exported
// field is required.
type Sampler struct {
	Store   SampleStore
	Counts  func() core.NodeCounts // since the node's start
	Streams func() int             // the number of live streams that are open
	Node    string                 // the name of this node
	Now     func() time.Time
	Log     *slog.Logger

	stored core.NodeCounts // those of Counts that are in samples
}

const (
	sampleEvery    = time.Minute
	samplePatience = 5 * time.Second // for the database
)

// Run samples at once, at the beginning of each minute, and a last time when ctx is done.
func (s *Sampler) Run(ctx context.Context) {
	for {
		guard.Run(context.WithoutCancel(ctx), s.Log, s.sample)
		if ctx.Err() != nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(untilNext(s.Now())):
		}
	}
}

// untilNext returns the time until the next minute, at which all nodes sample.
func untilNext(now time.Time) time.Duration { return sampleEvery - now.Sub(now.Truncate(sampleEvery)) }

// sample stores a sample. Counts that cannot be stored are part of the next one.
func (s *Sampler) sample(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, samplePatience)
	defer cancel()
	now := s.Now()
	counts := s.Counts()
	sample := core.NodeSample{NodeCounts: counts.Since(s.stored), Node: s.Node, At: now, Streams: s.Streams()}
	if err := s.Store.AddNodeSample(ctx, sample); err != nil {
		s.Log.WarnContext(ctx, "health: the figures of this minute are stored with the next", "error", err)
		return
	}
	s.stored = counts
	if err := s.Store.SampleQueue(ctx, now); err != nil {
		s.Log.WarnContext(ctx, "health: the queue was not sampled", "error", err)
	}
}
