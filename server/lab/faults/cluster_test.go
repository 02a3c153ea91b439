package faults

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/cluster"
	"github.com/sininho/sininho/server/lab/natstest"
	"github.com/sininho/sininho/server/lab/standin/fcm"
)

// TestThreeNodes kills any of three nodes at any time, and restarts them one after another, while clients publish,
// streams are open and pushes are sent.
func TestThreeNodes(t *testing.T) {
	t.Parallel()
	t.Run("signals by the database", func(t *testing.T) {
		t.Parallel()
		threeNodes(t, newInstallation(t), 1)
	})
	t.Run("signals over NATS", func(t *testing.T) {
		t.Parallel()
		i := newInstallation(t)
		i.Environment["NATS_URL"] = natstest.Start(t).URL
		threeNodes(t, i, 1)
	})
}

// TestThreeNodesManyTimes is TestThreeNodes with 15 kills.
func TestThreeNodesManyTimes(t *testing.T) {
	t.Parallel()
	long(t)
	threeNodes(t, newInstallation(t), 15)
}

func threeNodes(t *testing.T, i *installation, kills int) {
	t.Helper()
	i.followers(50)
	i.AddFaults(fcm.Fault{Delay: "20ms"})
	nodes := []*cluster.Node{i.Start(), i.Start(), i.Start()}
	base := i.Balancer(nodes...)
	for range 9 {
		i.listen(base)
	}
	p := i.publisher(nodes...)
	stop := p.load("nodes", 4, 100*time.Millisecond)
	atKill := 0 // pushes that nodes had under way when they were killed
	for range kills {
		i.more(10 + rand.IntN(20))
		n := nodes[rand.IntN(3)]
		before := i.FCM.Stats()
		n.Kill()
		atKill += int(before.InFlight) + i.unrecorded()
		i.more(10)
		n.Start()
	}
	for _, n := range nodes {
		i.more(10)
		n.Signal(syscall.SIGTERM)
		if status, took := n.Wait(); status != 0 || took > 15*time.Second {
			t.Errorf("node that is restarted: got status %d after %s, want 0 within 15s", status, took)
		}
		n.Start()
	}
	i.more(10)
	stop()
	if took := i.finish(atKill); took > 90*time.Second {
		t.Errorf("time from the last restart until all is done: got %s, want at most 90s", took)
	}
}

// more waits until n more publishes are acknowledged.
func (i *installation) more(n int) {
	i.t.Helper()
	want := i.ledger.acknowledged() + n
	eventually.True(i.t, fmt.Sprintf("%d more publishes", n), func() bool { return i.ledger.acknowledged() >= want })
}

// unrecorded returns how many pushes were accepted up to now without a recorded outcome.
func (i *installation) unrecorded() int {
	i.t.Helper()
	j := i.judge()
	defer j.close()
	return j.inFlight(0)
}
