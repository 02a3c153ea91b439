package delivery_test

import (
	"testing"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
)

// TestDeletedChannel deletes a channel while a push waits for another try: the push is dropped and its turn is over.
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
	eventually.True(t, "the end of the turn", func() (over bool) {
		if err := w.db.Pool().QueryRow(t.Context(), "select count(*) = 0 from turns").Scan(&over); err != nil {
			t.Fatalf("count turns: %v", err)
		}
		return over
	})
}
