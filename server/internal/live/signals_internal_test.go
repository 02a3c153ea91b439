package live

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// calls is a database that records the calls of Notify.
type calls struct {
	mu   sync.Mutex
	list [][]core.Signal
	took time.Duration // of each call
	err  error
}

func (c *calls) notify(_ context.Context, signals []core.Signal) error {
	time.Sleep(c.took) // only in a synctest bubble, whose clock does not wait
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return c.err
	}
	c.list = append(c.list, signals)
	return nil
}

func (c *calls) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = err
}

// gather runs test with signals that c receives, until test returns.
func gather(t *testing.T, c *calls, test func(q *signals)) {
	t.Helper()
	synctest.Test(t, func(*testing.T) {
		q, done := newSignals(c.notify, nil, slog.New(slog.DiscardHandler)), make(chan struct{})
		var running sync.WaitGroup
		running.Go(func() { q.run(context.Background(), done) })
		synctest.Wait()
		test(q)
		close(done)
		running.Wait()
	})
}

func signOut(n byte) core.Signal { return core.Signal{SignedOut: &core.ID{n}} }

func TestSignalsOfABusyNodeShareACall(t *testing.T) {
	t.Parallel()
	c := &calls{took: time.Millisecond}
	gather(t, c, func(q *signals) {
		began := time.Now()
		q.add(signOut(1))
		synctest.Wait()
		time.Sleep(time.Millisecond)
		synctest.Wait()
		check.Equal(t, "calls 1 ms after the signal of an idle node", len(c.list), 1)
		for n := range byte(3) {
			q.add(signOut(2 + n))
		}
		for _, position := range []int64{7, 9, 8} {
			q.add(core.Signal{Position: position})
		}
		time.Sleep(gatherFor)
		synctest.Wait()
		check.Equal(t, "time until the second call has ended", time.Since(began), gatherFor+time.Millisecond)
	})
	want := [][]core.Signal{{signOut(1)}, {signOut(2), signOut(3), signOut(4), {Position: 9}}}
	if diff := cmp.Diff(want, c.list); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

func TestSignalsAreSentAgainAfterAFailure(t *testing.T) {
	t.Parallel()
	c := &calls{err: errors.New("no database")}
	gather(t, c, func(q *signals) {
		q.add(signOut(1))
		q.add(core.Signal{Position: 5})
		time.Sleep(10 * pollAlone)
		q.add(signOut(2))
		q.add(core.Signal{Position: 6})
		c.fail(nil)
		time.Sleep(pollAlone)
		synctest.Wait()
		want := [][]core.Signal{{signOut(1), signOut(2), {Position: 6}}}
		if diff := cmp.Diff(want, c.list); diff != "" {
			t.Errorf("calls after the database came back (-want +got):\n%s", diff)
		}
	})
}

func TestTheQueueOfSignalsIsBounded(t *testing.T) {
	t.Parallel()
	c := &calls{err: errors.New("no database")}
	gather(t, c, func(q *signals) {
		for range 2 * mostQueued {
			q.add(signOut(1))
		}
		q.add(core.Signal{Position: 5})
		c.fail(nil)
		time.Sleep(pollAlone)
		synctest.Wait()
		sent := c.list[0]
		check.Equal(t, "signals sent after a long failure", len(sent), mostQueued+1)
		check.Equal(t, "position sent after a long failure", sent[len(sent)-1].Position, 5)
	})
}

func TestQueuedSignalsAreSentAtShutdown(t *testing.T) {
	t.Parallel()
	c := &calls{}
	var q *signals
	gather(t, c, func(running *signals) {
		q = running
		q.add(signOut(1))
		synctest.Wait()
		q.add(signOut(2)) // waits for the end of gatherFor
	})
	want := [][]core.Signal{{signOut(1)}, {signOut(2)}}
	if diff := cmp.Diff(want, c.list); diff != "" {
		t.Errorf("calls until the end of the shutdown (-want +got):\n%s", diff)
	}
	check.Equal(t, "signal after the shutdown is queued", q.add(signOut(3)), false)
}
