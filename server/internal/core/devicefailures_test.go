package core_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// TestDeviceFailures expects a device that is refused to be retired after a few tries, which are spread over minutes,
// and one that only fails to be left alone for longer and longer.
func TestDeviceFailures(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for name, c := range map[string]struct {
		result      core.Result
		rang        bool
		tries       int // until it is retired
		least, most time.Duration
	}{
		"refused":                   {core.Result{Cause: core.CauseCredentials, Refused: true}, false, 3, 3 * time.Minute, time.Hour},
		"refused with a wait":       {core.Result{Refused: true, Wait: time.Hour}, false, 3, 2 * time.Hour, 3 * time.Hour},
		"unavailable":               {core.Result{Cause: core.CauseUnavailable}, false, 0, time.Hour, 100 * 15 * time.Minute},
		"asked to wait an hour":     {core.Result{Cause: core.CauseQuota, Wait: time.Hour}, false, 0, 100 * time.Hour, 101 * time.Hour},
		"refused after it had rung": {core.Result{Refused: true}, true, 30, 24 * time.Hour, 25 * time.Hour},
	} {
		f := core.DeviceFailures{Rang: c.rang}
		var total, wait time.Duration
		tries, retire := 0, false
		for tries < 100 && !retire {
			f, wait, retire = f.After(c.result, now.Add(total))
			if tries++; !retire {
				total += wait
			}
		}
		if c.tries == 0 {
			c.tries = 100
		}
		check.Equal(t, name+": tries", tries, c.tries)
		check.Equal(t, name+": retired", retire, c.result.Refused)
		check.Equal(t, name+": the first failure", f.Since, now)
		if total < c.least || total > c.most {
			t.Errorf("%s: waits of together %s, want %s to %s", name, total, c.least, c.most)
		}
	}
}
