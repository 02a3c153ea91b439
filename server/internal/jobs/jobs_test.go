package jobs

import (
	"testing"
	"time"
)

func TestBackoff(t *testing.T) {
	for failures, longest := range map[int]time.Duration{0: time.Second, 1: 2 * time.Second, 5: 32 * time.Second,
		6: time.Minute, 1_000: time.Minute} {
		for range 100 {
			if got := Backoff(failures); got < longest/2 || got > longest {
				t.Errorf("wait after %d failures: got %s, want between %s and %s", failures, got, longest/2, longest)
			}
		}
	}
}
