package delivery

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/pgtest"
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
	later := func() time.Duration {
		t.Helper()
		later, err := reserve(t.Context(), db, core.ServiceFCM, chunk, perMinute)
		if err != nil {
			t.Fatal("reserve:", err)
		}
		return later
	}
	between("the first chunk comes later", later(), 0, 0)
	for range 10 { // a refused caller takes nothing, however often it asks
		between("the second chunk comes later", later(), 100*time.Second-slack, 100*time.Second)
	}
	for _, length := range []time.Duration{10 * time.Minute, time.Minute} { // the shorter does not end the longer
		if err := postgres.Pause(t.Context(), db, core.ServiceFCM, length, core.CauseQuota); err != nil {
			t.Fatal("pause:", err)
		}
	}
	between("while paused", later(), 10*time.Minute-slack, 10*time.Minute)
	left, cause, err := postgres.Paused(t.Context(), db, core.ServiceFCM)
	if err != nil {
		t.Fatal("paused:", err)
	}
	between("the pause", left, 10*time.Minute-slack, 10*time.Minute)
	if cause != core.CauseQuota {
		t.Errorf("cause of the pause: got %q, want %q", cause, core.CauseQuota)
	}
}

// TestThreeNodesShareTheQuota takes all that three nodes can get at once: no more than the pace lets them have together
// in the time that it takes.
func TestThreeNodesShareTheQuota(t *testing.T) {
	t.Parallel()
	const nodes, perMinute, each = 3, 60_000, 100
	url, began := pgtest.URL(t), time.Now()
	var granted atomic.Int64
	var running sync.WaitGroup
	for range nodes {
		db, err := postgres.Open(t.Context(), postgres.Config{URL: url, Connections: 2})
		if err != nil {
			t.Fatal("open the database:", err)
		}
		t.Cleanup(func() { _ = db.Close() })
		running.Go(func() {
			for time.Since(began) < 3*time.Second {
				later, err := reserve(t.Context(), db, core.ServiceFCM, each, perMinute)
				if err != nil {
					t.Error("reserve:", err)
				}
				if later == 0 {
					granted.Add(each)
				}
			}
		})
	}
	running.Wait()
	most := int64((time.Since(began)+aheadOfPace).Seconds()*perMinute/60) + each
	if got := granted.Load(); got < most/2 || got > most {
		t.Errorf("pushes that three nodes may send: got %d, want at most %d and not much less", got, most)
	}
}
