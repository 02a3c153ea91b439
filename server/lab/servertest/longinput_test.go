package servertest_test

import (
	"os"
	"testing"

	"github.com/sininho/sininho/server/lab/servertest"
)

// What `make test-input` sends at least.
const (
	generatedRequests = 100_000
	rawRequests       = 50_000
)

// TestBadInput sends generated requests and raw bytes to a server in a process of its own, which must use no more
// afterwards than when it had received some.
func TestBadInput(t *testing.T) {
	t.Parallel()
	if os.Getenv("INPUT") != "all" {
		t.Skip("takes some minutes; make test-input runs it")
	}
	faults := &faultLog{}
	server, process := servertest.StartApart(t, faults, uncapped...)
	g := newGenerator(t, server)
	r := newRawClient(t, g.f)
	send := func(generated, raw int) {
		for g.sent < generated {
			g.round()
		}
		r.send(raw - int(r.sent.Load()))
		r.pipelines(10)
		prober.CloseIdleConnections()
	}
	send(generatedRequests/10, rawRequests/10)
	before := process.Usage(t)
	most := servertest.Usage{ // the caches and connection pools are not full yet
		Goroutines: before.Goroutines + 50, Files: before.Files + 30, Memory: before.Memory + 50<<10,
	}
	send(generatedRequests/2, rawRequests/2)
	middle := process.Settled(t, most)
	most.Memory = middle.Memory + 10<<10
	send(generatedRequests, rawRequests)
	after := process.Settled(t, most)
	faults.check(t)
	t.Logf("%d generated requests of %d kinds and %d raw ones, seed %d; usage of the server:\nbefore: %s\nmiddle: %s\n"+
		"after:  %s", g.sent, len(g.kinds), r.sent.Load(), g.seed, before, middle, after)
}
