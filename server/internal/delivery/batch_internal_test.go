package delivery

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// pausing is a push service that asks for a pause at every attempt.
type pausing struct{ attempts atomic.Int64 }

func (p *pausing) Send(context.Context, core.Push, core.PushAddress) core.Result {
	p.attempts.Add(1)
	return core.Result{Cause: core.CauseQuota, Pause: time.Minute}
}

// TestAPauseEndsABatch expects no more than the pushes that were under way when the push service asked for a pause.
func TestAPauseEndsABatch(t *testing.T) {
	t.Parallel()
	sender := &pausing{}
	b := &batch{d: &Dispatcher{Config: Config{Sender: sender, Log: slog.New(slog.DiscardHandler)}}}
	b.pushAll(t.Context(), &part{items: items10Batches()})
	if got := sender.attempts.Load(); got > 2*sendConcurrency {
		t.Errorf("attempts after the first asked for a pause: got %d of %d, want at most %d", got, 10*batchSize,
			2*sendConcurrency)
	}
}

// down is a push service that accepts a number of pushes and is then not available.
type down struct {
	accepts  int64
	attempts atomic.Int64
}

func (d *down) Send(context.Context, core.Push, core.PushAddress) core.Result {
	if d.attempts.Add(1) <= d.accepts {
		return core.Result{Outcome: core.Accepted}
	}
	return core.Result{Cause: core.CauseUnavailable}
}

// TestAPushServiceThatIsDownIsGivenAPause expects few attempts at a push service that is down, and all of them at one
// that only some devices cannot be reached by.
func TestAPushServiceThatIsDownIsGivenAPause(t *testing.T) {
	t.Parallel()
	for accepts, c := range map[int64]struct {
		most  int64
		pause time.Duration
	}{
		0: {mostLost + 2*sendConcurrency, lostPause},
		1: {10 * batchSize, 0},
	} {
		sender := &down{accepts: accepts}
		b := &batch{d: &Dispatcher{Config: Config{Sender: sender, Log: slog.New(slog.DiscardHandler)}}}
		p := &part{items: items10Batches()[:1]}
		b.pushAll(t.Context(), p)
		p.items = items10Batches()[1:]
		b.pushAll(t.Context(), p)
		if got := sender.attempts.Load(); got > c.most {
			t.Errorf("attempts at a push service that accepts %d pushes: got %d, want at most %d", accepts, got, c.most)
		}
		if p.pause != c.pause {
			t.Errorf("pause of a push service that accepts %d pushes: got %s, want %s", accepts, p.pause, c.pause)
		}
	}
}

func items10Batches() []item {
	items := make([]item, 10*batchSize)
	for i := range items {
		items[i].push = &core.Push{}
	}
	return items
}

// TestOutcomesAreSavedAgain loses the connection to the database while outcomes are saved. They are saved again for as
// long as the job may take, because without them the pushes would be repeated.
func TestOutcomesAreSavedAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		failures int
		err      error
		want     error
	}{
		"healed":     {failures: 3, err: errLost},
		"not healed": {failures: 1_000, err: errLost, want: errLost},
		"refused":    {failures: 1, err: errRefused, want: errRefused},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				attempts, began := 0, time.Now()
				b := &batch{d: &Dispatcher{Config: Config{Now: time.Now}}}
				b.save = func(context.Context, []core.Delivery, time.Time) error {
					if attempts++; attempts <= c.failures {
						return c.err
					}
					return nil
				}
				if err := b.record(t.Context()); !errors.Is(err, c.want) {
					t.Errorf("saving the outcomes: got %v, want %v", err, c.want)
				}
				if took := time.Since(began); took > recordTime {
					t.Errorf("time for saving the outcomes: got %s, want at most %s", took, recordTime)
				}
			})
		})
	}
}

var errLost, errRefused = core.Unavailable(errors.New("connection lost")), errors.New("refused")

// TestFirstExpiry expects a batch of several notifications to come back when the first of them expires.
func TestFirstExpiry(t *testing.T) {
	t.Parallel()
	now := time.Now()
	var b batch
	for _, in := range []time.Duration{2, 1, 3} {
		b.items = append(b.items, item{push: &core.Push{Expires: now.Add(in * time.Hour)}})
	}
	if got := b.firstExpiry().Sub(now); got != time.Hour {
		t.Errorf("first expiry: got it in %s, want in %s", got, time.Hour)
	}
}
