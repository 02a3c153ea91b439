package delivery_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
)

// analytics keeps the captured events.
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

// TestFinishedIsCaptured captures each finished notification once, with numbers of devices and nothing about them.
func TestFinishedIsCaptured(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pushes.results["refused"] = []core.Result{{Outcome: core.Failed, Cause: core.CauseInvalid}}
	w.pushes.results["gone"] = []core.Result{{Outcome: core.Failed, Cause: core.CauseUnregistered, Retire: true}}
	for _, address := range []string{"well", "refused", "gone"} {
		w.follower(address, core.BellAll, false)
	}
	w.follower("muted", core.BellAll, true)
	w.start()
	var want []core.AnalyticsEvent
	for _, failed := range []int64{2, 0} {
		id := w.publish(nil)
		want = append(want, core.NotificationAccepted{
			NotificationID: id, ChannelID: w.channel.ID, Accepted: 2 - failed/2, Failed: failed,
		})
		eventually.True(t, "the notification to be counted", func() bool { return len(w.analytics.events()) >= len(want) })
	}
	if diff := cmp.Diff(want, w.analytics.events()); diff != "" {
		t.Errorf("captured analytics events (-want +got):\n%s", diff)
	}
}
