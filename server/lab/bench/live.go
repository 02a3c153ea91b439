package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/sininho/sininho/server/lab/sampledata"
)

const (
	eventsEachRound    = 300
	eventPause         = 10 * time.Millisecond
	publishesEachRound = 10 // to all streams
	receiptTimeout     = 30 * time.Second
)

// events are the measurements of the way from a publish to an open stream, on an otherwise idle server, and of what a
// stream costs those who publish to other channels.
func (w *world) events() []*measurement {
	distinct := func(i int64) string { return sampledata.Quiet(int(i)) }
	beside := "publish, 16 clients, beside a stream of another channel, to without"
	return []*measurement{{name: beside, ours: w.besideStream(w.publish(16, distinct)), limit: w.publish(16, distinct),
		rows: []*Row{{What: beside, Figure: "rate", Unit: "/s", Bar: atLeast(0.9)}},
	}, {name: "publish to live event", ours: w.publishToEvent, rows: []*Row{
		{What: "publish to live event, idle, p50", Figure: "p50", Unit: "ms", Bar: within(15)},
		{What: "publish to live event, idle, p99", Figure: "p99", Unit: "ms", Bar: within(60)},
	}}}
}

// besideStream measures while a stream is open.
func (w *world) besideStream(s side) side {
	return func(ctx context.Context, length time.Duration) (figures, error) {
		path := notificationsPath(sampledata.Fresh(0)) + "/stream"
		f, err := openFlock(ctx, w.server.URL, 1, func(int) string { return "GET " + path })
		if err != nil {
			return nil, err
		}
		defer f.close()
		return s(ctx, length)
	}
}

func (w *world) publishToEvent(ctx context.Context, _ time.Duration) (figures, error) {
	channel := sampledata.Quiet(2)
	f, err := openFlock(ctx, w.server.URL, 1, func(int) string { return "GET " + notificationsPath(channel) + "/stream" })
	if err != nil {
		return nil, err
	}
	defer f.close()
	c, err := w.publisher(ctx)
	if err != nil {
		return nil, err
	}
	defer c.close()
	var took []time.Duration
	for range eventsEachRound {
		d, err := f.until(func() error {
			_, err := c.publishTo(channel)
			return err
		})
		if err != nil {
			return nil, err
		}
		took = append(took, d)
		time.Sleep(eventPause)
	}
	return latencies(took, time.Second), nil
}

// streams are the measurements of many open streams, next to a bare net/http server.
func (w *world) streams() []*measurement {
	name := fmt.Sprintf("live, %d streams", w.Streams)
	return []*measurement{{name: name, ours: w.ourStreams, limit: w.bareStreams, rows: []*Row{
		{What: name + ": time to the last receipt", Figure: "last", Unit: "ms", Bar: atMost(1.1)},
		{What: name + ": server CPU a publish", Figure: "cpu", Unit: "ms", Bar: atMost(0.9)},
		{What: "live: memory a stream, HTTP/1.1", Figure: "memory", Unit: "KiB", Bar: within(8)},
	}}}
}

// ourStreams measures a fresh server, so that its memory is that of the streams.
func (w *world) ourStreams(ctx context.Context, _ time.Duration) (figures, error) {
	if err := w.restart(ctx); err != nil {
		return nil, err
	}
	channel := sampledata.Quiet(3)
	c, err := w.publisher(ctx)
	if err != nil {
		return nil, err
	}
	defer c.close()
	if _, err := c.publishTo(channel); err != nil { // what the first publish allocates is not the streams'
		return nil, err
	}
	return w.measureStreams(ctx, w.server.process, w.server.URL, w.server.Control,
		notificationsPath(channel)+"/stream", func() error {
			_, err := c.publishTo(channel)
			return err
		})
}

func (w *world) bareStreams(ctx context.Context, _ time.Duration) (figures, error) {
	var b bareServer
	p, err := start(ctx, "bare", nil, &b)
	if err != nil {
		return nil, err
	}
	defer func() { _ = p.stop() }() // it has nothing to lose
	c, err := dial(ctx, b.URL)
	if err != nil {
		return nil, err
	}
	defer c.close()
	return w.measureStreams(ctx, p, b.URL, b.Control, bareEvents, func() error {
		_, err := c.do(http.MethodPost, barePublish, http.StatusAccepted, message)
		return err
	})
}

// measureStreams opens streams at a server and publishes to all of them.
func (w *world) measureStreams(
	ctx context.Context, p *process, url, control, path string, publish func() error,
) (figures, error) {
	before, err := settledMemory(ctx, p, control)
	if err != nil {
		return nil, err
	}
	f, err := openFlock(ctx, url, w.Streams, func(int) string { return "GET " + path })
	if err != nil {
		return nil, err
	}
	defer f.close()
	after, err := settledMemory(ctx, p, control)
	if err != nil {
		return nil, err
	}
	used, err := p.cpu()
	if err != nil {
		return nil, err
	}
	var last []float64
	for range publishesEachRound {
		d, err := f.until(publish)
		if err != nil {
			return nil, err
		}
		last = append(last, milliseconds(d))
	}
	cpu, err := p.cpu()
	return figures{"last": median(last), "cpu": (cpu - used) / publishesEachRound,
		"memory": (after - before) / float64(w.Streams), "fastest": slices.Min(last)}, err
}

// settledMemory returns the memory of a process after some collections, in KiB. Each halves stacks that are mostly
// unused, such as those of TLS handshakes.
func settledMemory(ctx context.Context, p *process, control string) (float64, error) {
	for range 4 {
		if err := settle(ctx, control); err != nil {
			return 0, err
		}
	}
	return p.memory()
}
