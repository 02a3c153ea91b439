package delivery

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// TestAttackFailuresOfFewPauseNothing has many failures of one person's devices, and of two people's. Only when those
// of a third one fail alike, and half of all tried, is the push service paused.
func TestAttackFailuresOfFewPauseNothing(t *testing.T) {
	t.Parallel()
	const name = "https://push.example.com"
	now, people := time.Now(), []core.ID{core.NewID(), core.NewID(), core.NewID(), core.NewID()}
	refused := core.Result{Cause: core.CauseCredentials, Refused: true}
	fail := func(s *services, people ...core.ID) (pause time.Duration) {
		for _, p := range people {
			for range 100 {
				pause = s.failed(name, p, refused, now)
			}
		}
		return pause
	}
	var s services
	check.Equal(t, "pause after one person's failures", fail(&s, people[0]), 0)
	check.Equal(t, "pause after two people's failures", fail(&s, people[1]), 0)
	check.Equal(t, "pause after other failures", s.failed(name, people[2], core.Result{Cause: core.CauseQuota}, now), 0)
	check.Equal(t, "pause after three people's failures", fail(&s, people[2]), pauses[core.CauseCredentials])
	for range 4 {
		s.accepted(name, core.NewID(), now)
	}
	check.Equal(t, "pause where most are accepted", fail(&s, people[0]), 0)

	var busy services
	for i, wait := range []time.Duration{time.Hour, 2 * time.Minute, time.Hour} {
		pause := busy.failed(name, people[i], core.Result{Cause: core.CauseQuota, Wait: wait}, now)
		if want := []time.Duration{0, 0, 2 * time.Minute}[i]; pause != want {
			t.Errorf("pause after %d people were told to wait: got %s, want %s", i+1, pause, want)
		}
	}
	check.Equal(t, "pause of people who failed long ago",
		busy.failed(name, people[3], core.Result{Cause: core.CauseQuota}, now.Add(2*triedLately)), 0)
}

// TestAProbeEndsAPause expects one push now and then during a pause, and its success to end it.
func TestAProbeEndsAPause(t *testing.T) {
	t.Parallel()
	const name = "https://push.example.com"
	var s services
	now := time.Now()
	s.pause(name, now.Add(time.Minute), now)
	left, probe := s.paused(name, now)
	check.Equal(t, "the pause", left, time.Minute)
	check.Equal(t, "a first probe", probe, true)
	s.probed(name, now)
	_, probe = s.paused(name, now.Add(time.Second))
	check.Equal(t, "a probe after a second", probe, false)
	_, probe = s.paused(name, now.Add(probeEvery))
	check.Equal(t, "a probe after a while", probe, true)
	check.Equal(t, "a push from before the pause ends it", s.accepted(name, core.NewID(), now.Add(-time.Second)), false)
	check.Equal(t, "a probe ends it", s.accepted(name, core.NewID(), now.Add(time.Second)), true)
	left, _ = s.paused(name, now.Add(time.Second))
	check.Equal(t, "the pause after a probe was accepted", left, 0)

	s.pause(core.ServiceFCM, now.Add(time.Minute), now)
	_, probe = s.paused(core.ServiceFCM, now.Add(30*time.Second))
	check.Equal(t, "a probe of FCM, which says itself when it is to be tried again", probe, false)
	s.know(nil, now.Add(2*time.Second))
	left, _ = s.paused(core.ServiceFCM, now.Add(2*time.Second))
	check.Equal(t, "a pause that another node has ended", left, 0)
}
