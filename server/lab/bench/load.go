package main

import (
	"context"
	"slices"
	"sync"
	"time"
)

// client is one of many that do the same thing again and again.
type client struct {
	do    func(ctx context.Context) error
	close func()
}

// load runs clients at the same time for length, after a short warm-up, and returns the rate of what they did and its
// p50 and p99 in milliseconds.
func load(
	ctx context.Context, clients int, length time.Duration, open func(ctx context.Context, i int) (client, error),
) (figures, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	all := make([]client, 0, clients)
	defer func() {
		for _, c := range all {
			c.close()
		}
	}()
	for i := range clients {
		c, err := open(ctx, i)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	begin := time.Now().Add(length / 5)
	end := begin.Add(length)
	took := make([][]time.Duration, clients)
	var running sync.WaitGroup
	for i, c := range all {
		running.Go(func() {
			var err error
			if took[i], err = c.run(ctx, begin, end); err != nil {
				cancel(err)
			}
		})
	}
	running.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return latencies(slices.Concat(took...), max(length, time.Since(begin))), nil
}

// run returns how long each call took that began before end and ended after begin.
func (c client) run(ctx context.Context, begin, end time.Time) (took []time.Duration, err error) {
	for ctx.Err() == nil {
		start := time.Now()
		if start.After(end) {
			return took, nil
		}
		if err := c.do(ctx); err != nil {
			return nil, err
		}
		if d := time.Since(start); start.Add(d).After(begin) {
			took = append(took, d)
		}
	}
	return nil, context.Cause(ctx)
}

func latencies(took []time.Duration, length time.Duration) figures {
	if len(took) == 0 {
		return figures{}
	}
	slices.Sort(took)
	return figures{"rate": float64(len(took)) / length.Seconds(), "p50": percentile(took, 50),
		"p99": percentile(took, 99)}
}

// percentile returns a percentile of sorted times, in milliseconds.
func percentile(sorted []time.Duration, p int) float64 {
	return milliseconds(sorted[min(len(sorted)*p/100, len(sorted)-1)])
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
