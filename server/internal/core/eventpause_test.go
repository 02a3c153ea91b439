package core_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestPausesOfAnEventEndpoint(t *testing.T) {
	t.Parallel()
	e := core.EventEndpoint{Enabled: true}
	failed := core.EventAttempt{At: began, Duration: time.Second, Status: 500}
	end := began.Add(time.Second)
	for i, pause := range []time.Duration{
		5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, time.Hour,
	} {
		e.Take(failed)
		checkPause(t, fmt.Sprintf("after %d failures", i+1), e, end, pause, pause+pause/5)
	}
	e.Take(failed, core.EventAttempt{At: began, Status: 204}, failed)
	check.Equal(t, "whether it is failing after it accepted one of three events", e.Failing(), false)
	check.Equal(t, "end of the pause after it accepted one of three events", e.PausedUntil, nil)
	e.Take(failed, failed, failed)
	checkPause(t, "after the first failure of three events together", e, end, 5*time.Second, 6*time.Second)
}

func TestPauseThatAnEventEndpointRequests(t *testing.T) {
	t.Parallel()
	for requested, want := range map[time.Duration]time.Duration{
		time.Minute: time.Minute, 30 * 24 * time.Hour: 24 * time.Hour,
	} {
		e := core.EventEndpoint{Enabled: true}
		e.Take(core.EventAttempt{At: began, Status: 429, RetryAfter: requested},
			core.EventAttempt{At: began, Status: 429})
		checkPause(t, "after Retry-After "+requested.String(), e, began, want, want)
	}
}

// checkPause checks that an endpoint is paused for a time between shortest and longest.
func checkPause(t *testing.T, when string, e core.EventEndpoint, after time.Time, shortest, longest time.Duration) {
	t.Helper()
	if e.PausedUntil == nil {
		t.Fatalf("pause %s: got none, want one", when)
	}
	if pause := e.PausedUntil.Sub(after); pause < shortest || pause > longest {
		t.Errorf("pause %s: got %s, want between %s and %s", when, pause, shortest, longest)
	}
}

func TestEventEndpointIsDisabledAfterFiveDays(t *testing.T) {
	t.Parallel()
	day := 24 * time.Hour
	fail := func(e *core.EventEndpoint, after time.Duration) {
		e.Take(core.EventAttempt{At: began.Add(after), Status: 500})
	}
	e := core.EventEndpoint{Enabled: true}
	fail(&e, 0)
	fail(&e, 5*day-time.Second)
	check.Equal(t, "enabled after failing for less than 5 days", e.Enabled, true)
	check.Equal(t, "start of the failures", e.FailingSince, &began)
	e.Take(core.EventAttempt{At: began.Add(5 * day), Status: 200})
	fail(&e, 5*day+time.Second)
	check.Equal(t, "enabled after a success and a failure", e.Enabled, true)
	last := 10*day + time.Second
	fail(&e, last)
	check.Equal(t, "enabled after failing for 5 days", e.Enabled, false)
	check.Equal(t, "time of the disabling", e.DisabledAt, new(began.Add(last)))
	if e.DisabledReason == "" {
		t.Error("reason after failing for 5 days: got none, want one")
	}
}

func TestEventEndpointIsDisabledWhenGone(t *testing.T) {
	t.Parallel()
	e := core.EventEndpoint{Enabled: true}
	e.Take(core.EventAttempt{At: began, Status: 410})
	check.Equal(t, "enabled after status 410", e.Enabled, false)
	if e.DisabledReason == "" {
		t.Error("reason after status 410: got none, want one")
	}
}
