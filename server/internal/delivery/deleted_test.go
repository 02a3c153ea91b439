package delivery_test

import (
	"testing"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
)

// TestDeletedChannel deletes a channel while a push waits for another try: the push is dropped and its job ends well.
func TestDeletedChannel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 100 {
		w.pushes.results["a"] = append(w.pushes.results["a"], core.Result{Cause: core.CauseUnavailable})
	}
	w.follower("a", core.BellAll, false)
	w.start()
	w.publish(nil)
	eventually.True(t, "a first try",
		func() bool { w.pushes.mu.Lock(); defer w.pushes.mu.Unlock(); return w.pushes.sent["a"] > 0 })
	if err := w.DeleteChannel(t.Context(), w.channel.ID, nil, now()); err != nil {
		t.Fatalf("delete the channel: %v", err)
	}
	jobs := func(state string) (n int) {
		err := w.db.Pool().QueryRow(t.Context(), "select count(*) from river_job where kind = 'send' and "+state).
			Scan(&n)
		if err != nil {
			t.Fatalf("count jobs: %v", err)
		}
		return n
	}
	eventually.True(t, "the end of the job", func() bool { return jobs("finalized_at is null") == 0 })
	if n := jobs("state <> 'completed' or errors is not null"); n != 0 {
		t.Errorf("failed jobs: got %d, want none", n)
	}
}
