package delivery_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
)

// TestNothingOfAPrivateChannelAfterLeaving removes two members of a private channel: one while a push to them waits for
// another try, the other before a correction of what was pushed to them. Neither gets anything more.
func TestNothingOfAPrivateChannelAfterLeaving(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 100 {
		w.pushes.results["waits"] = append(w.pushes.results["waits"], core.Result{Cause: core.CauseUnavailable})
	}
	w.follower("stays", core.BellAll, false)
	w.follower("has it", core.BellAll, false)
	waits := w.follower("waits", core.BellAll, false)
	must(w.UpdateChannel(t.Context(), w.channel.ID, core.ChannelPatch{Visibility: new(core.Private)}, nil, now(), nil))
	w.start()
	id := w.publish(nil)
	sent := func(address string) int {
		w.pushes.mu.Lock()
		defer w.pushes.mu.Unlock()
		return w.pushes.sent[address]
	}
	eventually.True(t, "a first try", func() bool {
		return sent("stays") > 0 && sent("has it") > 0 && sent("waits") > 0
	})
	for _, name := range []string{"has it", "waits"} {
		var person core.ID
		err := w.db.Pool().QueryRow(t.Context(), "select id from subscribers where name = $1", name).Scan(&person)
		if err == nil {
			err = w.RemoveChannelMember(t.Context(), w.channel.ID, person, now())
		}
		if err != nil {
			t.Fatalf("remove %s: %v", name, err)
		}
	}
	eventually.True(t, "the end of the push that waits",
		func() bool { return w.outcome(id, waits) == "suppressed unfollowed" })
	w.correct(id, func(n *core.Notification, _ time.Time) { n.Title = "corrigida" })
	revised := func(address string) int {
		w.pushes.mu.Lock()
		defer w.pushes.mu.Unlock()
		return len(w.pushes.revised[address])
	}
	eventually.True(t, "the correction", func() bool { return revised("stays") == 1 })
	if n := revised("has it") + revised("waits"); n > 0 {
		t.Errorf("revisions pushed to those who have left: got %d, want none", n)
	}
}
