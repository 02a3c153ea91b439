package delivery

import (
	"context"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/rescue"
)

const (
	mostLost  = 50               // pushes of a batch to a push service, without one that it accepted
	lostPause = 10 * time.Second // of a push service on all nodes
)

// part is the items of a batch that one push service takes. Each has its own pace and pauses, so that no push service
// holds up another. The mutex of the batch guards what changes.
type part struct {
	service    string
	items      []item
	finished   int
	lost       int           // pushes that the push service was not available for; -1 once it has accepted one
	later      time.Duration // until the pace or a pause lets something be sent; nothing was sent
	wait       time.Duration
	pause      time.Duration
	pauseCause string
	err        error // with it
}

// parts returns the items by the push service that takes them, in the order of the items.
func parts(items []item) (all []*part) {
	byService := map[string]*part{}
	for _, i := range items {
		service := i.to().Service()
		p := byService[service]
		if p == nil {
			p = &part{service: service}
			byService[service] = p
			all = append(all, p)
		}
		p.items = append(p.items, i)
	}
	return all
}

// again returns how long to wait before the rest of the part is sent.
func (p *part) again(backoff, untilExpiry time.Duration) time.Duration {
	if p.later > 0 {
		return min(p.later, max(0, untilExpiry))
	}
	return max(0, min(max(p.wait, p.pause, backoff), untilExpiry))
}

// countLost turns the last of many results of a push service that is down into a pause: all nodes together would go on
// asking it some hundred times a second.
func (p *part) countLost(r *core.Result) {
	switch {
	case p.lost < 0: // it has accepted a push
	case r.Outcome == core.Accepted:
		p.lost = -1
	case r.Cause == core.CauseUnavailable:
		if p.lost++; p.lost >= mostLost {
			r.Pause = max(r.Pause, lostPause)
		}
	}
}

// sendPart pushes at the pace that all nodes share.
func (b *batch) sendPart(ctx context.Context, p *part) error {
	later, err := b.awaitTurn(ctx, p)
	if later > 0 && p.service != core.ServiceFCM {
		// Somebody who publishes without end to their own devices must not wake thousands of jobs again and again.
		later = max(later, b.waiting/waitShare)
	}
	if err != nil || later > 0 {
		p.later = later
		return err // paused, or far behind the pace
	}
	if b.publishedAt != nil {
		b.started.Do(func() { b.d.Metrics.DispatchStarted(b.d.Now().Sub(*b.publishedAt)) })
	}
	b.pushAll(ctx, p)
	return nil
}

// waitShare is the part of the time that a job has waited for which it waits at least until it tries again.
const waitShare = 8

// awaitTurn waits until the items of a part may be sent. later is how long to snooze when that takes too long.
func (b *batch) awaitTurn(ctx context.Context, p *part) (later time.Duration, err error) {
	n := len(p.items)
	b.d.Metrics.Pacing(n)
	defer b.d.Metrics.Pacing(-n)
	perMinute, err := b.d.quota(ctx, p.service)
	if err != nil {
		return 0, err
	}
	wait, later, err := reserve(ctx, b.d.DB, p.service, n, perMinute, sendTime/2)
	if later > 0 {
		b.d.Metrics.TurnedAway()
	}
	if err != nil || later > 0 {
		return later, err
	}
	select {
	case <-time.After(wait):
		b.d.Metrics.Granted(n)
		return 0, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func (b *batch) pushAll(ctx context.Context, p *part) {
	next := make(chan item)
	var workers sync.WaitGroup
	for range min(sendConcurrency, len(p.items)) {
		workers.Go(func() {
			for i := range next {
				rescue.Run(ctx, b.d.Log, func(ctx context.Context) { b.push(ctx, p, i) })
			}
		})
	}
	for _, i := range p.items {
		if ctx.Err() != nil || b.paused(p) {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
}

func (b *batch) paused(p *part) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return p.pause > 0
}
