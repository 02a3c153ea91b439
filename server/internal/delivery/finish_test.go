package delivery_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/eventually"
)

// analytics keeps what it is told.
type analytics struct {
	mu  sync.Mutex
	all []core.AnalyticsEvent
}

func (a *analytics) Capture(e core.AnalyticsEvent) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, e)
}

func (a *analytics) events() []core.AnalyticsEvent {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.all)
}

// TestWhatIsFinishedIsCounted once, with the numbers of its devices and nothing of theirs.
func TestWhatIsFinishedIsCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pushes.answers["refused"] = []core.Result{{Outcome: core.Failed, Cause: core.CauseInvalid}}
	w.pushes.answers["gone"] = []core.Result{{Outcome: core.Failed, Cause: core.CauseUnregistered, Retire: true}}
	for _, address := range []string{"well", "refused", "gone"} {
		w.follower(address, core.BellAll, false)
	}
	w.follower("muted", core.BellAll, true)
	w.start()
	var want []core.AnalyticsEvent
	for _, failed := range []int64{2, 0} {
		id := w.publish(nil)
		want = append(want, core.NotificationAccepted{NotificationID: id, ChannelID: w.channel.ID, Accepted: 2 - failed/2, Failed: failed})
		eventually.True(t, "the notification to be counted", func() bool { return len(w.told.events()) >= len(want) })
	}
	if got := w.told.events(); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
