package delivery

import (
	"context"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
)

// part is the items of a run that one push service takes. Each has its own pace and pauses, so that no push service
// holds up another. The mutex of the run guards what changes.
type part struct {
	service string
	items   []*item
	sent    int
	closed  time.Duration // for which the push service takes nothing; nothing was sent
	pause   time.Duration // that a result leads to
	cause   string
	err     error // with it
}

// parts returns the items by the push service that takes them, in the order of the items.
func parts(items []*item) (all []*part) {
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

// sendPart pushes what the pauses and the pace of the push service let through.
func (r *run) sendPart(ctx context.Context, p *part) error {
	now := time.Now()
	if left, probe := r.d.services.paused(p.service, now); left > 0 {
		p.hold(left)
		i := p.probe()
		if !probe || i == nil {
			r.d.Metrics.TurnedAway()
			return nil
		}
		r.d.services.probed(p.service, now)
		p.closed, i.later = 0, 0
		r.push(ctx, p, i)
		if still, _ := r.d.services.paused(p.service, time.Now()); still == 0 {
			p.hold(0)
		}
		return r.d.pauseService(ctx, p)
	}
	later, err := r.d.reserve(ctx, p.service, len(p.items))
	if err != nil {
		return err
	}
	if later > 0 {
		r.d.Metrics.TurnedAway()
		p.hold(later)
		return nil
	}
	r.pushAll(ctx, p)
	if p.service != core.ServiceFCM {
		r.d.services.giveBack(p.service, len(p.items)-p.sent)
	}
	r.d.Metrics.Granted(p.sent)
	return r.d.pauseService(ctx, p)
}

// hold makes all items wait, but not for long: a pause may end before its time.
func (p *part) hold(later time.Duration) {
	later = min(later, probeEvery)
	p.closed = later
	for _, i := range p.items {
		i.later = later
	}
}

// probe returns an item whose device has worked before, or nil.
func (p *part) probe() *item {
	for _, i := range p.items {
		if i.Rings && i.Failures == 0 {
			return i
		}
	}
	return nil
}

// pushAll pushes to all devices, to each one after another: once it fails, it gets none of the others.
func (r *run) pushAll(ctx context.Context, p *part) {
	devices := byDevice(p.items)
	next := make(chan []*item)
	var workers sync.WaitGroup
	for range min(sendConcurrency, len(devices)) {
		workers.Go(func() {
			for items := range next {
				guard.Run(ctx, r.d.Log, func(ctx context.Context) { r.pushEach(ctx, p, items) })
			}
		})
	}
	for _, items := range devices {
		next <- items
	}
	close(next)
	workers.Wait()
}

// byDevice returns the items of each device, in their order.
func byDevice(items []*item) (all [][]*item) {
	places := make(map[core.ID]int, len(items))
	for _, i := range items {
		at, ok := places[i.DeviceID]
		if !ok {
			at = len(all)
			places[i.DeviceID], all = at, append(all, nil)
		}
		all[at] = append(all[at], i)
	}
	return all
}

func (r *run) pushEach(ctx context.Context, p *part, items []*item) {
	for _, i := range items {
		if i.later = r.mayNot(p, i); i.later == 0 && ctx.Err() == nil {
			if r.push(ctx, p, i); i.gone {
				return // the others have their outcome when the device is found to be retired
			}
		}
	}
}

// mayNot returns for how long an item waits because of what the run has shown meanwhile.
func (r *run) mayNot(p *part, i *item) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return max(p.pause, r.devices[i.DeviceID].wait)
}
