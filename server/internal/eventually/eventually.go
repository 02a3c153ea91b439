// Package eventually waits, in tests, for what others bring about.
package eventually

import (
	"testing"
	"time"
)

// within is long: it is reached only by what does not come at all, on however busy a machine.
const within = 2 * time.Minute

// True waits until ok answers true, and ends the test if it does not.
func True(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(within)
	for !ok() {
		select {
		case <-deadline:
			t.Fatalf("waited in vain for %s", what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
