package delivery

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/pgtest"
	"github.com/sininho/sininho/server/internal/postgres"
)

// TestPacer has a chunk that takes 100 s of the quota, so that a busy machine changes no figure by more than the slack.
func TestPacer(t *testing.T) {
	t.Parallel()
	db := pgtest.DB(t)
	const chunk, perMinute = 500, 300 // 100 s
	const slack = 30 * time.Second
	between := func(what string, got, least, most time.Duration) {
		t.Helper()
		if got < least || got > most {
			t.Errorf("%s: got %s, want %s to %s", what, got, least, most)
		}
	}
	reserveFor := func(patience time.Duration) (wait, later time.Duration) {
		t.Helper()
		wait, later, err := reserve(t.Context(), db, core.ServiceFCM, chunk, perMinute, patience)
		if err != nil {
			t.Fatal("reserve:", err)
		}
		return wait, later
	}
	wait, later := reserveFor(10 * time.Second)
	between("the first chunk waits", wait, 0, 0)
	between("the first chunk comes later", later, 0, 0)
	for range 10 { // a refused caller takes nothing, however often it asks
		_, later = reserveFor(10 * time.Second)
		between("a caller without patience comes later", later, 90*time.Second-slack, 90*time.Second)
	}
	wait, _ = reserveFor(2 * time.Minute)
	between("the second chunk waits for the first", wait, 100*time.Second-slack, 100*time.Second)
	for _, length := range []time.Duration{10 * time.Minute, time.Minute} { // the shorter does not end the longer
		if err := pause(t.Context(), db, core.ServiceFCM, length, core.CauseQuota); err != nil {
			t.Fatal("pause:", err)
		}
	}
	_, later = reserveFor(time.Hour)
	between("while paused", later, 10*time.Minute-slack, 10*time.Minute)
	left, cause, err := paused(t.Context(), db, core.ServiceFCM)
	if err != nil {
		t.Fatal("paused:", err)
	}
	between("the pause", left, 10*time.Minute-slack, 10*time.Minute)
	if cause != core.CauseQuota {
		t.Errorf("cause of the pause: got %q, want %q", cause, core.CauseQuota)
	}
}

// TestThreeNodesShareTheQuota reserves on three nodes at once. Each chunk takes so long that a busy machine changes
// nothing. No two overlap, and all together take as long as the quota says, within 2 %.
func TestThreeNodesShareTheQuota(t *testing.T) {
	t.Parallel()
	const nodes, chunks, perMinute = 3, 20, 300
	const slack = 20 * time.Second // for the statements
	type chunk struct{ from, to time.Time }
	url := pgtest.URL(t)
	var mu sync.Mutex
	var all []chunk
	var running sync.WaitGroup
	for node := range nodes {
		db, err := postgres.Open(t.Context(), postgres.Config{URL: url, Connections: 2})
		if err != nil {
			t.Fatal("open the database:", err)
		}
		t.Cleanup(func() { _ = db.Close() })
		running.Go(func() {
			for i := range chunks {
				n := 100 + (7*i+13*node)%5*100 // takes 20 to 100 s
				wait, later, err := reserve(t.Context(), db, core.ServiceFCM, n, perMinute, 24*time.Hour)
				if err != nil || later != 0 {
					t.Errorf("reserve %d on node %d: got %v, later %s, want neither", n, node, err, later)
				}
				from := time.Now().Add(wait)
				mu.Lock()
				all = append(all, chunk{from, from.Add(time.Duration(n) * time.Minute / perMinute)})
				mu.Unlock()
			}
		})
	}
	running.Wait()
	slices.SortFunc(all, func(a, b chunk) int { return a.from.Compare(b.from) })
	total := time.Duration(0)
	for i, c := range all {
		total += c.to.Sub(c.from)
		if i > 0 && c.from.Before(all[i-1].to.Add(-slack)) {
			t.Errorf("chunk %d begins %s before the end of the one before", i, all[i-1].to.Sub(c.from))
		}
	}
	if took := all[len(all)-1].to.Sub(all[0].from); took < total*98/100 || took > total*102/100 {
		t.Errorf("all chunks: got them within %s, want %s within 2 %%", took, total)
	}
}
