package faults

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/sininho/sininho/server/lab/cluster"
	"github.com/sininho/sininho/server/lab/standin/fcm"
)

// TestOneKeyManyTimes publishes 100 times at once with one key, at three nodes.
func TestOneKeyManyTimes(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	i.followers(3)
	nodes := []*cluster.Node{i.Start(), i.Start(), i.Start()}
	p := i.publisher(nodes...)
	for round := range 5 {
		var all sync.WaitGroup
		for k := range 100 {
			all.Go(func() { p.try(t.Context(), nodes[k%3].Addr, fmt.Sprint("same-", round)) })
		}
		all.Wait()
	}
	created := map[string]int{}
	for _, a := range i.ledger.all() {
		if a.status != http.StatusCreated {
			t.Errorf("publish with a key that others use at once: got status %d after %s, want 201", a.status, a.took)
		} else if !a.replayed {
			created[a.key]++
		}
	}
	for key, n := range created {
		if n != 1 {
			t.Errorf("responses to %s that say it was created: got %d, want 1", key, n)
		}
	}
	i.finish(0)
}

// TestPoisonNotification has the push service refuse a message as invalid, which would be Sininho's own fault.
func TestPoisonNotification(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	i.followers(3)
	n := i.Start()
	p := i.publisher(n)
	i.AddFaults(fcm.Fault{Error: "INVALID_ARGUMENT"})
	p.publish(t.Context(), "poison")
	i.finish(0)
	if got := i.FCM.Stats().Responses["400"]; got != 3 {
		t.Errorf("pushes of a message that is refused: got %d, want one to each of 3 devices", got)
	}
	if !n.Logged("the push service rejected the message; report this as a bug of Sininho") {
		t.Error("log of a message that is refused: got no error, want one")
	}
	i.FCM.ClearFaults()
	p.publish(t.Context(), "wholesome")
	i.finish(0)
	if got := i.FCM.Stats().Accepted; got != 3 {
		t.Errorf("pushes after a message that is refused: got %d, want all 3 devices kept", got)
	}
}
