package faults

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/standin/fcm"
)

// TestKilledMidBatch kills a node 20 times in a row, each time while it pushes.
func TestKilledMidBatch(t *testing.T) {
	t.Parallel()
	long(t)
	killedMidBatch(t, 20)
}

// TestKilledMidBatchOnce is TestKilledMidBatch with one kill.
func TestKilledMidBatchOnce(t *testing.T) {
	t.Parallel()
	killedMidBatch(t, 1)
}

func killedMidBatch(t *testing.T, kills int) {
	t.Helper()
	i := newInstallation(t)
	i.followers(2_000)
	i.AddFaults(fcm.Fault{Delay: "20ms"})
	n := i.Start()
	p, inFlight, killed := i.publisher(n), 0, int64(0)
	for k := range kills {
		before := i.FCM.Stats().Accepted
		p.publish(t.Context(), fmt.Sprint("kill-", k))
		eventually.True(t, "pushes", func() bool { return i.FCM.Stats().Accepted > before+10 })
		n.Kill()
		inFlight += i.cutShort(killed) // some of them may be of the notifications before
		killed = i.FCM.Stats().Accepted
		n.Start()
	}
	if took := i.finish(inFlight); took > 90*time.Second {
		t.Errorf("time from the last kill until all is done: got %s, want at most 90s", took)
	}
}

// cutShort returns how many pushes after a seq arrived without a recorded outcome, when no node is pushing any more.
func (i *installation) cutShort(since int64) int {
	i.t.Helper()
	eventually.True(i.t, "what was in flight to arrive", func() bool { return i.FCM.Stats().InFlight == 0 })
	j := i.judge()
	defer j.close()
	return j.inFlight(since)
}

// slowDatabase makes each statement of the nodes take long enough to be caught in the middle of a transaction.
const slowDatabase = 400 // milliseconds

// TestKilledBetweenCommitAndResponse kills a node that has committed and still waits to hear so.
func TestKilledBetweenCommitAndResponse(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	i.followers(3)
	l := i.LinkDatabase()
	first, second := i.Start(), i.Start()
	p := i.publisher(second)
	l.Latency(slowDatabase)
	broken := make(chan attempt)
	go func() { broken <- p.try(t.Context(), first.Addr, "once") }()
	eventually.True(t, "the commit", func() bool { return i.Count("select count(*) from notifications") == 1 })
	first.Kill()
	if a := <-broken; a.status != 0 {
		t.Errorf("publish to the node that was killed: got status %d, want no response", a.status)
	}
	l.Heal()
	if a := p.publish(t.Context(), "once"); !a.replayed {
		t.Errorf("repeated publish: got %+v, want the response to the first one", a)
	}
	i.finish(0)
}

// TestKilledBeforeCommit kills a node that has stored a publish and not committed it yet.
func TestKilledBeforeCommit(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	i.followers(3)
	l := i.LinkDatabase()
	first, second := i.Start(), i.Start()
	p, batches := i.publisher(second), i.publisher(second)
	batches.batch = true
	l.Latency(slowDatabase)
	broken := make(chan attempt)
	go func() { broken <- batches.try(t.Context(), first.Addr, "once") }()
	i.waitInserted()
	first.Kill()
	if a := <-broken; a.status != 0 {
		t.Errorf("publish to the node that was killed: got status %d, want no response", a.status)
	}
	l.Heal()
	i.checkNothingStored()
	if a := p.publish(t.Context(), "once"); a.replayed {
		t.Errorf("repeated publish: got %+v, want one that creates", a)
	}
	i.finish(0)
}

// waitInserted waits until a transaction has inserted a notification, and not committed it yet.
func (i *installation) waitInserted() {
	i.t.Helper()
	eventually.True(i.t, "the insert", func() bool {
		return i.Count(`select count(*) from pg_locks where locktype = 'relation' and mode = 'RowExclusiveLock'
			and relation = 'notifications'::regclass and granted`) > 0
	})
}

// checkNothingStored waits for the end of transactions that were cut, and checks that they have stored nothing.
func (i *installation) checkNothingStored() {
	i.t.Helper()
	eventually.True(i.t, "the end of the transaction", func() bool {
		return i.Count(`select count(*) from pg_locks where locktype = 'relation' and mode = 'RowExclusiveLock'
			and relation = 'notifications'::regclass`) == 0
	})
	for _, table := range []string{"notifications", "idempotency_keys", "channel_heads", "dispatches", "turns",
		"river_job where kind not in ('prune', 'waitlist_prune')"} { // a node inserts these when it starts
		if n := i.Count("select count(*) from " + table); n != 0 {
			i.t.Errorf("rows of %s after a transaction that was not committed: got %d, want 0", table, n)
		}
	}
}

// TestStoppedUnderLoad stops a node while clients publish and streams are open.
func TestStoppedUnderLoad(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	i.followers(200)
	i.AddFaults(fcm.Fault{Delay: "20ms"})
	first, second := i.Start(), i.Start()
	i.listen(i.Balancer(first, second))
	i.listen(i.Balancer(second, first))
	told := i.openStream(first)
	p := i.publisher(first, second)
	p.connectEachTime()
	stop := p.load("stop", 8, 5*time.Millisecond)
	eventually.True(t, "publishes", func() bool { return i.ledger.acknowledged() > 20 })
	first.Signal(syscall.SIGTERM)
	status, took := first.Wait()
	if status != 0 || took > 15*time.Second {
		t.Errorf("stopped node: got status %d after %s, want 0 within 15s", status, took)
	}
	checkToldToComeBack(t, told)
	stop()
	eventually.True(t, "the stream of the node that was stopped to come back", func() bool {
		return i.listeners[0].connected.Load()+i.listeners[1].connected.Load() == 3
	})
	for _, a := range i.ledger.all() {
		if !a.acknowledged() && !a.unaccepted() {
			t.Errorf("publish during a stop: got %+v, want an acknowledgement, or a connection that the node did not accept", a)
		}
	}
	i.finish(0)
}

// checkToldToComeBack reads a stream to its end, and checks that it has said when to come back, and was closed after a
// whole event, by which a client resumes. openStream has read the beginning.
func checkToldToComeBack(t *testing.T, stream io.Reader) {
	t.Helper()
	text, err := io.ReadAll(stream)
	if err != nil {
		t.Errorf("end of the stream of a stopped node: got %v, want it closed", err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	if ms, err := strconv.Atoi(first); err != nil || ms < 1000 || ms > 3000 {
		t.Errorf("when to come back to a stream: got retry: %s, want one to three seconds in milliseconds", first)
	}
	if !strings.HasSuffix(string(text), "\n\n") {
		t.Errorf("end of the stream of a stopped node: got %q, want a whole event",
			text[max(0, len(text)-200):])
	}
}

// endedBySignal is the status of a process that a signal has ended.
const endedBySignal = -1

// TestStoppedTwice stops a node a second time while it waits for pushes to end.
func TestStoppedTwice(t *testing.T) {
	t.Parallel()
	long(t)
	i := newInstallation(t)
	i.followers(1_000)
	i.AddFaults(fcm.Fault{Delay: "3s"})
	n := i.Start()
	p := i.publisher(n)
	p.publish(t.Context(), "twice")
	eventually.True(t, "pushes", func() bool { return i.FCM.Stats().InFlight > 100 })
	n.Signal(syscall.SIGTERM)
	eventually.True(t, "the node to stop", func() bool { return n.Check("/readyz") != 200 })
	n.Signal(syscall.SIGTERM)
	if status, took := n.Wait(); status != endedBySignal || took > time.Second {
		t.Errorf("node after a second SIGTERM: got status %d after %s, want %d, as the signal ends it, at once", status, took,
			endedBySignal)
	}
	i.FCM.ClearFaults()
	inFlight := i.cutShort(0)
	n.Start()
	i.finish(inFlight)
}
