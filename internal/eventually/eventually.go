// Package eventually waits for conditions in tests.
package eventually

import (
	"fmt"
	"testing"
	"time"
)

// within is long enough for a busy machine, so that only a condition that never becomes true reaches it.
const within = 2 * time.Minute

// True waits until ok returns true, and ends the test if it does not.
func True(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(within)
	for !ok() {
		select {
		case <-deadline:
			t.Fatalf("wait for %s: not within %s", what, within)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Reaches waits until count returns want or more. The time limit starts again whenever the count grows, so that a slow
// machine has as long as it takes.
func Reaches(t testing.TB, what string, want int, count func() int) {
	t.Helper()
	for most := count(); most < want; {
		True(t, fmt.Sprintf("%s: %d of %d", what, most, want), func() bool {
			before := most
			most = max(most, count())
			return most > before
		})
	}
}
